//go:build linux

// Package reading is the case of what is read per second: files of Arrow, Parquet and JSON lines
// beside polars and DuckDB, and the rows of a PostgreSQL query by package sqldata with the memory
// that they take beyond the table.
package reading

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"syscall"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/sqldata"
	"github.com/coppice-ml/coppice/tools/bench/pairs"
)

// Case reads with each side by turns, each time in a fresh process, which reports the seconds of
// the reading alone and those of the processors. DuckDB's package is installed so:
//
//	npm install --prefix /tmp/duck --ignore-scripts @duckdb/node-api
//
// and polars beside it for -polars, with the package for the machine:
//
//	npm install --prefix /tmp/duck --ignore-scripts nodejs-polars nodejs-polars-linux-x64-gnu
var Case = pairs.Case{Name: "reading",
	About:   "reading Arrow, Parquet and JSON lines beside polars and DuckDB, and PostgreSQL",
	Example: "-duck FOLDER", Takes: "rounds threads busy rows",
	Set: func(r *pairs.Run) func(context.Context) error {
		r.Rounds, r.Threads, r.Rows = 5, []int{1, 2}, 5_000_000
		duck := r.String("duck", "", "`folder` with node_modules/@duckdb/node-api; empty = no Parquet")
		polars := r.String("polars", "", "`folder` with node_modules/nodejs-polars, and DuckDB's package: "+
			"Arrow, Parquet and JSON lines of 29 doubles; empty = leave them out")
		db := r.String("db", "", "`URL` of a PostgreSQL database; empty = leave it out")
		r.Job("read", 1, func(a []string) (*pairs.Result, error) { return readFile(a[0]) })
		return func(ctx context.Context) error {
			if *duck == "" && *polars == "" && *db == "" {
				return errors.New("want -duck, -polars or -db")
			}
			if *polars != "" {
				if err := compareFormats(ctx, r, *polars); err != nil {
					return err
				}
			}
			if *duck != "" {
				if err := compareParquet(ctx, r, *duck); err != nil {
					return err
				}
			}
			if *db != "" {
				return readSQL(ctx, *db)
			}
			return nil
		}
	}}

// readSQL reads rows of a query, and reports the peak of the memory beyond the table.
func readSQL(ctx context.Context, address string) error {
	db, err := sql.Open("pgx", address)
	if err != nil {
		return err
	}
	defer db.Close()
	for _, n := range []int{100_000, 1_000_000} {
		var columns []string
		for i := range 10 {
			columns = append(columns, fmt.Sprintf("i * %d.5 as c%d", i+1, i))
		}
		start := time.Now()
		r, err := db.QueryContext(ctx, fmt.Sprintf("select %s from generate_series(1, %d) i", strings.ReplaceAll(
			strings.Join(columns, ", "), ".5 as", ".5::float8 as"), n))
		if err != nil {
			return err
		}
		f, err := sqldata.Open(data.ReadOptions{}, r).Frame(ctx)
		if err != nil {
			return err
		}
		spent := time.Since(start)
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		var u syscall.Rusage
		if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
			return err
		}
		fmt.Printf("PostgreSQL %d x %d: %.2f s, table %d MB, live heap %d MB, peak resident set %d MB\n", f.Rows(), len(f.Columns),
			spent.Seconds(), n*80>>20, m.HeapAlloc>>20, u.Maxrss>>10)
		runtime.KeepAlive(f)
	}
	return nil
}

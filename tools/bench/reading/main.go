//go:build linux

// Command reading measures what is read per second: Parquet files by package parquetdata beside
// DuckDB, and the rows of a PostgreSQL query by package sqldata with the memory that they take
// beyond the table:
//
//	npm install --prefix /tmp/duck --ignore-scripts @duckdb/node-api
//	go run ./bench/reading -duck /tmp/duck [-rows N] [-rounds N] [-threads 1,2] [-busy]
//	go run ./bench/reading -db postgres://USER:PASSWORD@HOST/NAME
//
// The sides read by turns, each time in a fresh process, which reports the seconds of the reading
// alone and those of the processors. It runs on Linux.
package main

import (
	"context"
	"database/sql"
	"flag"
	"fmt"
	"os"
	"runtime"
	"strings"
	"syscall"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib"

	"github.com/coppice-ml/coppice/data/sqldata"
	"github.com/coppice-ml/coppice/data/table"
	"github.com/coppice-ml/coppice/tools/bench/pairs"
)

const rows = 1_000_000

func main() {
	duck := flag.String("duck", "", "folder with node_modules/@duckdb/node-api; empty = leave DuckDB out")
	db := flag.String("db", "", "URL of a PostgreSQL database; empty = leave it out")
	size := flag.Int("rows", 5_000_000, "rows of the Parquet files")
	rounds := flag.Int("rounds", 5, "rounds, in which each side runs once")
	threads := flag.String("threads", "1,2", "numbers of threads")
	busy := flag.Bool("busy", false, "keep disturbed rounds too")
	child := flag.String("child", "", "the Parquet file that this program runs itself with")
	flag.Parse()
	var err error
	switch {
	case *child != "":
		err = readParquet(*child)
	case *duck != "":
		err = compareParquet(*duck, *size, *threads, pairs.Match{Rounds: *rounds, Busy: *busy})
	}
	if err == nil && *db != "" {
		err = readSQL(*db)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "reading:", err)
		os.Exit(1)
	}
}

// readSQL reads rows of a query, and reports the peak of the memory beyond the table.
func readSQL(address string) error {
	ctx := context.Background()
	db, err := sql.Open("pgx", address)
	if err != nil {
		return err
	}
	defer db.Close()
	for _, n := range []int{rows / 10, rows} {
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
		f, err := sqldata.Read(ctx, table.Options{}, r)
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

//go:build linux

// Command reading measures what is read per second: a Parquet file by package parquetdata beside
// DuckDB, each on one core, and the rows of a PostgreSQL query by package sqldata with the memory
// that they take beyond the table:
//
//	npm install --prefix /tmp/duck --ignore-scripts @duckdb/node-api
//	go run ./bench/reading -duck /tmp/duck [-db postgres://USER:PASSWORD@HOST/NAME] [-rounds N]
//
// The sides read by turns, each time in a fresh process, which reports the seconds of the reading
// alone. DuckDB makes its chunks of columns, which is what a program that uses it gets.
package main

import (
	"context"
	"database/sql"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib"
	"github.com/parquet-go/parquet-go"

	"github.com/coppice-ml/coppice/data/parquetdata"
	"github.com/coppice-ml/coppice/data/sqldata"
	"github.com/coppice-ml/coppice/data/table"
)

const rows = 1_000_000

func main() {
	duck := flag.String("duck", "", "folder with node_modules/@duckdb/node-api; empty = leave DuckDB out")
	db := flag.String("db", "", "URL of a PostgreSQL database; empty = leave it out")
	rounds := flag.Int("rounds", 5, "rounds, in which each side runs once")
	child := flag.String("child", "", "what this program runs itself with")
	flag.Parse()
	var err error
	switch {
	case *child == "sql":
		err = readSQL(*db)
	case *child != "":
		err = readParquet(*child)
	default:
		err = compare(*duck, *db, *rounds)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "reading:", err)
		os.Exit(1)
	}
}

type row struct {
	A, B, C, D, E, F, G float64
	H, I                int64
	J                   string `parquet:",dict"`
}

func write(path string) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer f.Close()
	w := parquet.NewGenericWriter[row](f, parquet.Compression(&parquet.Snappy), parquet.MaxRowsPerRowGroup(122880))
	r := rand.New(rand.NewPCG(1, 2))
	for range rows {
		x := r.NormFloat64
		if _, err := w.Write([]row{{x(), x(), x(), x(), x(), x(), x(), r.Int64N(1000), r.Int64N(1 << 40), strconv.Itoa(r.IntN(50)) + "th"}}); err != nil {
			return err
		}
	}
	return w.Close()
}

func readParquet(path string) error {
	start := time.Now()
	f, err := parquetdata.Read(context.Background(), table.Options{Threads: 1}, path)
	if err != nil {
		return err
	}
	fmt.Println(time.Since(start).Seconds(), f.Rows())
	return nil
}

const duckScript = `
const {DuckDBInstance} = require('@duckdb/node-api');
(async () => {
  const c = await (await DuckDBInstance.create(':memory:', {threads: '1'})).connect();
  const start = process.hrtime.bigint();
  const r = await c.run("select * from read_parquet('" + process.argv[2] + "')");
  const chunks = await r.fetchAllChunks();
  const seconds = Number(process.hrtime.bigint() - start) / 1e9;
  console.log(seconds, chunks.reduce((n, k) => n + k.rowCount, 0));
})();
`

func compare(duck, db string, rounds int) error {
	dir, err := os.MkdirTemp("", "coppice-bench")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "a.parquet")
	if err := write(path); err != nil {
		return err
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	sides := map[string]func() *exec.Cmd{"coppice": func() *exec.Cmd { return exec.Command(self, "-child", path) }}
	if duck != "" {
		sides["duckdb"] = func() *exec.Cmd {
			c := exec.Command("node", "-e", duckScript, "x", path)
			c.Dir = duck
			return c
		}
	}
	seconds := map[string][]float64{}
	for range rounds {
		for _, name := range []string{"coppice", "duckdb"} {
			if sides[name] == nil {
				continue
			}
			c := sides[name]()
			c.Env = append(os.Environ(), "GOMAXPROCS=1")
			c.Stderr = os.Stderr
			out, err := c.Output()
			if err != nil {
				return err
			}
			f := strings.Fields(string(out))
			s, err := strconv.ParseFloat(f[0], 64)
			if err != nil || f[1] != strconv.Itoa(rows) {
				return fmt.Errorf("%s: %q", name, out)
			}
			seconds[name] = append(seconds[name], s)
		}
	}
	for name, s := range seconds {
		slices.Sort(s)
		fmt.Printf("%-8s %d x 10 Parquet, one core: median %.3f s of %.3f\n", name, rows, s[len(s)/2], s)
	}
	if db == "" {
		return nil
	}
	c := exec.Command(self, "-child", "sql", "-db", db)
	c.Stdout, c.Stderr = os.Stdout, os.Stderr
	return c.Run()
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

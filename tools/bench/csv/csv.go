//go:build linux

// Package csv is the case of reading CSV files beside data.table's fread and, with one thread, the
// C engine of pandas.read_csv.
package csv

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"time"

	"github.com/coppice-ml/coppice/data/csvdata"
	"github.com/coppice-ml/coppice/tools/bench/pairs"
	"github.com/coppice-ml/coppice/tools/bench/tables/recipe"
)

// Case lets all read the same file. The first read of a process is timed, with the page faults of
// fresh memory.
var Case = pairs.Case{Name: "csv", About: "reading CSV beside data.table's fread and pandas",
	Example: "-threads 1", Takes: "rounds threads quick busy rows r python earlier",
	Set: func(r *pairs.Run) func(context.Context) error {
		r.Rounds = 5
		file := r.String("csv", "", "numeric CSV `file` to read; empty = the training set of the "+
			"table higgs, made first")
		r.Job("read", 1, func(a []string) (*pairs.Result, error) { return read(a[0]) })
		return func(ctx context.Context) error { return compare(ctx, r, *file) }
	}}

// The programs of the other sides.
const (
	fread = `
suppressMessages(library(data.table))
setDTthreads(as.integer(Sys.getenv("OMP_NUM_THREADS")))
file <- commandArgs(TRUE)[1]
start <- proc.time()[[3]]
d <- fread(file)
seconds <- proc.time()[[3]] - start
cat(sprintf('{"version": "data.table %s, %s", "seconds": %.3f,
    "facts": {"rows": %d, "columns": %d, "sum": %.17g}}\n', packageVersion("data.table"),
    R.version.string, seconds, nrow(d), ncol(d), sum(sapply(d, sum, na.rm = TRUE))))
`
	pandas = `
import json, sys, time, pandas
start = time.perf_counter()
frame = pandas.read_csv(sys.argv[1], engine="c")
seconds = time.perf_counter() - start
print(json.dumps({"version": "pandas %s, Python %s" % (pandas.__version__, sys.version.split()[0]), "seconds": seconds,
    "facts": {"rows": frame.shape[0], "columns": frame.shape[1], "sum": float(frame.to_numpy("float64").sum())}}))
`
)

func compare(ctx context.Context, r *pairs.Run, file string) error {
	if file == "" {
		var err error
		if file, err = makeHiggs(r); err != nil {
			return err
		}
	}
	info, err := os.Stat(file)
	if err != nil {
		return err
	}
	fread, err := r.Write("fread.R", fread)
	if err != nil {
		return err
	}
	pandas, err := r.Write("pandas.py", pandas)
	if err != nil {
		return err
	}
	for _, n := range r.Threads {
		sides := []pairs.Side{r.Own("csvdata", "read", file), r.Peer("fread", r.R, fread, file)}
		if n == 1 {
			sides = append(sides, r.Peer("pandas", r.Python, pandas, file))
		}
		sides, results, err := r.Alternate(ctx, sides, n)
		if err != nil {
			return err
		}
		if err := same(results); err != nil {
			return err
		}
		fmt.Printf("\n### %.0f MB, threads: %d\n\n", float64(info.Size())/1e6, n)
		pairs.PrintTable(sides, results, pairs.Seconds(), pairs.TimesOurs(), pairs.Peak(),
			pairs.Fact("rows", "rows", "%.0f"), pairs.Fact("columns", "columns", "%.0f"))
	}
	return nil
}

// same returns an error unless all sides read tables of one size and sum.
func same(results [][]pairs.Result) error {
	for _, other := range results[1:] {
		for i := range other {
			x, y := results[0][i].Facts, other[i].Facts
			if x["rows"] != y["rows"] || x["columns"] != y["columns"] ||
				math.Abs(x["sum"]-y["sum"]) > 1e-9*math.Abs(x["sum"]) {
				return fmt.Errorf("the sides read different tables: %v and %v", x, y)
			}
		}
	}
	return nil
}

func makeHiggs(r *pairs.Run) (string, error) {
	t := recipe.ByName("higgs")
	if r.Quick {
		r.Rows = 1000
	}
	if r.Rows == 0 {
		r.Rows = t.Train
	}
	path := filepath.Join(r.Scratch, "higgs.csv")
	f, err := os.Create(path)
	if err != nil {
		return "", err
	}
	_, err = t.WriteCSV(f, 0, r.Rows)
	return path, errors.Join(err, f.Close())
}

// read reads a file once; the sum is of all values.
func read(file string) (*pairs.Result, error) {
	start := time.Now()
	f, err := csvdata.Open(csvdata.Options{}, file).Frame(context.Background())
	if err != nil {
		return nil, err
	}
	seconds, sum := time.Since(start).Seconds(), 0.0
	for _, c := range f.Columns {
		for _, v := range c.Numbers() {
			if !math.IsNaN(v) {
				sum += v
			}
		}
	}
	return &pairs.Result{Seconds: seconds, Facts: map[string]float64{"rows": float64(f.Rows()),
		"columns": float64(len(f.Columns)), "sum": sum}}, nil
}

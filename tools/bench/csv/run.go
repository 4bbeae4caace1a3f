//go:build linux

package main

import (
	"context"
	"encoding/json"
	"math"
	"os"
	"time"

	"github.com/coppice-ml/coppice/data/csvdata"
	"github.com/coppice-ml/coppice/tools/bench/pairs"
)

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

// report reads a file once and prints the result; the sum is of all values.
func report(file string) error {
	start := time.Now()
	f, err := csvdata.Read(context.Background(), csvdata.Options{}, file)
	if err != nil {
		return err
	}
	r := pairs.Result{Version: version(), Seconds: time.Since(start).Seconds()}
	sum := 0.0
	for _, c := range f.Columns {
		for _, v := range c.Numbers() {
			if !math.IsNaN(v) {
				sum += v
			}
		}
	}
	r.Facts = map[string]float64{"rows": float64(f.Rows()), "columns": float64(len(f.Columns)),
		"sum": sum}
	return json.NewEncoder(os.Stdout).Encode(r)
}

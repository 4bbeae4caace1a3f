//go:build linux

// Command csv compares the speed of package csvdata with that of the C engine of pandas.read_csv,
// one thread each:
//
//	go run ./bench/csv [-csv FILE] [-pairs N] [-python PROGRAM]
//
// The two read the same file by turns, each time in a fresh process that reports the seconds of the
// call alone. So neither the start of an interpreter nor memory that is already mapped counts. A
// pair of runs in which a process had to wait for a processor is dropped for both sides and run
// again. It runs on Linux.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"

	"github.com/coppice-ml/coppice/tools/bench/pairs"
	"github.com/coppice-ml/coppice/tools/bench/tables/recipe"
)

func main() {
	file := flag.String("csv", "", "numeric CSV file to read; empty = the 1M x 28 training set "+
		"of the table higgs, made first")
	rounds := flag.Int("pairs", 5, "pairs of runs")
	python := flag.String("python", "/usr/bin/python3", "Python that has pandas")
	child := flag.String("child", "", "read this file once and report (what this program runs "+
		"itself with)")
	flag.Parse()
	var err error
	if *child != "" {
		err = report(*child)
	} else {
		err = compare(*file, *rounds, *python)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "csv:", err)
		os.Exit(1)
	}
}

func compare(file string, rounds int, python string) error {
	if file == "" {
		dir, err := os.MkdirTemp("", "coppice-bench")
		if err != nil {
			return err
		}
		defer os.RemoveAll(dir)
		if file, err = makeHiggs(dir); err != nil {
			return err
		}
	}
	info, err := os.Stat(file)
	if err != nil {
		return err
	}
	own, err := os.Executable()
	if err != nil {
		return err
	}
	ours := pairs.Side{Name: "csvdata", Command: []string{own, "-child", file}}
	theirs := pairs.Side{Name: "pandas", Command: []string{python, "-c", pandas, file}}
	sides := []pairs.Side{ours, theirs}
	results, err := pairs.Alternate(context.Background(), sides, rounds, 1)
	if err != nil {
		return err
	}
	for i := range results[0] {
		x, y := results[0][i].Facts, results[1][i].Facts
		if x["rows"] != y["rows"] || x["columns"] != y["columns"] ||
			math.Abs(x["sum"]-y["sum"]) > 1e-9*math.Abs(x["sum"]) {
			return fmt.Errorf("the two read different tables: %v and %v", x, y)
		}
	}
	fmt.Printf("\n%.0f MB, %d pairs, one thread each, medians; %s %s/%s\n",
		float64(info.Size())/1e6, rounds, runtime.Version(), runtime.GOOS, runtime.GOARCH)
	pairs.Summarise(sides, results)
	return nil
}

func makeHiggs(dir string) (string, error) {
	t := recipe.Tables()[0]
	path := filepath.Join(dir, t.Name+".csv")
	f, err := os.Create(path)
	if err != nil {
		return "", err
	}
	fmt.Printf("making %d x %d ...\n", t.Train, t.Features)
	_, err = t.WriteCSV(f, 0, t.Train)
	return path, errors.Join(err, f.Close())
}

// version names the build of the library under test.
func version() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" {
				return "csvdata " + s.Value[:min(12, len(s.Value))]
			}
		}
	}
	return "csvdata of this checkout"
}

//go:build linux

// Command csv compares the speed of package csvdata with that of data.table's fread and, with one
// thread, of the C engine of pandas.read_csv:
//
//	go run ./bench/csv [-csv FILE] [-rounds N] [-threads 2,1] [-r PROGRAM] [-python PROGRAM]
//
// All read the same file by turns, each time in a fresh process that reports the seconds of the
// call alone. So neither the start of an interpreter nor memory that is already mapped counts: the
// first read of a process is timed, with the page faults of fresh memory. A round of runs in which
// a process had to wait for a processor is dropped for all sides and run again. It runs on Linux.
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
	rounds := flag.Int("rounds", 5, "rounds, in which each side runs once")
	threads := flag.String("threads", "2,1", "numbers of threads")
	r := flag.String("r", "Rscript", "Rscript that has data.table; empty = leave fread out")
	python := flag.String("python", "/usr/bin/python3",
		"Python that has pandas, for one thread; empty = leave pandas out")
	busy := flag.Bool("busy", false, "keep disturbed rounds too")
	child := flag.String("child", "", "read this file once and report (what this program runs "+
		"itself with)")
	flag.Parse()
	var err error
	if *child != "" {
		err = report(*child)
	} else {
		err = compare(*file, *threads, pairs.Match{Rounds: *rounds, Busy: *busy}, *r, *python)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "csv:", err)
		os.Exit(1)
	}
}

func compare(file, list string, match pairs.Match, r, python string) error {
	threads, err := pairs.ParseThreads(list)
	if err != nil {
		return err
	}
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
	for _, n := range threads {
		sides := []pairs.Side{{Name: "csvdata", Command: []string{own, "-child", file}}}
		if r != "" {
			sides = append(sides, pairs.Side{Name: "fread", Command: []string{r, "-e", fread, file}})
		}
		if python != "" && n == 1 {
			sides = append(sides,
				pairs.Side{Name: "pandas", Command: []string{python, "-c", pandas, file}})
		}
		match.Threads = n
		results, err := match.Alternate(context.Background(), sides)
		if err != nil {
			return err
		}
		if err := same(results); err != nil {
			return err
		}
		fmt.Printf("\n%.0f MB, %d rounds, threads: %d, medians; %s %s/%s\n",
			float64(info.Size())/1e6, match.Rounds, n, runtime.Version(), runtime.GOOS,
			runtime.GOARCH)
		pairs.Summarise(sides, results)
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

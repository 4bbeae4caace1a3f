//go:build linux

// Command csv compares the speed of package csvdata with that of the C engine of pandas.read_csv, one thread each:
//
//	go run ./bench/csv [-csv FILE] [-pairs N] [-python PROGRAM]
//
// The two read the same file by turns, each time in a fresh process that reports the seconds of the call alone, so
// that neither the start of an interpreter nor memory that is already mapped counts. A pair of runs in which a process
// had to wait for a processor is dropped for both sides and run again. It runs on Linux.
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
	"slices"
	"strings"

	"github.com/coppice-ml/coppice/tools/bench/tables/recipe"
)

func main() {
	file := flag.String("csv", "", "numeric CSV file to read; empty = the 1M x 28 training part of the table higgs, made first")
	pairs := flag.Int("pairs", 5, "pairs of runs")
	python := flag.String("python", "/usr/bin/python3", "Python that has pandas")
	child := flag.String("child", "", "read this file once and report (what this program runs itself with)")
	flag.Parse()
	var err error
	if *child != "" {
		err = report(*child)
	} else {
		err = compare(*file, *pairs, *python)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "csv:", err)
		os.Exit(1)
	}
}

func compare(file string, pairs int, python string) error {
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
	ctx := context.Background()
	ours := side{"csvdata", []string{own, "-child", file}}
	theirs := side{"pandas", []string{python, "-c", pandas, file}}
	var a, b []result
	for try := 0; len(a) < pairs; try++ {
		if try == 3*pairs {
			return errors.New("the machine is too busy: most pairs were disturbed")
		}
		x, err := ours.run(ctx)
		if err != nil {
			return err
		}
		y, err := theirs.run(ctx)
		if err != nil {
			return err
		}
		if x.Rows != y.Rows || x.Columns != y.Columns || math.Abs(x.Sum-y.Sum) > 1e-9*math.Abs(x.Sum) {
			return fmt.Errorf("the two read different tables: %+v and %+v", x, y)
		}
		note := ""
		if x.disturbed() || y.disturbed() {
			note = "  disturbed, dropped"
		} else {
			a, b = append(a, x), append(b, y)
		}
		fmt.Printf("%8.3f s  %8.3f s  ratio %.2f  load %s%s\n", x.Seconds, y.Seconds, y.Seconds/x.Seconds, load(), note)
	}
	summarise(a, b, float64(info.Size())/1e6)
	return nil
}

func summarise(a, b []result, megabytes float64) {
	ratios := make([]float64, len(a))
	for i := range a {
		ratios[i] = b[i].Seconds / a[i].Seconds
	}
	fmt.Printf("\n%d rows x %d columns, %.0f MB, %d pairs, one thread each, medians; %s %s/%s\n",
		a[0].Rows, a[0].Columns, megabytes, len(a), runtime.Version(), runtime.GOOS, runtime.GOARCH)
	for _, s := range [][]result{a, b} {
		seconds, memory := median(s, func(r result) float64 { return r.Seconds }), median(s, func(r result) float64 { return r.peak })
		fmt.Printf("%-40s %7.3f s %6.0f MB/s, peak memory %.0f MB\n", s[0].Version, seconds, megabytes/seconds, memory)
	}
	slices.Sort(ratios)
	fmt.Printf("ratio %.2f (%.2f to %.2f)\n", ratios[len(ratios)/2], ratios[0], ratios[len(ratios)-1])
}

func median(s []result, of func(result) float64) float64 {
	values := make([]float64, len(s))
	for i := range s {
		values[i] = of(s[i])
	}
	slices.Sort(values)
	return values[len(values)/2]
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

// load returns the load averages, where the system tells them.
func load() string {
	b, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return "unknown"
	}
	return strings.Join(strings.Fields(string(b))[:3], " ")
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

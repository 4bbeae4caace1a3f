//go:build linux

// Command trees compares the growing of single trees with scikit-learn and rpart, one thread each,
// and measures how the cost grows with the rows:
//
//	go run ./bench/trees [-rounds N] [-python PROGRAM] [-r PROGRAM] [-data FOLDER] [CASE ...]
//
// Timed is the fit alone, preparation (sorting) included, reading the table not. Without cases all
// are run. It runs on Linux.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/coppice-ml/coppice/tools/bench/pairs"
	"github.com/coppice-ml/coppice/tools/bench/tables/recipe"
)

// contest is a table, the settings that all sides grow with, and the sides.
type contest struct {
	name, about string
	file        func(dir string) (string, error)
	label       string
	set         []string // of cart
	python      string   // arguments of scikit-learn's tree; "" = does not compete
	r           string   // control of rpart; "" = does not compete
}

func contests(data string) []contest {
	shipped := func(name string) func(string) (string, error) {
		return func(string) (string, error) { return filepath.Join(data, name), nil }
	}
	return []contest{
		{"full", "higgs-like 100,000 x 28, full depth", higgs(100_000, 28), "y",
			[]string{"prune=none"}, "random_state=0", ""},
		{"depth8", "the same, depth 8", higgs(100_000, 28), "y", []string{"prune=none", "depth=8"},
			"random_state=0, max_depth=8",
			"minsplit=2, minbucket=1, cp=0, xval=0, maxcompete=0, maxsurrogate=0, maxdepth=8"},
		{"split20", "the same, full depth with nodes of at least 20 rows split into leaves of at " +
			"least 7", higgs(100_000, 28), "y",
			[]string{"prune=none", "depth=30", "min_split=20", "min_leaf=7"},
			"random_state=0, max_depth=30, min_samples_split=20, min_samples_leaf=7",
			"minsplit=20, minbucket=7, cp=0, xval=0, maxcompete=0, maxsurrogate=0, maxdepth=30"},
		{"adult", "adult with categories, nodes of at least 20 rows split into leaves of at least 7", shipped("adult/adult-train.csv.gz"), "income",
			[]string{"prune=none", "depth=30", "min_split=20", "min_leaf=7"}, "",
			"minsplit=20, minbucket=7, cp=0, xval=0, maxcompete=0, maxsurrogate=0, maxdepth=30"},
		{"letter", "letters, 20,000 x 16, 26 classes, full depth", shipped("letter/letter.csv.gz"),
			"lettr", []string{"prune=none"}, "random_state=0", ""},
		{"entropy", "the same by entropy", shipped("letter/letter.csv.gz"), "lettr",
			[]string{"prune=none", "criterion=entropy"},
			"random_state=0, criterion='entropy'", ""},
	}
}

// higgs returns a maker of the first rows and columns of the higgs-like table.
func higgs(rows, columns int) func(dir string) (string, error) {
	return func(dir string) (string, error) {
		path := filepath.Join(dir, fmt.Sprintf("higgs-%d-%d.csv", rows, columns))
		if _, err := os.Stat(path); err == nil {
			return path, nil
		}
		f, err := os.Create(path)
		if err != nil {
			return "", err
		}
		_, err = recipe.Tables()[0].WriteColumns(f, 0, rows, columns)
		return path, errors.Join(err, f.Close())
	}
}

func main() {
	rounds := flag.Int("rounds", 5, "rounds of runs")
	python := flag.String("python", "/usr/bin/python3", "Python that has scikit-learn and pandas")
	r := flag.String("r", "Rscript", "R that has rpart")
	data := flag.String("data", "../testdata", "folder of adult and letter")
	child := flag.String("child", "", "train on this file once and report (what this program "+
		"runs itself with)")
	label := flag.String("label", "", "with -child: the label")
	set := flag.String("set", "", "with -child: parameters, separated by blanks")
	flag.Parse()
	var err error
	if *child != "" {
		err = train(*child, *label, strings.Fields(*set))
	} else {
		err = compare(*data, *python, *r, *rounds, flag.Args())
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "trees:", err)
		os.Exit(1)
	}
}

func compare(data, python, r string, rounds int, only []string) error {
	dir, err := os.MkdirTemp("", "coppice-bench")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	own, err := os.Executable()
	if err != nil {
		return err
	}
	ctx := context.Background()
	for _, c := range contests(data) {
		if len(only) > 0 && !slices.Contains(only, c.name) {
			continue
		}
		file, err := c.file(dir)
		if err != nil {
			return err
		}
		sides := []pairs.Side{{Name: "coppice",
			Command: []string{own, "-child", file, "-label", c.label, "-set",
				strings.Join(c.set, " ")}}}
		if c.python != "" {
			sides = append(sides, pairs.Side{Name: "sklearn",
				Command: []string{python, "-c", fmt.Sprintf(sklearn, c.python), file, c.label}})
		}
		if c.r != "" {
			sides = append(sides,
				pairs.Side{Name: "rpart",
					Command: []string{r, "-e", fmt.Sprintf(rpart, c.r), file, c.label}})
		}
		fmt.Printf("\n%s: %s\n", c.name, c.about)
		results, err := pairs.Alternate(ctx, sides, rounds, 1)
		if err != nil {
			return err
		}
		pairs.Summarise(sides, results)
	}
	if len(only) == 0 || slices.Contains(only, "scale") {
		return scale(ctx, own, dir, rounds)
	}
	return nil
}

// scale measures the time per row from 250,000 to 4,000,000 rows of ten columns.
func scale(ctx context.Context, own, dir string, rounds int) error {
	fmt.Printf("\nscale: higgs-like, 10 columns, depth 8, nanoseconds per row\n")
	var sides []pairs.Side
	sizes := []int{250_000, 1_000_000, 4_000_000}
	for _, n := range sizes {
		file, err := higgs(n, 10)(dir)
		if err != nil {
			return err
		}
		sides = append(sides, pairs.Side{Name: fmt.Sprint(n),
			Command: []string{own, "-child", file, "-label", "y", "-set", "prune=none depth=8"}})
	}
	results, err := pairs.Alternate(ctx, sides, min(rounds, 3), 1)
	if err != nil {
		return err
	}
	pairs.Summarise(sides, results)
	for i, n := range sizes {
		ns := func(r pairs.Result) float64 { return 1e9 * r.Seconds / float64(n) }
		fmt.Printf("%9d rows: %.0f ns a row, %.2f times the first\n", n,
			pairs.Median(results[i], ns),
			pairs.Median(results[i], ns)/(1e9*pairs.Median(results[0],
				func(r pairs.Result) float64 { return r.Seconds })/float64(sizes[0])))
	}
	return nil
}

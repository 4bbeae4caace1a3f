//go:build linux

// Package trees is the case of growing single trees beside scikit-learn and rpart, one thread each,
// and of how the cost grows with the rows.
package trees

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/coppice-ml/coppice/tools/bench/pairs"
	"github.com/coppice-ml/coppice/tools/bench/tables/recipe"
)

// Case times the fit alone, preparation (sorting) included, reading the table not.
var Case = pairs.Case{Name: "trees", About: "growing single trees beside scikit-learn and rpart",
	Example: "full depth8 scale", Takes: "rounds quick busy python r data earlier",
	Set: func(r *pairs.Run) func(context.Context) error {
		r.Rounds = 5
		r.Job("train", 2, func(a []string) (*pairs.Result, error) { return train(a[0], a[1], a[2:]) })
		return func(ctx context.Context) error { return compare(ctx, r) }
	}}

// contest is a table, the settings that all sides grow with, and the sides.
type contest struct {
	name, about string
	file        func(dir string) (string, error)
	label       string
	set         []string // of cart
	python      string   // arguments of scikit-learn's tree; "" = does not compete
	r           string   // control of rpart; "" = does not compete
}

func contests(r *pairs.Run) []contest {
	shipped := func(name string) func(string) (string, error) {
		return func(string) (string, error) { return filepath.Join(r.Data, name), nil }
	}
	rows := 100_000
	if r.Quick {
		rows = 1000
	}
	return []contest{
		{"full", "higgs-like 100,000 x 28, full depth", higgs(rows, 28), "y",
			[]string{"prune=none"}, "random_state=0", ""},
		{"depth8", "the same, depth 8", higgs(rows, 28), "y", []string{"prune=none", "depth=8"},
			"random_state=0, max_depth=8",
			"minsplit=2, minbucket=1, cp=0, xval=0, maxcompete=0, maxsurrogate=0, maxdepth=8"},
		{"split20", "the same, full depth with nodes of at least 20 rows split into leaves of at " +
			"least 7", higgs(rows, 28), "y",
			[]string{"prune=none", "depth=30", "min_split=20", "min_leaf=7"},
			"random_state=0, max_depth=30, min_samples_split=20, min_samples_leaf=7",
			"minsplit=20, minbucket=7, cp=0, xval=0, maxcompete=0, maxsurrogate=0, maxdepth=30"},
		{"adult", "adult with categories, nodes of at least 20 rows split into leaves of at " +
			"least 7", shipped("adult/adult-train.csv.gz"), "income",
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
		_, err = recipe.ByName("higgs").WriteColumns(f, 0, rows, columns)
		return path, errors.Join(err, f.Close())
	}
}

func compare(ctx context.Context, r *pairs.Run) error {
	all := contests(r)
	names := []string{}
	for _, c := range all {
		names = append(names, c.name)
	}
	chosen, err := r.Chosen(append(names, "scale")...)
	if err != nil {
		return err
	}
	for _, c := range all {
		if !slices.Contains(chosen, c.name) {
			continue
		}
		file, err := c.file(r.Scratch)
		if err != nil {
			return err
		}
		sides := []pairs.Side{r.Own("coppice", "train", append([]string{file, c.label}, c.set...)...)}
		for _, peer := range []struct{ name, program, text, arguments string }{
			{"sklearn", r.Python, sklearn, c.python}, {"rpart", r.R, rpart, c.r}} {
			if peer.arguments == "" {
				continue
			}
			script, err := r.Write(peer.name, fmt.Sprintf(peer.text, peer.arguments))
			if err != nil {
				return err
			}
			sides = append(sides, r.Peer(peer.name, peer.program, script, file, c.label))
		}
		if err := print(ctx, r, c.name+": "+c.about, sides); err != nil {
			return err
		}
	}
	if slices.Contains(chosen, "scale") {
		return scale(ctx, r)
	}
	return nil
}

// print runs the sides and prints their report.
func print(ctx context.Context, r *pairs.Run, title string, sides []pairs.Side,
	more ...pairs.Column) error {
	sides, results, err := r.Alternate(ctx, sides, 1)
	if err != nil {
		return err
	}
	fmt.Printf("\n### %s\n\n", title)
	pairs.PrintTable(sides, results, append([]pairs.Column{pairs.Seconds(), pairs.TimesOurs(),
		pairs.Peak(), pairs.Fact("leaves", "leaves", "%.0f"), pairs.Fact("error", "error", "%.4f")},
		more...)...)
	return nil
}

// scale measures the time per row from 250,000 to 4,000,000 rows of ten columns.
func scale(ctx context.Context, r *pairs.Run) error {
	var sides []pairs.Side
	for _, n := range []int{250_000, 1_000_000, 4_000_000} {
		if r.Quick {
			n /= 1000
		}
		file, err := higgs(n, 10)(r.Scratch)
		if err != nil {
			return err
		}
		sides = append(sides, r.Own(fmt.Sprint(n), "train", file, "y", "prune=none", "depth=8"))
	}
	row := func(r pairs.Result) float64 { return 1e9 * r.Seconds / r.Facts["rows"] }
	return print(ctx, r, "scale: higgs-like, 10 columns, depth 8, by rows", sides,
		pairs.Figure("ns a row", "%.0f", row), pairs.Times("of a row, times the first", row))
}

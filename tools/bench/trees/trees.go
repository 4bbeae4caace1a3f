//go:build linux

// Package trees is the case of growing single trees beside scikit-learn and rpart, one thread each,
// and of how the cost grows with the rows.
package trees

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/tools/bench/exchange"
	"github.com/coppice-ml/coppice/tools/bench/pairs"
	"github.com/coppice-ml/coppice/tools/bench/tables/recipe"
	"github.com/coppice-ml/coppice/tools/bench/traintest"
)

// Case times the fit alone, preparation (sorting) included, reading the table not.
var Case = pairs.Case{Name: "trees", About: "growing single trees beside scikit-learn and rpart",
	Example: "full depth8 scale", Takes: "rounds quick busy python r data earlier",
	Set: func(r *pairs.Run) func(context.Context) error {
		r.Rounds = 5
		r.Job("fit", 3, traintest.Fit)
		return func(ctx context.Context) error { return compare(ctx, r) }
	}}

// contest is a table, the settings that all sides grow with, and the sides.
type contest struct {
	name, about string
	table       func() (*traintest.Table, error)
	set         []string // of cart
	python      string   // arguments of scikit-learn's tree; "" = does not compete
	r           string   // control of rpart; "" = does not compete
}

// The controls of rpart of 20 rows in a node that is split and 7 in a leaf.
const rpart20 = "minsplit=20, minbucket=7, cp=0, xval=0, maxcompete=0, maxsurrogate=0, maxdepth=30"

func contests(r *pairs.Run) []contest {
	rows := 100_000
	if r.Quick {
		rows = 1000
	}
	table, letters := higgs(rows, 28), func() (*traintest.Table, error) {
		t, err := traintest.Letters(r.Data)
		return whole(t, true), err
	}
	adult := func() (*traintest.Table, error) {
		t, err := traintest.Adult(r.Data)
		return whole(t, false), err
	}
	min20 := []string{"prune=none", "depth=30", "min_split=20", "min_leaf=7"}
	return []contest{
		{"full", "higgs-like 100,000 x 28, full depth", table, []string{"prune=none"}, "random_state=0",
			""},
		{"depth8", "the same, depth 8", table, []string{"prune=none", "depth=8"},
			"random_state=0, max_depth=8",
			"minsplit=2, minbucket=1, cp=0, xval=0, maxcompete=0, maxsurrogate=0, maxdepth=8"},
		{"split20", "the same, full depth with nodes of at least 20 rows split into leaves of at " +
			"least 7", table, min20,
			"random_state=0, max_depth=30, min_samples_split=20, min_samples_leaf=7", rpart20},
		{"adult", "adult with categories, nodes of at least 20 rows split into leaves of at " +
			"least 7", adult, min20, "", rpart20},
		{"letter", "letters, 20,000 x 16, 26 classes, full depth", letters, []string{"prune=none"},
			"random_state=0", ""},
		{"entropy", "the same by entropy", letters, []string{"prune=none", "criterion=entropy"},
			"random_state=0, criterion='entropy'", ""},
	}
}

// whole leaves a table without rows to test on, which may be trained on too.
func whole(t *traintest.Table, both bool) *traintest.Table {
	if t == nil {
		return nil
	}
	if both {
		t.Train = append(t.Train, t.Test...)
	}
	t.Test = nil
	return t
}

// higgs returns a maker of the first rows and columns of the higgs-like table.
func higgs(rows, columns int) func() (*traintest.Table, error) {
	return func() (*traintest.Table, error) {
		ds, err := recipe.ByName("higgs").Dataset(0, rows, columns)
		if err != nil {
			return nil, err
		}
		return &traintest.Table{Dataset: ds, Train: data.AllRows(rows)}, nil
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
		path := filepath.Join(r.Scratch, c.name)
		if _, err := traintest.Make(c.table, 0, path); err != nil {
			return err
		}
		sides := []pairs.Side{traintest.Side(r, path, 1, "cart", c.set...)}
		for _, peer := range []struct{ name, program, text, arguments string }{
			{"sklearn", r.Python, exchange.Python + sklearn, c.python},
			{"rpart", r.R, exchange.R + rpart, c.r}} {
			if peer.arguments == "" {
				continue
			}
			script, err := r.Write(peer.name, peer.text)
			if err != nil {
				return err
			}
			sides = append(sides, r.Peer(peer.name, peer.program, script, path+"-train",
				peer.arguments))
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
		pairs.Peak(), pairs.Fact("leaves", "leaves", "%.0f"), pairs.Fact("training error", "training", "%.4f")},
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
		path := filepath.Join(r.Scratch, fmt.Sprint(n))
		if _, err := traintest.Make(higgs(n, 10), 0, path); err != nil {
			return err
		}
		side := traintest.Side(r, path, 1, "cart", "prune=none", "depth=8")
		side.Name = fmt.Sprint(n)
		sides = append(sides, side)
	}
	row := func(r pairs.Result) float64 { return 1e9 * r.Seconds / r.Facts["rows"] }
	return print(ctx, r, "scale: higgs-like, 10 columns, depth 8, by rows", sides,
		pairs.Figure("ns a row", "%.0f", row), pairs.Times("of a row, times the first", row))
}

// The programs of the peers, which are run as PROGRAM TABLE ARGUMENTS: those of scikit-learn's
// tree, or the control of rpart.
const (
	sklearn = `
from sklearn.tree import DecisionTreeClassifier
x, _, y, _ = table(sys.argv[1])
tree = DecisionTreeClassifier(**eval("dict(%s)" % sys.argv[2]))
start = time.perf_counter()
tree.fit(x, y)
seconds = time.perf_counter() - start
print_result(seconds, leaves=tree.get_n_leaves(), training=1 - float(tree.score(x, y)))
`
	rpart = `
library(rpart)
arguments <- commandArgs(trailingOnly = TRUE)
t <- table_of(arguments[1])
frame <- cbind(as.data.frame(features(t$x, t$levels)), label_ = t$y)
control <- eval(parse(text = sprintf("rpart.control(%s)", arguments[2])))
start <- proc.time()[["elapsed"]]
tree <- rpart(label_ ~ ., frame, method = "class", control = control)
seconds <- proc.time()[["elapsed"]] - start
wrong <- mean(predict(tree, frame, type = "class") != frame$label_)
cat(sprintf('{"version": "rpart %s", "seconds": %f, "facts": {"leaves": %d, "training": %f}}',
    packageVersion("rpart"), seconds, sum(tree$frame$var == "<leaf>"), wrong))
`
)

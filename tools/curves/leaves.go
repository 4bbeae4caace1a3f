package main

import (
	"context"
	"fmt"
	"io"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/trial"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/report/plot"
)

// leavesSize is how much is trained.
type leavesSize struct {
	leaves []int // of a tree
	trees  int   // of the forest
	splits int   // into rows to train on and to test on
	rows   int   // to train on, 0 = two thirds of all
}

var allLeaves = leavesSize{leaves: []int{2, 3, 5, 8, 12, 17, 25, 40, 60, 100, 160, 250, 400}, trees: 100,
	splits: 10}

// The columns of what is evaluated of each number of leaves on each split, all fractions of rows
// that are wrong.
const (
	treeTraining = iota
	treeTest
	forestTraining
	forestTest
	leavesEvaluations
)

type leavesResult struct {
	leavesSize
	mean, bar [][]float64 // by metric and number of leaves
}

// runLeaves finds how training and test error change with the size of trees. A growing single tree
// memorises the training rows, and from some size on its test error rises. That of a forest does
// not rise, although its trees memorise as much.
func runLeaves(ctx context.Context, s leavesSize) (*leavesResult, error) {
	ds, err := readTable(ctx, "spambase/spambase.csv", "spam")
	if err != nil {
		return nil, err
	}
	found := make([][][]float64, leavesEvaluations) // by metric, split and number of leaves
	for split := range s.splits {
		for m := range found {
			found[m] = append(found[m], nil)
		}
		for _, leaves := range s.leaves {
			errors, err := evaluateLeaves(ctx, ds, s, leaves, uint64(split))
			if err != nil {
				return nil, err
			}
			for m := range found {
				found[m][split] = append(found[m][split], errors[m])
			}
		}
	}
	r := &leavesResult{leavesSize: s}
	for _, splits := range found {
		mean, bar := trial.Means(splits)
		r.mean, r.bar = append(r.mean, mean), append(r.bar, bar)
	}
	return r, nil
}

// evaluateLeaves trains a tree and a forest of trees with so many leaves, those of the largest
// gain, and returns their errors.
func evaluateLeaves(
	ctx context.Context, ds *data.Dataset, s leavesSize, leaves int, seed uint64,
) ([]float64, error) {
	training, test, err := splitRows(ds, s.rows, seed)
	if err != nil {
		return nil, err
	}
	var errors []float64
	for _, l := range [][]string{
		{"cart", "prune=none"},
		{"forest", fmt.Sprint("trees=", s.trees), "vote=probability", "node_size=1",
			"importance=none"},
	} {
		m, err := fit(ctx, ds, learn.Job{Rows: training, Seed: seed}, l[0],
			append(l[1:], fmt.Sprint("leaves=", leaves))...)
		if err != nil {
			return nil, err
		}
		for _, rows := range [][]int32{training, test} {
			wrong, err := errorRate(m, ds, rows)
			if err != nil {
				return nil, err
			}
			errors = append(errors, wrong)
		}
	}
	return errors, nil
}

func (r *leavesResult) Print(out io.Writer) {
	w := newTable(out)
	fmt.Fprintln(w, "leaves\ttree: training error %\t+-\ttest error %\t+-\tforest: training "+
		"error %\t+-\ttest error %\t+-\t")
	for i, n := range r.leaves {
		fmt.Fprintf(w, "%d\t", n)
		for m := range leavesEvaluations {
			fmt.Fprintf(w, "%.2f\t%.2f\t", 100*r.mean[m][i], 100*r.bar[m][i])
		}
		fmt.Fprintln(w)
	}
	w.Flush()
}

func (r *leavesResult) Figure() *plot.Figure {
	chart := plot.Chart{X: plot.Scale{Label: "leaves of each tree", Log: true},
		Y: plot.Scale{Label: "error, % of the rows", Zero: true}}
	for m, c := range [leavesEvaluations]plot.Curve{
		treeTraining: {Name: "tree, training error", Style: plot.Dashes},
		treeTest:     {Name: "tree, test error", Style: plot.LineMarks},
		forestTraining: {Name: fmt.Sprintf("forest of %d, training error", r.trees),
			Style: plot.Dashes, Colour: 1},
		forestTest: {Name: fmt.Sprintf("forest of %d, test error", r.trees),
			Style: plot.LineMarks, Colour: 1},
	} {
		c.X = trial.Floats(r.leaves)
		for i := range c.X {
			c.Y, c.Bar = append(c.Y, 100*r.mean[m][i]), append(c.Bar, 100*r.bar[m][i])
		}
		chart.Curves = append(chart.Curves, c)
	}
	return &plot.Figure{Title: "Errors against the size of the trees",
		Subtitle: "Both memorise the training rows. This raises the test error of the single " +
			"tree, but not that of the forest.",
		Notes: []string{fmt.Sprintf("Spambase, means over %d random splits into two thirds to "+
			"train on and one third to test on, with standard errors.", r.splits)},
		Charts: []plot.Chart{chart}}
}

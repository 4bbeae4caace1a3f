package main

import (
	"context"
	"fmt"
	"io"
	"math"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/trial"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/forest"
	"github.com/coppice-ml/coppice/report/plot"
)

// outOfBagSize is how much is simulated.
type outOfBagSize struct {
	single  int // trees of each number of rows
	forests int // whose rows are followed from tree to tree
	rows    int // of each of them
	trees   int
}

var allOutOfBag = outOfBagSize{single: 1000, forests: 20, rows: 10_000, trees: 25}

var bagSizes = []int{2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000}

type outOfBagResult struct {
	outOfBagSize
	// by entry of sizes: rows out of the bag of a tree, with the standard error
	fraction, bar []float64
	// rows never out of the bag after each tree of a forest, with the standard error
	never, neverBar []float64
}

// missed returns the probability that a bootstrap sample of n rows misses one of them.
func missed(n int) float64 {
	p := 1.0
	for range n {
		p *= 1 - 1/float64(n)
	}
	return p
}

// neverOut returns how many rows are in the bags of all of some trees, on the average.
func (r *outOfBagResult) neverOut(trees int) float64 {
	left := float64(r.rows)
	for range trees {
		left *= 1 - missed(r.rows)
	}
	return left
}

// runOutOfBag counts the rows that bootstrap samples leave out: each tree misses a row with
// probability (1 - 1/n)^n, which tends to 1/e = 36.8 %. So after B trees a fraction of
// (1 - (1 - 1/n)^n)^B of the rows was never out of the bag and has no out-of-bag prediction.
func runOutOfBag(ctx context.Context, s outOfBagSize) (*outOfBagResult, error) {
	r := &outOfBagResult{outOfBagSize: s}
	for _, n := range bagSizes {
		var probabilities []float64
		for tree := range s.single {
			out, err := outOfBag(ctx, n, 1, uint64(tree))
			if err != nil {
				return nil, err
			}
			probabilities = append(probabilities, float64(out[0])/float64(n))
		}
		mean, se := trial.Mean(probabilities)
		r.fraction, r.bar = append(r.fraction, mean), append(r.bar, se)
	}
	never := make([][]float64, s.forests)
	for forest := range never {
		out, err := outOfBag(ctx, s.rows, s.trees, uint64(forest))
		if err != nil {
			return nil, err
		}
		for _, n := range out {
			never[forest] = append(never[forest], float64(s.rows-n))
		}
	}
	r.never, r.neverBar = trial.Means(never)
	return r, nil
}

// outOfBag trains a forest on n rows, and returns how many of them were out of at least one bag
// after each tree. The trees do not matter: they are single leaves of a table without information.
func outOfBag(ctx context.Context, n, trees int, seed uint64) ([]int, error) {
	f, err := data.FromColumns(data.NamedColumn{Name: "x", Values: make([]float64, n)})
	if err != nil {
		return nil, err
	}
	ds := &data.Dataset{Frame: f, Target: data.Target{Task: data.Regression,
		Y: [][]float64{make([]float64, n)}}}
	l := forest.New()
	l.Trees, l.Importance = trees, "none"
	// coppice.Train would also evaluate the predictions out of the bag, with intervals.
	m, err := learn.Env{}.Train(ctx, l, ds, learn.Job{Seed: seed, Workers: 1})
	if err != nil {
		return nil, err
	}
	var found forest.Summary
	if err := learn.ReadSummary(m, &found); err != nil {
		return nil, err
	}
	out := make([]int, trees)
	// has a point for each of the first 64 trees, once a row is out
	for i, after := range found.OutOfBag.Curve.Members {
		out[after-1] = found.OutOfBag.Curve.Rows[i]
	}
	return out, nil
}

func (r *outOfBagResult) Print(out io.Writer) {
	w := newTable(out)
	fmt.Fprintln(w, "rows n\tshare out of a tree's bag\t+-\t(1 - 1/n)^n\t")
	for i, n := range bagSizes {
		fmt.Fprintf(w, "%d\t%.4f\t%.4f\t%.4f\t\n", n, r.fraction[i], r.bar[i], missed(n))
	}
	fmt.Fprintf(w, "limit\t\t\t%.4f\t\n", 1/math.E)
	w.Flush()
	fmt.Fprintln(out)
	fmt.Fprintf(w, "trees B\tof %d rows never out of the bag\t+-\texpected\t\n", r.rows)
	for i, never := range r.never {
		fmt.Fprintf(w, "%d\t%.2f\t%.2f\t%.2f\t\n", i+1, never, r.neverBar[i], r.neverOut(i+1))
	}
	w.Flush()
}

func (r *outOfBagResult) Figure() *plot.Figure {
	fraction := plot.Chart{X: plot.Scale{Label: "n, rows of the table", Log: true},
		Y: plot.Scale{Label: "fraction of the rows out of a tree's bag", Zero: true}}
	var formula []float64
	for _, n := range bagSizes {
		formula = append(formula, missed(n))
	}
	places := trial.Floats(bagSizes)
	fraction.Curves = []plot.Curve{
		{Name: "1/e = 0.368", X: []float64{places[0], places[len(places)-1]},
			Y: []float64{1 / math.E, 1 / math.E}, Style: plot.Dashes, Colour: 7},
		{Name: "(1 − 1/n)ⁿ", X: places, Y: formula},
		{Name: "simulated", X: places, Y: r.fraction, Style: plot.Marks, Colour: 1},
	}
	never := plot.Chart{X: plot.Scale{Label: "B, trees"},
		Y: plot.Scale{Label: fmt.Sprintf("of %d rows, those never out of the bag", r.rows),
			Log: true}}
	line := plot.Curve{Name: "n (1 − (1 − 1/n)ⁿ)ᴮ"}
	marks := plot.Curve{Name: "simulated", Style: plot.Marks, Colour: 1}
	for i, n := range r.never {
		if want := r.neverOut(i + 1); n >= 1 && want >= 1 {
			marks.X, marks.Y = append(marks.X, float64(i+1)), append(marks.Y, n)
			line.X, line.Y = append(line.X, float64(i+1)), append(line.Y, want)
		}
	}
	never.Curves = []plot.Curve{line, marks}
	return &plot.Figure{Title: "Rows out of the bag",
		Subtitle: "A bootstrap sample misses 36.8 % of the rows, so after some twenty trees " +
			"nearly every row has been out of a bag.",
		Charts: []plot.Chart{fraction, never}}
}

// Command regression compares single trees, bagged trees and random forests where the truth is known: one column, a curve, and
// noise of variance 0.70, which is the risk (the expected squared error) of the curve itself: the Bayes risk. Beside the
// risks stand those that a lecture printed for a curve and a number of rows that it did not print.
package main

import (
	"context"
	"fmt"
	"io"
	"slices"

	"github.com/coppice-ml/coppice/examples/experiment"
	"github.com/coppice-ml/coppice/lab/trial"
	"github.com/coppice-ml/coppice/report/plot"
)

func main() {
	experiment.Main("regression", func(ctx context.Context) (experiment.Result, error) { return run(ctx, full) })
}

// size says how much is simulated.
type size struct {
	replicates int // training sets
	seed       uint64
}

var full = size{replicates: 100, seed: 1}

// method is a learner with its settings.
type method struct {
	name     string
	learner  string
	settings []string
	trees    []int           // sizes of which the risk is measured
	printed  map[int]float64 // by the lecture, for a size
}

var counts = []int{1, 2, 5, 10, 20, 50, 100}

// The methods, in the order of the table.
const (
	deepTree = iota
	prunedTree
	bagged
	forest30
	forest5
	forest3

	truthColour = 7
)

// With one column all nodes look at it: what tells a forest from bagged trees is the depth.
func methods() []method {
	return []method{
		deepTree:   {"full tree", "cart", []string{"prune=none"}, []int{1}, nil},
		prunedTree: {"pruned tree", "cart", []string{"prune=cv"}, []int{1}, nil},
		bagged: {"bagged trees", "bag", []string{"base=cart", "members=100"}, counts,
			map[int]float64{1: 1.22, 10: 0.909, 20: 0.939, 50: 0.895, 100: 0.881}},
		forest30: {"forest of depth 30", "forest", []string{"depth=30", "node_size=1", "trees=100"}, counts, map[int]float64{1: 1.26}},
		forest5:  {"forest of depth 5", "forest", []string{"depth=5", "node_size=1", "trees=100"}, counts, map[int]float64{20: 0.809}},
		forest3: {"forest of depth 3", "forest", []string{"depth=3", "node_size=1", "trees=100"}, counts,
			map[int]float64{1: 0.964, 10: 0.754, 50: 0.753}},
	}
}

// contender is a method with a number of trees.
type contender struct{ method, trees int }

// order is what the lecture's risks say, the largest first. It has more of 20 bagged trees than of 10, but its risks are those
// of single runs.
var order = []contender{{bagged, 1}, {forest3, 1}, {bagged, 10}, {bagged, 20}, {bagged, 50}, {bagged, 100}, {forest5, 20}, {forest3, 10}, {forest3, 50}}

// risks are those of a method over the replicates.
type risks struct {
	method
	replicates [][]float64 // by replicate, and entry of trees
	mean, bar  []float64   // by entry of trees
}

// of returns the risks with a number of trees.
func (r *risks) of(trees int) []float64 {
	var all []float64
	for _, replicate := range r.replicates {
		all = append(all, replicate[slices.Index(r.trees, trees)])
	}
	return all
}

type result struct {
	size
	risks []risks
	shown *plot.Chart
}

func run(ctx context.Context, s size) (*result, error) {
	r := &result{size: s}
	for _, m := range methods() {
		found := risks{method: m}
		for number := range s.replicates {
			replicate, err := m.risksOn(ctx, s.seed, uint64(number))
			if err != nil {
				return nil, err
			}
			found.replicates = append(found.replicates, replicate)
		}
		found.mean, found.bar = trial.Means(found.replicates)
		r.risks = append(r.risks, found)
	}
	var err error
	r.shown, err = show(ctx, s.seed)
	return r, err
}

// step compares the neighbours at i and i+1 of order: by how much the risk falls, its standard error, and the share of
// replicates where it falls.
func (r *result) step(i int) (fall, bar, share float64) {
	a, b := order[i], order[i+1]
	larger, smaller := r.risks[a.method].of(a.trees), r.risks[b.method].of(b.trees)
	falls := make([]float64, len(larger))
	for k := range falls {
		if falls[k] = larger[k] - smaller[k]; falls[k] > 0 {
			share += 1 / float64(len(falls))
		}
	}
	fall, bar = trial.Mean(falls)
	return fall, bar, share
}

func (r *result) Print(out io.Writer) {
	w := experiment.Table(out)
	fmt.Fprintln(w, "\ttrees\trisk\t+-\tthe lecture's\t")
	for _, m := range r.risks {
		for i, trees := range m.trees {
			printed := ""
			if v, ok := m.printed[trees]; ok {
				printed = fmt.Sprintf("%.3f", v)
			}
			fmt.Fprintf(w, "%s\t%d\t%.3f\t%.3f\t%s\t\n", m.name, trees, m.mean[i], m.bar[i], printed)
		}
	}
	fmt.Fprintf(w, "Bayes\t\t%.3f\t\t%.3f\t\n", bayes, bayes)
	w.Flush()
	fmt.Fprintln(out)
	fmt.Fprintln(w, "larger risk\tsmaller risk\tdifference\t+-\tof the replicates\t")
	for i := range order[1:] {
		fall, bar, share := r.step(i)
		fmt.Fprintf(w, "%s\t%s\t%.4f\t%.4f\t%.0f %%\t\n", r.name(order[i]), r.name(order[i+1]), fall, bar, 100*share)
	}
	w.Flush()
}

func (r *result) name(c contender) string {
	return fmt.Sprintf("%s, %d", r.risks[c.method].method.name, c.trees)
}

func (r *result) Figure() *plot.Figure {
	risk := plot.Chart{X: plot.Scale{Label: "trees", Log: true}, Y: plot.Scale{Label: fmt.Sprintf("risk, mean of %d training sets", r.replicates)}}
	ends := []float64{1, float64(counts[len(counts)-1])}
	for i, m := range r.risks {
		switch {
		case i == forest30: // the same trees as those that are bagged
			continue
		case len(m.trees) == 1: // a line all along
			risk.Curves = append(risk.Curves, plot.Curve{Name: m.name, X: ends, Y: []float64{m.mean[0], m.mean[0]}, Style: plot.Dashes, Colour: i})
			continue
		}
		risk.Curves = append(risk.Curves, plot.Curve{Name: m.name, X: trial.Floats(m.trees), Y: m.mean, Bar: m.bar, Style: plot.LineMarks, Colour: i})
	}
	risk.Curves = append(risk.Curves, plot.Curve{Name: "Bayes risk", X: ends, Y: []float64{bayes, bayes}, Colour: truthColour})
	return &plot.Figure{Title: "Regression on one column",
		Subtitle: "A deep tree follows the noise. Averaging takes most of that away; short trees have less of it to begin with.",
		Charts:   []plot.Chart{*r.shown, risk}}
}

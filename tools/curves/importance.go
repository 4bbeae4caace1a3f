package main

import (
	"context"
	"fmt"
	"io"

	"github.com/coppice-ml/coppice/internal/trial"
	"github.com/coppice-ml/coppice/report/plot"
)

// importanceSize is how much is simulated.
type importanceSize struct {
	replicates int // tables
	rows       int
	trees      int
	seed       uint64
}

var allImportance = importanceSize{replicates: 1000, rows: 500, trees: 100, seed: 1}

var (
	// of the noise columns; one of numbers comes last
	categories = []int{2, 5, 10, 20, 50, 100, 200, 500}
	// The last kind is impurity in forests that look for the best sets of categories in columns of
	// up to 32 only, as they do by default; in those of the others, sets are looked for in all
	// columns.
	kinds = []string{"impurity", "corrected", "permutation", "impurity, sets of 32"}
	units = []string{"", "", ", %", ""} // permutation makes more rows wrong
)

// limited is the index of the last kind.
const limited = 3

// effect is how far the informative column moves the probability of the second class, up
// or down from one half.
const effect = 0.2

type importanceResult struct {
	importanceSize
	// noiseImportances of the noise columns, and half of the 95 % intervals of these means over the
	// replicates; by kind and column
	mean, half [][]float64
	// by kind: fraction of the replicates where the informative column is the most important
	// one
	found []float64
}

// runImportance finds which importances are unbiased. Columns of 2 to 500 categories and one of
// numbers are sampled at random, as is the label: no column has information on it. Impurity
// importance calls columns important that have many values to split by; its corrected form and
// permutation out of the bag are centred on zero. Then a column of two categories does have some
// information on the label, and each importance has to find it among the others.
func runImportance(ctx context.Context, s importanceSize) (*importanceResult, error) {
	r := &importanceResult{importanceSize: s, found: make([]float64, len(kinds))}
	noise := make([][][]float64, len(kinds)) // by kind, replicate and column
	for number := range s.replicates {
		plain, err := noiseImportances(ctx, s, uint64(number), 0)
		if err != nil {
			return nil, err
		}
		informative, err := noiseImportances(ctx, s, uint64(number), effect)
		if err != nil {
			return nil, err
		}
		for k := range kinds {
			noise[k] = append(noise[k], plain[k][1:])
			if mostImportant(informative[k]) == 0 {
				r.found[k] += 1 / float64(s.replicates)
			}
		}
	}
	for _, replicates := range noise {
		mean, half := trial.Means(replicates)
		for c := range half {
			half[c] *= 1.96
		}
		r.mean, r.half = append(r.mean, mean), append(r.half, half)
	}
	return r, nil
}

// mostImportant returns the column of the largest importance.
func mostImportant(noiseImportances []float64) int {
	best := 0
	for c, v := range noiseImportances {
		if v > noiseImportances[best] {
			best = c
		}
	}
	return best
}

// noiseName names a noise column.
func noiseName(column int) string {
	if column == len(categories) {
		return "numbers"
	}
	return fmt.Sprintf("%d categories", categories[column])
}

func (r *importanceResult) Print(out io.Writer) {
	w := newTable(out)
	fmt.Fprint(w, "noise column\t")
	for k, kind := range kinds {
		fmt.Fprintf(w, "%s%s\t95 %% interval\t", kind, units[k])
	}
	fmt.Fprintln(w)
	for c := range len(categories) + 1 {
		fmt.Fprintf(w, "%s\t", noiseName(c))
		for k := range kinds {
			mean, half := r.mean[k][c], r.half[k][c]
			fmt.Fprintf(w, "%.4f\t%.4f to %.4f\t", mean, mean-half, mean+half)
		}
		fmt.Fprintln(w)
	}
	w.Flush()
	fmt.Fprintln(out)
	fmt.Fprintln(w, "importance\tfinds the informative column\t")
	for k, kind := range kinds {
		fmt.Fprintf(w, "%s\tin %.1f %% of the tables\t\n", kind, 100*r.found[k])
	}
	w.Flush()
}

func (r *importanceResult) Figure() *plot.Figure {
	fig := &plot.Figure{Title: "Importances of uninformative columns",
		Subtitle: "Impurity favours columns of many values. Its corrected form and permutation " +
			"out of the bag are centred on zero.",
		Notes: []string{fmt.Sprintf("Random labels of %d rows, forests of %d trees; means over "+
			"%d tables with their 95 %% intervals. The charts have scales of their own.",
			r.rows, r.trees, r.replicates)}}
	x := trial.Floats(categories)
	last := len(categories)
	for k, label := range []string{"by impurity", "by impurity, corrected",
		"by permutation, in %"} {
		c := plot.Chart{X: plot.Scale{Label: "different values of the column", Log: true},
			Y: plot.Scale{Label: label, Zero: true}}
		c.Curves = append(c.Curves, plot.Curve{X: []float64{x[0], x[last-1]}, Y: []float64{0, 0},
			Style: plot.Dashes, Colour: 7})
		if k == 0 {
			c.Curves = append(c.Curves, plot.Curve{Name: "subset_levels=32, the default", X: x,
				Y: r.mean[limited][:last], Bar: r.half[limited][:last], Style: plot.LineMarks,
				Colour: 2})
		}
		mean, half := r.mean[k], r.half[k]
		c.Curves = append(c.Curves,
			plot.Curve{Name: "categories", X: x, Y: mean[:last], Bar: half[:last],
				Style: plot.LineMarks},
			plot.Curve{Name: "numbers", X: []float64{float64(r.rows)}, Y: mean[last:],
				Bar: half[last:], Style: plot.Marks, Colour: 1})
		fig.Charts = append(fig.Charts, c)
	}
	return fig
}

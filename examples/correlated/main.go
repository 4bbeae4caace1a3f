// Command correlated shows why a forest is better than its trees, and what limits it: a mean of B variables of variance
// s^2 and pairwise correlation rho has variance
//
//	rho s^2 + (1 - rho) s^2 / B
//
// (Hastie, Tibshirani & Friedman 2009, equation 15.1). First the variables are drawn at random, then they are what the trees
// of a forest say of a point when the training rows are drawn anew.
package main

import (
	"context"
	"fmt"
	"io"

	"github.com/coppice-ml/coppice/examples/experiment"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/report/plot"
)

func main() {
	experiment.Main("correlated", func(ctx context.Context) (experiment.Result, error) { return run(ctx, full) })
}

// size says how much is simulated.
type size struct {
	draws int // of the variables
	sets  int // training sets for the forests
	rows  int // of each
	seed  uint64
}

var full = size{draws: 10000, sets: 400, rows: 200, seed: 1}

var (
	counts       = []int{1, 2, 3, 5, 10, 20, 50, 100} // numbers of variables, or of trees
	correlations = []float64{0.9, 0.6, 0.3, 0.1, 0}
	columns      = []int{10, 3, 1} // values of mtry for a table of 10 columns
	most         = counts[len(counts)-1]
)

// result has a curve for each entry of correlations and of columns.
type result struct{ variables, forests []variances }

// variances is the variance of means of correlated variables.
type variances struct {
	single, correlation float64   // s^2 and rho
	measured            []float64 // variance of a mean, by entry of counts
}

// formula returns the variance of a mean of n variables.
func (v *variances) formula(n float64) float64 {
	shared := float64(v.correlation * v.single)
	return shared + (v.single-shared)/n
}

func run(ctx context.Context, s size) (*result, error) {
	r := &result{}
	for i, rho := range correlations {
		r.variables = append(r.variables, drawn(rng.New(s.seed, 0, uint64(i)), s.draws, rho))
	}
	for _, mtry := range columns {
		v, err := grown(ctx, s, mtry)
		if err != nil {
			return nil, err
		}
		r.forests = append(r.forests, v)
	}
	return r, nil
}

func (r *result) Print(out io.Writer) {
	w := experiment.Table(out)
	fmt.Fprint(w, "variance of a mean of B\trho\ts^2\t\t")
	for _, n := range counts {
		fmt.Fprintf(w, "B = %d\t", n)
	}
	fmt.Fprintln(w)
	for i, v := range r.variables {
		v.print(w, fmt.Sprintf("variables, rho = %g", correlations[i]))
	}
	for i, v := range r.forests {
		v.print(w, fmt.Sprintf("trees, mtry = %d", columns[i]))
	}
	w.Flush()
}

func (v *variances) print(w io.Writer, name string) {
	fmt.Fprintf(w, "%s\t%.3f\t%.3f\tmeasured\t", name, v.correlation, v.single)
	for i := range counts {
		fmt.Fprintf(w, "%.4f\t", v.measured[i])
	}
	fmt.Fprint(w, "\n\t\t\tformula\t")
	for _, n := range counts {
		fmt.Fprintf(w, "%.4f\t", v.formula(float64(n)))
	}
	fmt.Fprintln(w)
}

func (r *result) Figure() *plot.Figure {
	fig := &plot.Figure{Title: "What averaging takes away, and what it leaves",
		Subtitle: "Marks are measured, lines are ρs² + (1 − ρ)s²/B. More trees remove the second term; a smaller mtry makes the first one smaller.",
		Charts: []plot.Chart{
			{X: plot.Scale{Label: "B, variables in the mean", Log: true}, Y: plot.Scale{Label: "variance of the mean", Zero: true}},
			{X: plot.Scale{Label: "B, trees in the forest", Log: true}, Y: plot.Scale{Label: "variance of a prediction over training sets", Zero: true}},
		}}
	for i := range r.variables {
		fig.Charts[0].Curves = append(fig.Charts[0].Curves, r.variables[i].curves(i, fmt.Sprintf("ρ = %g", correlations[i]))...)
	}
	for i := range r.forests {
		v := &r.forests[i]
		name := fmt.Sprintf("mtry %d: ρ %.3f, s² %.1f", columns[i], v.correlation, v.single)
		fig.Charts[1].Curves = append(fig.Charts[1].Curves, v.curves(i, name)...)
	}
	return fig
}

func (v *variances) curves(colour int, name string) []plot.Curve {
	line := plot.Curve{Colour: colour}
	for n := 1.0; n <= float64(most); n *= 1.05 {
		line.X, line.Y = append(line.X, n), append(line.Y, v.formula(n))
	}
	return []plot.Curve{line, {Name: name, X: experiment.Floats(counts), Y: v.measured, Style: plot.Marks, Colour: colour}}
}

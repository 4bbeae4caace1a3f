package reproductions

import (
	"context"
	"fmt"
	"math"

	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/internal/trial"
	"github.com/coppice-ml/coppice/report/plot"
)

// averages shows why a forest is better than its trees, and what limits it: a mean of B variables
// of variance s^2 and pairwise correlation rho has variance
//
//	rho s^2 + (1 - rho) s^2 / B
//
// First the variables are sampled at random, then they are what the trees of a forest predict of a
// point when the training rows are sampled again.
var averages = Reproduction{
	Name:   "averages",
	Title:  "Variance of averages of correlated variables",
	Source: "Hastie, Tibshirani & Friedman 2009, equation 15.1",
	Slow:   "30 s",
	run: func(ctx context.Context, env *Env) *Result {
		return averagesOf(ctx, env, averagesSize{samples: 10000, sets: 400, rows: 200, seed: 1})
	},
}

// averagesSize is how much is simulated.
type averagesSize struct {
	samples int // of the variables
	sets    int // training sets for the forests
	rows    int // of each
	seed    uint64
}

var (
	averaged     = []int{1, 2, 3, 5, 10, 20, 50, 100} // numbers of variables, or of trees
	mostAveraged = averaged[len(averaged)-1]
	correlations = []float64{0.9, 0.6, 0.3, 0.1, 0}
	averagesMtry = []int{10, 3, 1} // for a table of 10 columns
)

// averagesFound has a curve for each entry of correlations and of averagesMtry.
type averagesFound struct{ variables, forests []variances }

// variances is the variance of means of correlated variables.
type variances struct {
	single, correlation float64   // s^2 and rho
	observed            []float64 // variance of a mean, by entry of counts
}

// formula returns the variance of a mean of n variables.
func (v *variances) formula(n float64) float64 {
	shared := float64(v.correlation * v.single)
	return shared + (v.single-shared)/n
}

// averagesOf simulates means of sampled variables and of trees, and compares them with the formula.
func averagesOf(ctx context.Context, env *Env, size averagesSize) *Result {
	f := &averagesFound{}
	for i, rho := range correlations {
		f.variables = append(f.variables,
			sampled(rng.New(size.seed, 0, uint64(i)), size.samples, rho))
	}
	for _, mtry := range averagesMtry {
		v := grown(ctx, env, size, mtry)
		f.forests = append(f.forests, v)
	}
	return f.result(size)
}

// result describes what was found. The variance of a sample of m normal variables has a standard
// error of sqrt(2 / (m - 1)) of itself; those of the forests are means over dependent places, for
// which only the error of the few sets is given.
func (f *averagesFound) result(size averagesSize) *Result {
	r := &Result{Text: []string{
		fmt.Sprintf("A mean of B variables of variance s² and pairwise correlation ρ has "+
			"variance ρs² + (1 − ρ)s²/B. More variables remove the second term only. First the "+
			"variables are sampled (%d times). Then they are trees: %d training sets of %d rows "+
			"have forests of %d trees each, whose predictions vary at %d places. Single trees of "+
			"one half of the sets estimate ρ and s², and forests of the other half the variance "+
			"of means.", size.samples, size.sets, size.rows, mostAveraged, averagesPlaces),
		"Fewer columns per node make each tree worse and the forest steadier. (The variance is " +
			"one term of the error: the bias, which grows as mtry falls, is not shown.)",
	}}
	relative := math.Sqrt(2 / float64(size.samples-1))
	for i := range f.variables {
		v := &f.variables[i]
		last := v.observed[len(averaged)-1]
		r.Claims = append(r.Claims, Claim{What: fmt.Sprintf("variance of a mean of %d variables, "+
			"ρ = %g, s² = 1", mostAveraged, correlations[i]),
			Formula: given(v.formula(float64(mostAveraged))), Ours: last, Error: relative * last,
			Digits: 4})
	}
	relative = math.Sqrt(2 / float64(size.sets/2-1))
	for i := range f.forests {
		v := &f.forests[i]
		last := v.observed[len(averaged)-1]
		r.Claims = append(r.Claims, Claim{What: fmt.Sprintf("variance of a forest of %d trees, "+
			"mtry %d (formula at ρ = %.3f, s² = %.2f)", mostAveraged, averagesMtry[i],
			v.correlation, v.single),
			Formula: given(v.formula(float64(mostAveraged))), Ours: last, Error: relative * last,
			Digits: 3})
	}
	t := Numbers{Title: "Variance of a mean of B, by the formula and simulated",
		Columns: []string{"", "ρ", "s²", ""}}
	for _, n := range averaged {
		t.Columns = append(t.Columns, fmt.Sprintf("B = %d", n))
	}
	for i := range f.variables {
		t.Rows = append(t.Rows, f.variables[i].rows("variables")...)
	}
	for i := range f.forests {
		t.Rows = append(t.Rows,
			f.forests[i].rows(fmt.Sprintf("trees, mtry %d", averagesMtry[i]))...)
	}
	r.Tables = []Numbers{t}
	r.Pictures = []Picture{Figure("", f.figure())}
	return r
}

// rows returns the rows of the table: simulated, and by the formula.
func (v *variances) rows(name string) [][]string {
	observed := []string{name, fmt.Sprintf("%.3f", v.correlation), fmt.Sprintf("%.3f", v.single),
		"simulated"}
	formula := []string{"", "", "", "formula"}
	for i, n := range averaged {
		observed = append(observed, fmt.Sprintf("%.4f", v.observed[i]))
		formula = append(formula, fmt.Sprintf("%.4f", v.formula(float64(n))))
	}
	return [][]string{observed, formula}
}

func (f *averagesFound) figure() *plot.Figure {
	fig := &plot.Figure{Title: "What averaging takes away, and what it leaves",
		Subtitle: "Marks are simulated, lines are ρs² + (1 − ρ)s²/B. More trees remove the " +
			"second term; a smaller mtry makes the first one smaller.",
		Charts: []plot.Chart{
			{X: plot.Scale{Label: "B, variables in the mean", Log: true},
				Y: plot.Scale{Label: "variance of the mean", Zero: true}},
			{X: plot.Scale{Label: "B, trees in the forest", Log: true},
				Y: plot.Scale{Label: "variance of a prediction over training sets", Zero: true}},
		}}
	for i := range f.variables {
		fig.Charts[0].Curves = append(fig.Charts[0].Curves,
			f.variables[i].curves(i, fmt.Sprintf("ρ = %g", correlations[i]))...)
	}
	for i := range f.forests {
		v := &f.forests[i]
		name := fmt.Sprintf("mtry %d: ρ %.3f, s² %.1f", averagesMtry[i], v.correlation, v.single)
		fig.Charts[1].Curves = append(fig.Charts[1].Curves, v.curves(i, name)...)
	}
	return fig
}

func (v *variances) curves(colour int, name string) []plot.Curve {
	line := plot.Curve{Colour: colour}
	for n := 1.0; n <= float64(mostAveraged); n *= 1.05 {
		line.X, line.Y = append(line.X, n), append(line.Y, v.formula(n))
	}
	return []plot.Curve{line, {Name: name, X: trial.Floats(averaged), Y: v.observed,
		Style: plot.Marks, Colour: colour}}
}

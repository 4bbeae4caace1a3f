package reproductions

import (
	"context"
	"fmt"
	"math"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/criterion"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/internal/trial"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/report/plot"
)

// spheres boosts stumps where the classes are the inside and the outside of a sphere, which a stump
// tells apart hardly at all.
var spheres = Reproduction{
	Name:  "spheres",
	Title: "Boosted stumps inside and outside of a sphere in ten dimensions",
	Source: "Hastie, Tibshirani & Friedman 2009, equation (10.2) and figure 10.2; the numbers are " +
		"of one training set of 2000 rows and 10,000 test rows",
	Slow: "10 s",
	run: func(ctx context.Context, env *Env) *Result {
		return spheresOf(ctx, env, 10, 2000, 400)
	},
}

// spheresRadius is the median of the squared length of ten normal numbers.
const spheresRadius = 9.34

// spheresMedian computes it, by halving an interval of the chi-squared distribution of ten degrees.
func spheresMedian() float64 {
	low, high := 0.0, 20.0
	for range 60 {
		if m := (low + high) / 2; criterion.GammaTail(5, m/2) > 0.5 {
			low = m
		} else {
			high = m
		}
	}
	return low
}

// spheresVariants are the kinds of AdaBoost that are compared: stumps with a vote of one size, and
// stumps that give probabilities.
var spheresVariants = []string{"discrete", "real"}

// spheresSample draws n points: class 1 lies outside of the sphere.
func spheresSample(n int, seed uint64) *data.Dataset {
	stream := rng.New(seed)
	columns := make([]data.NamedColumn, 10)
	squares := make([]float64, n)
	for k := range columns {
		values := make([]float64, n)
		for i := range values {
			values[i] = trial.Normal(stream)
			squares[i] += float64(values[i] * values[i])
		}
		columns[k] = data.NamedColumn{Name: fmt.Sprint("x", k+1), Values: values}
	}
	class := make([]uint32, n)
	for i, s := range squares {
		if s > spheresRadius {
			class[i] = 1
		}
	}
	frame := must(data.FromColumns(columns...))
	return &data.Dataset{Frame: frame, Target: data.Target{Name: "outside", Task: data.Binary,
		Class: class, Classes: []string{"no", "yes"}}}
}

// spheresOf trains on some training sets of so many rows, and boosts for so many rounds.
func spheresOf(ctx context.Context, env *Env, sets, rows, rounds int) *Result {
	test := spheresSample(10_000, 1000)
	shown := []int{1, 2, 5, 10, 20, 50, 100, 200, rounds}
	// by training set: of a stump, of a full tree, and of the shown rounds of both variants
	var errors [][]float64
	var leaves []float64 // of the full tree, by training set
	for set := range sets {
		ds := spheresSample(rows, uint64(set+1))
		var row []float64
		wrong := func(m model.Model, trees int) {
			row = append(row, 100*errorRate(m, test, data.AllRows(test.Rows()), trees))
		}
		job := learn.Job{Seed: uint64(set + 1), Workers: env.Workers}
		for full, setting := range []string{"depth=1", "depth=0"} {
			m := fit(ctx, ds, job, "cart", "prune=none",
				"criterion=entropy", setting)
			wrong(m, 0)
			if full == 1 {
				leaves = append(leaves, float64(m.(*model.Ensemble).Trees[0].NumLeaves()))
			}
		}
		for _, variant := range spheresVariants {
			m := fit(ctx, ds, job, "adaboost", "variant="+variant,
				fmt.Sprint("rounds=", rounds))
			for _, trees := range shown {
				wrong(m, trees)
			}
		}
		errors = append(errors, row)
	}
	means, bars := trial.Means(errors)
	r := &Result{Text: []string{fmt.Sprintf("Ten columns of standard normal numbers; the class "+
		"says whether the sum of their squares is above %.2f, its median. Means over %d training "+
		"sets of %d rows. The error that follows ± is the standard deviation of a training set, "+
		"as the published numbers are of one.", spheresRadius, sets, rows),
		"The text describes AdaBoost whose stumps vote. The printed error of boosting is that of " +
			"stumps that give probabilities (variant=real); stumps that vote have twice as much. " +
			"Trees grow by entropy, as those of S did, and have fewer leaves than the one in print."}}
	at := []int{0, 1, 1 + 2*len(shown), 1 + len(shown)}
	for i, c := range []struct {
		what      string
		published Print
	}{{"test error of a stump, %", "45.8"}, {"of a full tree, %", "24.7"},
		{fmt.Sprintf("of %d boosted stumps with probabilities, %%", rounds), "5.8"},
		{fmt.Sprintf("of %d boosted stumps that vote, %%", rounds), ""}} {
		r.Claims = append(r.Claims, Claim{What: c.what, Published: c.published, Ours: means[at[i]],
			Error: bars[at[i]] * math.Sqrt(float64(sets)), Digits: 1})
	}
	mean, _ := trial.Mean(leaves)
	r.Claims = append(r.Claims, Claim{What: "leaves of the full tree, a \"244-node\" one",
		Published: "244", Ours: mean, Error: math.Sqrt(trial.Variance(leaves)), Digits: 1},
		Claim{What: "median of the sum of ten squares", Published: "9.34", Ours: spheresMedian(),
			Digits: 4})
	r.Findings = []Finding{{What: "boosted stumps have less error than the full tree",
		Holds: means[at[3]] < means[1], Found: fmt.Sprintf("%.1f %% or %.1f %% against %.1f %%, of "+
			"%v leaves in the last set", means[at[2]], means[at[3]], means[1], leaves[sets-1])}}
	line := func(name string, y float64, colour int) plot.Curve {
		return plot.Curve{Name: name, X: []float64{1, float64(rounds)}, Y: []float64{y, y},
			Style: plot.Dashes, Colour: colour}
	}
	t := Numbers{Title: "Test error by the number of boosted stumps, %",
		Columns: []string{"stumps", "that vote", "± s.e.", "with probabilities", "± s.e."}}
	for i, trees := range shown {
		k := 2 + len(shown) + i
		t.add("%v | %.2f | %.2f | %.2f | %.2f", trees, means[2+i], bars[2+i], means[k], bars[k])
	}
	r.Tables = []Numbers{t}
	r.Pictures = []Picture{Figure("", &plot.Figure{Title: "Inside and outside of a sphere",
		Subtitle: "A stump is little better than chance. Many of them have far less error than a " +
			"full tree.",
		Charts: []plot.Chart{{X: plot.Scale{Label: "stumps", Log: true},
			Y: plot.Scale{Label: "test error, %", Zero: true},
			Curves: []plot.Curve{{Name: "stumps that vote", X: trial.Floats(shown),
				Y: means[2 : 2+len(shown)], Style: plot.LineMarks},
				{Name: "stumps with probabilities", X: trial.Floats(shown),
					Y: means[2+len(shown):], Style: plot.LineMarks, Colour: 3},
				line("one stump", means[0], 1), line("full tree", means[1], 2)}}}})}
	return r
}

package reproductions

import (
	"context"
	"fmt"
	"math"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/kernel"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/adaboost"
	"github.com/coppice-ml/coppice/report/plot"
)

// alpha shows the vote of AdaBoost's members against their error: 0 for a member that guesses, the
// larger the better it is.
var alpha = Reproduction{
	Name:  "alpha",
	Title: "The vote of a member of AdaBoost against its error",
	Source: "Freund & Schapire 1997: alpha = ln((1 - e) / e) / 2; a lecture, which draws " +
		"ln((1 + z) / (1 - z)) / 2 with the edge z = 1 - 2e, without numbers",
	run: alphaOf,
}

// alphaErrors are the errors of one stump, in percent of 100 rows.
var alphaErrors = []int{1, 2, 5, 10, 15, 20, 25, 30, 35, 40, 45, 49}

// alphaText describes the reproduction.
var alphaText = []string{
	"Each vote is that of a model of one round, trained on 100 rows. " +
		"Their column of two values is wrong about some of the labels. The variant " +
		"discrete has half of the logarithm of the odds; samme, the default, has all of it. " +
		"With two classes the factor changes no label. Trees have no error above 1/2: the " +
		"leaves of a stump predict the heavier class, so that it takes its own opposite. " +
		"Another base learner with such an error ends the training.",
	"By formula: ln((1 - e) / e) / 2 for discrete, and twice that for samme.",
}

func alphaOf(ctx context.Context, env *Env) *Result {
	r := &Result{Text: alphaText}
	curves := []plot.Curve{{Name: "ln((1 − e) / e) / 2"},
		{Name: "ln((1 − e) / e)", Style: plot.Dashes, Colour: 1}}
	byEdge := plot.Curve{Name: "ln((1 + z) / (1 − z)) / 2"}
	for e := 0.005; e < 0.996; e += 0.005 {
		v := float64(kernel.Log((1-e)/e) / 2)
		curves[0].X, curves[0].Y = append(curves[0].X, e), append(curves[0].Y, v)
		curves[1].X, curves[1].Y = append(curves[1].X, e), append(curves[1].Y, 2*v)
	}
	for z := -0.99; z < 0.991; z += 0.01 {
		byEdge.X = append(byEdge.X, z)
		byEdge.Y = append(byEdge.Y, kernel.Log((1+z)/(1-z))/2)
	}
	marks := plot.Curve{Name: "one stump, discrete", Style: plot.Marks, Colour: 2}
	edges := marks
	for _, percent := range alphaErrors {
		e := float64(percent) / 100
		for i, variant := range []string{"discrete", "samme"} {
			vote := voteOf(ctx, env, percent, variant)
			if i == 0 {
				marks.X, marks.Y = append(marks.X, e), append(marks.Y, vote)
				edges.X, edges.Y = append(edges.X, 1-2*e), append(edges.Y, vote)
			}
			if i == 0 || percent == 10 || percent == 40 {
				r.Claims = append(r.Claims, Claim{
					What: fmt.Sprintf("vote of a stump with %d of 100 rows wrong, %s", percent,
						variant),
					Formula: given(float64(float64(i+1)*kernel.Log((1-e)/e)) / 2), Ours: vote,
					Digits: 4})
			}
		}
	}
	most := 0.0
	for percent := 51; percent <= 99; percent += 12 { // a stump exchanges its labels
		vote := voteOf(ctx, env, percent, "discrete")
		e := float64(percent) / 100
		most = max(most, math.Abs(vote-float64(kernel.Log(e/(1-e))/2)))
	}
	r.Findings = []Finding{{What: "where a split is wrong about most rows, its opposite is taken",
		Holds: most < 1e-9, Found: "51 to 99 wrong rows of 100 give the votes of 49 to 1"}}
	r.Pictures = []Picture{Figure("", &plot.Figure{Title: "The vote of a member against its error",
		Subtitle: "A better member has a larger vote, without limit. Beyond an error of 1/2 the " +
			"formula is negative: the opposite is the better member.",
		Charts: []plot.Chart{
			{X: plot.Scale{Label: "weighted error e"}, Y: plot.Scale{Label: "vote alpha"},
				Curves: append(curves, marks)},
			{X: plot.Scale{Label: "edge z = 1 − 2e"}, Y: plot.Scale{Label: "vote alpha"},
				Curves: []plot.Curve{byEdge, edges}}}})}
	return r
}

// voteOf returns the vote of a stump whose column is wrong about so many of 100 rows.
func voteOf(ctx context.Context, env *Env, wrong int, variant string) float64 {
	x, class := make([]float64, 100), make([]uint32, 100)
	for i := range x {
		x[i] = float64(i % 2)
		if class[i] = uint32(i % 2); i < wrong {
			class[i] = 1 - class[i]
		}
	}
	f := must(data.FromColumns(data.NamedColumn{Name: "x", Values: x}))
	ds := &data.Dataset{Frame: f, Target: data.Target{Name: "y", Task: data.Binary, Class: class,
		Classes: []string{"-1", "1"}}}
	m := fit(ctx, ds, learn.Job{Workers: env.Workers}, adaboost.Name, "rounds=1",
		"variant="+variant)
	var s adaboost.Summary
	check(learn.ReadSummary(m, &s))
	return s.Weight[0]
}

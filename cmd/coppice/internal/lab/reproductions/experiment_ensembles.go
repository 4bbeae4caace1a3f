package reproductions

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/trial"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/report/plot"
)

// biasVarianceSamples is how many samples of the training rows each learner is trained on.
const biasVarianceSamples = 20

// biasVarianceOn divides the squared error of learners. What a table does not tell is the truth, so
// that bias and noise stand together:
//
//	E (y - f)²  =  E (y - E f)²  +  E (f - E f)²
//	error          bias² + noise    variance
func biasVarianceOn(ctx context.Context, env *Env, ds *data.Dataset, seed uint64) *Result {
	learners := []struct {
		name, learner string
		settings      []string
	}{{"tree of depth 2", "cart", []string{"prune=none", "depth=2"}},
		{"full tree", "cart", []string{"prune=none"}},
		{"25 bagged trees", "bag", []string{"members=25"}},
		{"forest of 100 trees", "forest", []string{"trees=100"}},
		{"100 boosted trees", "gbm", []string{"trees=100", "rehearse=false"}}}
	rows, held := trainTestSplit(ds, experimentTest, experimentRows, seed)
	about := "the mean squared error"
	if ds.Target.Task.Classes() {
		about = "the Brier score, the squared error of class probabilities"
	}
	r := &Result{Text: []string{fmt.Sprintf("Each learner is trained on %d random halves of %d rows, "+
		"and predicts %d other rows. The error is %s. Without the truth, bias and noise cannot be "+
		"told apart: their sum is the error of the mean of all predictions, corrected for the "+
		"number of halves. The variance is what the models differ by, and averaging lessens it.",
		biasVarianceSamples, len(rows), len(held), about)}}
	t := Numbers{Title: "Error = bias² plus noise + variance", Columns: []string{"learner", "error",
		"bias² plus noise", "variance"}}
	chart := plot.Chart{X: plot.Scale{Label: "variance", Zero: true},
		Y: plot.Scale{Label: "bias² plus noise"}}
	var variances []float64
	for i, l := range learners {
		var all [][]float64
		for number := range uint64(biasVarianceSamples) {
			half, _ := splitRows(ds, rows, 0.5, seed+number)
			m := fit(ctx, ds, learn.Job{Rows: half, Seed: seed + number,
				Workers: env.Workers}, l.learner, l.settings...)
			all = append(all, responses(m, ds, held, 0).values)
		}
		whole, variance := squaredParts(ds, held, all)
		variances = append(variances, variance)
		t.add("%s | %v | %v | %v", l.name, four(whole), four(whole-variance), four(variance))
		chart.Curves = append(chart.Curves, plot.Curve{Name: l.name, X: []float64{variance},
			Y: []float64{whole - variance}, Style: plot.Marks, Colour: i})
	}
	r.Findings = []Finding{{What: "bagging lessens the variance of full trees", Unpublished: true,
		Holds: variances[2] < variances[1], Found: fmt.Sprintf("%v against %v",
			four(variances[2]), four(variances[1]))}}
	r.Tables = []Numbers{t}
	r.Pictures = []Picture{Figure("", &plot.Figure{Title: "Bias² plus noise, and variance",
		Subtitle: "Averaging moves a learner to the left, a richer one down.",
		Charts:   []plot.Chart{chart}})}
	return r
}

// squaredParts returns the mean squared error of several models and the part that is their
// variance. Of classes errors are of the vectors of probabilities.
func squaredParts(ds *data.Dataset, held []int32, all [][]float64) (whole, variance float64) {
	width := len(all[0]) / len(held)
	samples := make([]float64, len(all))
	for i, r := range held {
		for k := range width {
			y := 0.0
			switch {
			case !ds.Target.Task.Classes():
				y = ds.Target.Y[0][r]
			case int(ds.Target.Class[r]) == k:
				y = 1
			}
			for s, predicted := range all {
				samples[s] = predicted[i*width+k]
				d := samples[s] - y
				whole += float64(d*d) / float64(len(all)*len(held))
			}
			variance += trial.Variance(samples) / float64(len(held))
		}
	}
	return whole, variance
}

// mtryOn grows forests whose nodes try several numbers of columns.
func mtryOn(ctx context.Context, env *Env, ds *data.Dataset, seed uint64) *Result {
	all := len(ds.Schema.Fields)
	root := int(math.Sqrt(float64(all)))
	sizes := []int{1, root, max(1, all/3), max(1, all/2), all}
	for n := 2; n < all; n *= 2 {
		sizes = append(sizes, n)
	}
	slices.Sort(sizes)
	sizes = slices.Compact(sizes)
	const trees = 100
	var splits [2][][]float64
	for number := range uint64(experimentSplits) {
		rows, held := trainTestSplit(ds, experimentTest, experimentRows, seed+number)
		var test, outOfBag []float64
		for _, mtry := range sizes {
			m := fit(ctx, ds, learn.Job{Rows: rows, Seed: seed + number, Workers: env.Workers},
				"forest", fmt.Sprint("mtry=", mtry), fmt.Sprint("trees=", trees), "importance=none")
			curve := outOfBagCurve(m)
			wrong := miss(m, ds, held, 0)
			test = append(test, wrong)
			outOfBag = append(outOfBag, curve.Error[len(curve.Error)-1])
		}
		splits[0], splits[1] = append(splits[0], test), append(splits[1], outOfBag)
	}
	e := averageErrors(splits)
	best, bestBag := least(e.test), least(e.outOfBag)
	r := &Result{Text: []string{experimentText(ds, fmt.Sprintf("Forests have %d trees; errors are "+
		"%ss. Few columns make weak trees, and many make trees that are alike. The default is "+
		"the square root of the number of columns for classes, and a third for numbers.", trees,
		missed(ds)))},
		Findings: []Finding{{What: "the out-of-bag error finds a good mtry", Unpublished: true,
			Holds: e.test[bestBag] <= e.test[best]+2*e.testBar[best],
			Found: fmt.Sprintf("%d, with test error %v; the least is %v with %d",
				sizes[bestBag], four(e.test[bestBag]), four(e.test[best]), sizes[best])}}}
	t := Numbers{Title: "Errors against mtry", Columns: []string{"mtry", "test", "± s.e.",
		"out of bag", "± s.e."}}
	for i, n := range sizes {
		t.add("%v | %v | %v | %v | %v", n, four(e.test[i]), two(e.testBar[i]),
			four(e.outOfBag[i]), two(e.outOfBagBar[i]))
	}
	r.Tables = []Numbers{t}
	x := trial.Floats(sizes)
	r.Pictures = []Picture{Figure("", &plot.Figure{Title: "Errors of forests against mtry",
		Subtitle: "Out of the bag, the same valley is found without a test set.",
		Charts: []plot.Chart{{X: plot.Scale{Label: "mtry", Log: true},
			Y: plot.Scale{Label: missed(ds)}, Curves: []plot.Curve{
				{Name: "test", X: x, Y: e.test, Bar: e.testBar, Style: plot.LineMarks},
				{Name: "out of bag", X: x, Y: e.outOfBag, Style: plot.LineMarks, Colour: 1}}}}})}
	return r
}

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

// regression compares single trees, bagged trees, random forests and boosting where the truth is
// known: one column, a curve, and noise of variance 0.70, which is the risk (the expected squared
// error) of the curve itself: the Bayes risk.
var regression = Reproduction{
	Name:   "regression",
	Title:  "Bagging, forests and boosting in one dimension, where the Bayes risk is 0.70",
	Source: "lecture on ensembles, by its own training set of 70 rows",
	run: func(ctx context.Context, env *Env) *Result {
		f := regressionOf(ctx, env, 50)
		return f.result()
	},
}

// waveMethod is a learner with its settings.
type waveMethod struct {
	name     string
	learner  string
	settings []string
	count    string        // the setting that is how many trees there are; "" = there is one
	printed  map[int]Print // by the lecture, by the number of trees
}

// waveCounts are the numbers of trees whose risk is taken.
var waveCounts = []int{1, 2, 5, 10, 20, 40, 50, 100}

// The methods, in the order of the table.
const (
	fullTree = iota
	prunedTree
	baggedTrees
	forest30
	forest5
	forest3
	boosted3
)

// With one column all nodes split by it: what distinguishes a forest from bagged trees is the
// depth.
var waveMethods = []waveMethod{
	fullTree:   {"full tree", "cart", []string{"prune=none"}, "", nil},
	prunedTree: {"pruned tree", "cart", []string{"prune=cv"}, "", nil},
	baggedTrees: {"bagged trees", "bag", []string{"base=cart"}, "members",
		map[int]Print{1: "1.22", 10: "0.909", 20: "0.939", 50: "0.895", 100: "0.881"}},
	forest30: {"forest of depth 30", "forest", []string{"depth=30", "node_size=1"}, "trees",
		map[int]Print{1: "1.26"}},
	forest5: {"forest of depth 5", "forest", []string{"depth=5", "node_size=1"}, "trees",
		map[int]Print{20: "0.809"}},
	forest3: {"forest of depth 3", "forest", []string{"depth=3", "node_size=1"}, "trees",
		map[int]Print{1: "0.964", 10: "0.754", 50: "0.753"}},
	boosted3: {"boosted trees of depth 3", "anyboost", []string{"base.depth=3"}, "rounds",
		map[int]Print{40: "0.839"}},
}

// waveOrder is the order of the lecture's risks, the largest first, as method and number of trees.
// The lecture has more of 20 bagged trees than of 10, but its risks are those of single runs.
var waveOrder = [][2]int{{baggedTrees, 1}, {forest3, 1}, {baggedTrees, 10}, {baggedTrees, 20},
	{baggedTrees, 50}, {baggedTrees, 100}, {boosted3, 40}, {forest5, 20}, {forest3, 10},
	{forest3, 50}}

// waveRates are the learning rates of boosting that are compared.
var waveRates = []float64{0.03, 0.1, 0.3, 1}

// regressionFound has the risks of each method.
type regressionFound struct {
	runs  int // of each method, with seeds of their own
	table *data.Dataset
	truth *data.Dataset
	risks [][][]float64 // by method, by run, by number of trees
	rates [][]float64   // of boosting by learning rate, by number of trees
	shown [][]float64   // predictions of the first run, by method
}

func regressionOf(ctx context.Context, env *Env, runs int) *regressionFound {
	f := &regressionFound{runs: runs}
	f.table = must(readWave(ctx, env))
	f.truth = must(waveAt(wavePlaces))
	for i := range waveMethods {
		var all [][]float64
		for seed := range runs {
			risks, last := f.run(ctx, env, &waveMethods[i], uint64(seed+1))
			if seed == 0 {
				f.shown = append(f.shown, last)
			}
			all = append(all, risks)
		}
		f.risks = append(f.risks, all)
	}
	for _, rate := range waveRates {
		m := waveMethods[boosted3]
		m.settings = append(slices.Clone(m.settings), fmt.Sprint("learning_rate=", rate))
		risks, _ := f.run(ctx, env, &m, 1)
		f.rates = append(f.rates, risks)
	}
	return f
}

// run trains a method, and returns its risk with each number of trees, the variance of the noise
// and the mean squared distance from the truth, and what it predicts with the last number.
func (f *regressionFound) run(
	ctx context.Context, env *Env, m *waveMethod, seed uint64,
) (risks, predicted []float64) {
	settings, counts := m.settings, []int{0}
	if m.count != "" {
		counts = waveCounts
		settings = append(slices.Clone(settings), fmt.Sprintf("%s=%d", m.count,
			slices.Max(counts)))
	}
	fitted := fit(ctx, f.table, learn.Job{Seed: seed, Workers: env.Workers}, m.learner,
		settings...)
	for _, trees := range counts {
		predicted = must(predict(fitted, f.truth, nil, trees))
		sum := 0.0
		for i, y := range f.truth.Target.Y[0] {
			sum += float64((predicted[i] - y) * (predicted[i] - y))
		}
		risks = append(risks, waveNoise+sum/wavePlaces)
	}
	return risks, predicted
}

// of returns the risks of a method with a number of trees, by run.
func (f *regressionFound) of(method, trees int) []float64 {
	at := max(0, slices.Index(waveCounts, trees))
	var all []float64
	for _, run := range f.risks[method] {
		all = append(all, run[min(at, len(run)-1)])
	}
	return all
}

func (f *regressionFound) result() *Result {
	r := &Result{Text: []string{
		fmt.Sprintf("The truth is a curve of one column, (1 − x/2) sin 8x, and the noise has "+
			"variance %.2f. No method has a smaller risk (expected squared error) than that: it "+
			"is the Bayes risk. A deep tree follows the noise. Averaging takes most of that away. "+
			"Short trees have less of it to begin with. Boosting starts with too little and ends "+
			"with too much.", waveNoise),
		fmt.Sprintf("The training set is the lecture's own: %d places from 0 to 2, with its "+
			"random numbers. The lecture's figures are of single runs. Ours are means of %d runs "+
			"with other seeds, beside the standard deviation of a run. Boosting has no random "+
			"numbers.", waveRows, f.runs)}}
	for i := range waveMethods {
		m := &waveMethods[i]
		for _, trees := range waveCounts {
			if v, ok := m.printed[trees]; ok {
				mean, _ := trial.Mean(f.of(i, trees))
				r.Claims = append(r.Claims,
					Claim{What: fmt.Sprintf("risk of %s, %d", m.name, trees), Published: v,
						Ours: mean, Error: math.Sqrt(trial.Variance(f.of(i, trees))), Digits: 3})
			}
		}
	}
	var squares []float64
	for i, x := range f.table.Columns[0].Numbers() {
		distance := f.table.Target.Y[0][i] - waveTruth(x)
		squares = append(squares, distance*distance)
	}
	noise, _ := trial.Mean(squares)
	r.Claims = append(r.Claims, Claim{What: "Bayes risk: squared distance of the 70 rows from the " +
		"curve", Published: "0.70", Ours: noise,
		Error: waveNoise * math.Sqrt(2.0/waveRows), Digits: 3}) // of normal noise of that variance
	for i := range waveOrder[1:] {
		r.Findings = append(r.Findings, f.compared(waveOrder[i], waveOrder[i+1]))
	}
	deep, bag := f.risks[forest30], f.risks[baggedTrees]
	apart, least := 0.0, math.Inf(1)
	for run := range deep {
		for i := range deep[run] {
			apart = max(apart, math.Abs(deep[run][i]-bag[run][i]))
		}
	}
	for _, runs := range f.risks {
		for _, risks := range runs {
			least = min(least, slices.Min(risks))
		}
	}
	r.Findings = append(r.Findings,
		Finding{What: "no risk is below that of Bayes", Unpublished: true,
			Holds: least > waveNoise, Found: fmt.Sprintf("the least is %.3f", least)},
		Finding{What: "in one column a forest of depth 30 is a bag of trees", Unpublished: true,
			Holds: apart < 1e-9, Found: "their risks are equal in all runs"})
	r.Tables = []Numbers{f.riskTable(), f.rateTable()}
	r.Pictures = []Picture{Figure("", f.figure()), Figure("rates", f.rateFigure())}
	return r
}

// compared is the finding that a method with a number of trees has a larger risk than another.
func (f *regressionFound) compared(above, below [2]int) Finding {
	a, aBar := trial.Mean(f.of(above[0], above[1]))
	b, bBar := trial.Mean(f.of(below[0], below[1]))
	bar := math.Hypot(aBar, bBar)
	name := func(c [2]int) string { return fmt.Sprintf("%s, %d", waveMethods[c[0]].name, c[1]) }
	return bySigns(fmt.Sprintf("%s: larger risk than %s", name(above), name(below)),
		fmt.Sprintf("by %.4f ± %.4f", a-b, bar), a-b, bar)
}

// riskTable shows the risk of each method with each number of trees.
func (f *regressionFound) riskTable() Numbers {
	t := Numbers{Title: fmt.Sprintf("Risk, mean of %d runs, and standard deviation of a run",
		f.runs), Columns: []string{"trees"}}
	for _, trees := range waveCounts {
		t.Columns = append(t.Columns, fmt.Sprint(trees))
	}
	for i, m := range waveMethods {
		cells := make([]string, len(t.Columns))
		cells[0] = m.name
		for k := range f.risks[i][0] {
			all := f.of(i, waveCounts[k])
			mean, _ := trial.Mean(all)
			cells[1+k] = fmt.Sprintf("%.3f", mean)
			if sd := math.Sqrt(trial.Variance(all)); sd > 0.0005 {
				cells[1+k] += fmt.Sprintf(" ± %.3f", sd)
			}
		}
		t.Rows = append(t.Rows, cells)
	}
	return t
}

// rateTable shows the risk of boosting at several learning rates.
func (f *regressionFound) rateTable() Numbers {
	t := Numbers{Title: "Risk of boosted trees by learning rate: a smaller one needs more trees",
		Columns: []string{"learning rate; trees:"}}
	for _, trees := range waveCounts {
		t.Columns = append(t.Columns, fmt.Sprint(trees))
	}
	for i, rate := range waveRates {
		cells := []string{fmt.Sprint(rate)}
		for _, risk := range f.rates[i] {
			cells = append(cells, fmt.Sprintf("%.3f", risk))
		}
		t.Rows = append(t.Rows, cells)
	}
	return t
}

// waveBayes is the line of the Bayes risk.
func waveBayes() plot.Curve {
	return plot.Curve{Name: "Bayes risk", X: []float64{1, float64(slices.Max(waveCounts))},
		Y: []float64{waveNoise, waveNoise}, Colour: waveColour}
}

// figure draws the training set with two methods, and all risks. The forest of depth 30 is a bag
// of trees; boosting has its colour, since thin lines in the palette's yellow are hard to see.
func (f *regressionFound) figure() *plot.Figure {
	colour := func(method int) int {
		if method == boosted3 {
			return forest30
		}
		return method
	}
	places := f.truth.Columns[0].Numbers()
	shown := plot.Chart{X: plot.Scale{Label: "x"}, Y: plot.Scale{Label: "y"},
		Curves: []plot.Curve{{X: f.table.Columns[0].Numbers(), Y: f.table.Target.Y[0],
			Style: plot.Points, Colour: waveColour}}}
	risk := plot.Chart{X: plot.Scale{Label: "trees", Log: true},
		Y: plot.Scale{Label: fmt.Sprintf("risk, mean of %d runs", f.runs)}}
	bayes := waveBayes()
	for i, m := range waveMethods {
		if i == fullTree || i == forest3 {
			shown.Curves = append(shown.Curves, plot.Curve{Name: m.name, X: places,
				Y: f.shown[i], Colour: colour(i)})
		}
		means, _ := trial.Means(f.risks[i])
		switch {
		case i == forest30:
			continue
		case len(means) == 1: // a line all along
			risk.Curves = append(risk.Curves, plot.Curve{Name: m.name, X: bayes.X,
				Y: []float64{means[0], means[0]}, Style: plot.Dashes, Colour: colour(i)})
			continue
		}
		risk.Curves = append(risk.Curves, plot.Curve{Name: m.name, X: trial.Floats(waveCounts),
			Y: means, Style: plot.LineMarks, Colour: colour(i)})
	}
	shown.Curves = append(shown.Curves, plot.Curve{Name: "truth", X: places,
		Y: f.truth.Target.Y[0], Colour: waveColour})
	risk.Curves = append(risk.Curves, bayes)
	return &plot.Figure{Title: "Regression on one column",
		Subtitle: "Averaging takes most of the noise of deep trees away. Boosting has its best size.",
		Charts:   []plot.Chart{shown, risk}}
}

// rateFigure draws the risk of boosting by the number of trees.
func (f *regressionFound) rateFigure() *plot.Figure {
	c := plot.Chart{X: plot.Scale{Label: "trees", Log: true}, Y: plot.Scale{Label: "risk"}}
	for i, rate := range waveRates {
		c.Curves = append(c.Curves, plot.Curve{Name: fmt.Sprint("learning rate ", rate),
			X: trial.Floats(waveCounts), Y: f.rates[i], Style: plot.LineMarks, Colour: i})
	}
	c.Curves = append(c.Curves, waveBayes())
	return &plot.Figure{Title: "Boosted trees at several learning rates",
		Subtitle: "A small rate needs more trees. A large one follows the noise after a few.",
		Charts:   []plot.Chart{c}}
}

package reproductions

import (
	"context"
	"fmt"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/trial"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/forest"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/model/training"
	"github.com/coppice-ml/coppice/report/plot"
)

// mtry shows the two parameters of a random forest on real data, the letters: the number of columns
// that a node scans, mtry, and the number of trees, B. Beside the error on hold-out rows stands the
// out-of-bag error, which needs none.
var mtry = Reproduction{
	Name:  "mtry",
	Title: "The error of a forest against mtry and the number of trees",
	Source: "Breiman 2001; Hastie, Tibshirani & Friedman 2009, chapter 15: the best mtry " +
		"lies near the square root of the number of columns. More trees do not overfit, and " +
		"the out-of-bag error is near the test error",
	Slow: "40 s",
	run: func(ctx context.Context, env *Env) *Result {
		f := mtryOf(ctx, env, mtrySize{
			// 4 is the default for 16 columns
			columns: []int{1, 2, 3, 4, 6, 8, 12, 16}, shown: 3,
			trees: []int{1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 70, 100, 150, 200, 300}, splits: 5,
			rows: 5000,
		})
		return f.result()
	},
}

// mtrySize is how much is trained.
type mtrySize struct {
	columns []int // values of mtry; the curve over the trees is of the one at index shown
	shown   int
	trees   []int // numbers of trees; the curve over mtry is of the last one
	splits  int   // into rows to train on and to test on
	rows    int   // to train on
}

// forestErrors are those of one sequence of forests, means over the splits.
type forestErrors struct{ test, testBar, outOfBag, outOfBagBar []float64 }

// mtryFound is a curve over mtry and one over the number of trees.
type mtryFound struct {
	mtrySize
	byMtry, byTrees forestErrors
}

func mtryOf(ctx context.Context, env *Env, s mtrySize) *mtryFound {
	ds := must(env.Read(ctx, "letter/letter.csv.gz", "lettr", 20000))
	var byMtry, byTrees [2][][]float64 // test and out of the bag, by split
	for split := range s.splits {
		var test, outOfBag []float64
		for i, mtry := range s.columns {
			f := s.grow(ctx, env, ds, mtry, uint64(split))
			test, outOfBag = append(test, f.test[len(f.test)-1]),
				append(outOfBag, f.outOfBag[len(f.outOfBag)-1])
			if i == s.shown {
				byTrees[0], byTrees[1] = append(byTrees[0], f.test), append(byTrees[1], f.outOfBag)
			}
		}
		byMtry[0], byMtry[1] = append(byMtry[0], test), append(byMtry[1], outOfBag)
	}
	return &mtryFound{s, averageErrors(byMtry), averageErrors(byTrees)}
}

func averageErrors(splits [2][][]float64) forestErrors {
	var e forestErrors
	e.test, e.testBar = trial.Means(splits[0])
	e.outOfBag, e.outOfBagBar = trial.Means(splits[1])
	return e
}

// grow trains one forest and evaluates its errors at each number of trees.
func (s *mtrySize) grow(
	ctx context.Context, env *Env, ds *data.Dataset, mtry int, seed uint64,
) *forestErrors {
	training, held := trainTestSplit(ds, 1.0/3, s.rows, seed)
	most := s.trees[len(s.trees)-1]
	m := fit(ctx, ds, learn.Job{Rows: training, Seed: seed, Workers: env.Workers},
		"forest",
		fmt.Sprint("mtry=", mtry), fmt.Sprint("trees=", most), "importance=none")
	curve := outOfBagCurve(m)
	e := &forestErrors{}
	at := 0
	for _, trees := range s.trees {
		wrong := errorRate(m, ds, held, trees)
		for curve.Members[at] < trees { // the curve has a point near every number of trees
			at++
		}
		e.test, e.outOfBag = append(e.test, wrong), append(e.outOfBag, curve.Error[at])
	}
	return e
}

// outOfBagCurve returns the out-of-bag error over the number of trees, which training keeps in the
// model.
func outOfBagCurve(m model.Model) *training.OutOfBagCurve {
	var found forest.Summary
	check(learn.ReadSummary(m, &found))
	return &found.OutOfBag.Curve
}

// result describes what was found.
func (r *mtryFound) result() *Result {
	test, bag := r.byMtry.test, r.byMtry.outOfBag
	best, bestBag := least(test), least(bag)
	last := len(r.trees) - 1
	percent := func(v, bar float64) string { return fmt.Sprintf("%.2f ± %.2f", 100*v, 100*bar) }
	falls := true
	for i := 1; i <= last; i++ {
		falls = falls && r.byTrees.test[i] <= r.byTrees.test[i-1]+2*r.byTrees.testBar[i]
	}
	largest := 0.0
	for i := range test {
		largest = max(largest, bag[i]-test[i])
	}
	return &Result{
		Text: []string{fmt.Sprintf("Letters, means over %d random splits into %d rows to train "+
			"on and a third of all rows to test on. Few columns per node make weak trees, many "+
			"make trees that are alike.", r.splits, r.rows),
			"A row is out of the bags of a third of the trees, so that its error is that of a " +
				"smaller forest. The out-of-bag error has the same shape as the test error, " +
				"finds the same valley without a test set, and lies above it."},
		Findings: []Finding{
			{What: "the best mtry is near the square root of the number of columns, 4 of 16",
				Holds: r.columns[best] >= 2 && r.columns[best] <= 6,
				Found: fmt.Sprintf("%d, with %s %% of the test rows wrong; 4 has %s %%",
					r.columns[best], percent(test[best], r.byMtry.testBar[best]),
					percent(r.byTrees.test[last], r.byTrees.testBar[last]))},
			{What: "the out-of-bag error finds the same valley", Holds: bestBag >= best-1 &&
				bestBag <= best+1,
				Found: fmt.Sprintf("its best mtry is %d, with %s %%", r.columns[bestBag],
					percent(bag[bestBag], r.byMtry.outOfBagBar[bestBag]))},
			{What: "more trees do not overfit", Holds: falls,
				Found: fmt.Sprintf("%s %% with 1 tree, %s %% with %d; no step up beyond two "+
					"standard errors", percent(r.byTrees.test[0], r.byTrees.testBar[0]),
					percent(r.byTrees.test[last], r.byTrees.testBar[last]), r.trees[last])},
			{What: "the out-of-bag error is near the test error", Holds: largest < 0.01 &&
				largest > -0.01,
				Found: fmt.Sprintf("at most %.2f points above it, with %d trees", 100*largest,
					r.trees[last])},
		},
		Tables: []Numbers{r.byMtry.table(fmt.Sprintf("Errors in %% against mtry, %d trees",
			r.trees[last]), "mtry", r.columns),
			r.byTrees.table(fmt.Sprintf("Errors in %% against the number of trees, mtry %d",
				r.columns[r.shown]), "trees", r.trees)},
		Pictures: []Picture{Figure("", r.figure())},
	}
}

// least returns the place of the least value.
func least(values []float64) int {
	best := 0
	for i, v := range values {
		if v < values[best] {
			best = i
		}
	}
	return best
}

func (e *forestErrors) table(title, name string, of []int) Numbers {
	t := Numbers{Title: title, Columns: []string{name, "test error", "± s.e.",
		"out-of-bag error", "± s.e."}}
	for i, n := range of {
		row := []string{fmt.Sprint(n)}
		for _, v := range []float64{e.test[i], e.testBar[i], e.outOfBag[i], e.outOfBagBar[i]} {
			row = append(row, fmt.Sprintf("%.2f", 100*v))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

func (r *mtryFound) figure() *plot.Figure {
	most := r.trees[len(r.trees)-1]
	return &plot.Figure{Title: "A forest's two parameters, on letters",
		Subtitle: "Few columns per node make weak trees, many make trees that are alike. More " +
			"trees do not overfit.",
		Notes: []string{fmt.Sprintf("Means over %d random splits into %d rows to train on and a "+
			"third of all rows to test on, with standard errors.", r.splits, r.rows),
			"A row is out of the bag of a third of the trees only: with few trees its error is " +
				"that of a smaller forest."},
		Charts: []plot.Chart{
			{X: plot.Scale{Label: fmt.Sprintf("mtry, with %d trees", most), Log: true},
				Y: plot.Scale{Label: "error, % of the rows"}, Curves: r.byMtry.curves(r.columns)},
			{X: plot.Scale{Label: fmt.Sprintf("trees, with mtry %d", r.columns[r.shown]),
				Log: true}, Y: plot.Scale{Label: "error, % of the rows"},
				Curves: r.byTrees.curves(r.trees)},
		}}
}

func (e *forestErrors) curves(of []int) []plot.Curve {
	x := trial.Floats(of)
	return []plot.Curve{
		{Name: "out-of-bag error", X: x, Y: trial.Percent(e.outOfBag),
			Bar: trial.Percent(e.outOfBagBar), Style: plot.LineMarks, Colour: 1},
		{Name: "test error", X: x, Y: trial.Percent(e.test), Bar: trial.Percent(e.testBar),
			Style: plot.LineMarks},
	}
}

// Command mtry shows the two parameters of a random forest on real data, the letters: the number of columns that a node looks
// at, mtry, and the number of trees, B. Beside the error on rows held back stands the out-of-bag error, which needs none.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/examples/experiment"
	"github.com/coppice-ml/coppice/lab/trial"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/forest"
	"github.com/coppice-ml/coppice/learn/oob"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/report/plot"
)

func main() {
	experiment.Main("mtry", func(ctx context.Context) (experiment.Result, error) { return run(ctx, full) })
}

// size says how much is trained.
type size struct {
	columns []int // values of mtry; the curve over the trees is of the one at index shown
	shown   int
	trees   []int // numbers of trees; the curve over mtry is of the last one
	splits  int   // into rows to train on and to test on
	rows    int   // to train on
}

var full = size{
	columns: []int{1, 2, 3, 4, 6, 8, 12, 16}, shown: 3, // 4 is the default for 16 columns
	trees: []int{1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 70, 100, 150, 200, 300}, splits: 5, rows: 5000,
}

// errors are those of one sequence of forests, means over the splits.
type errors struct{ test, testBar, outOfBag, outOfBagBar []float64 }

type result struct {
	size
	byMtry, byTrees errors
}

func run(ctx context.Context, s size) (*result, error) {
	ds, err := trial.Read(ctx, "letter/letter.csv.gz", "lettr")
	if err != nil {
		return nil, err
	}
	var byMtry, byTrees [2][][]float64 // test and out of the bag, by split
	for split := range s.splits {
		var test, outOfBag []float64
		for i, mtry := range s.columns {
			f, err := grow(ctx, ds, s, mtry, uint64(split))
			if err != nil {
				return nil, err
			}
			test, outOfBag = append(test, f.test[len(f.test)-1]), append(outOfBag, f.outOfBag[len(f.outOfBag)-1])
			if i == s.shown {
				byTrees[0], byTrees[1] = append(byTrees[0], f.test), append(byTrees[1], f.outOfBag)
			}
		}
		byMtry[0], byMtry[1] = append(byMtry[0], test), append(byMtry[1], outOfBag)
	}
	return &result{s, average(byMtry), average(byTrees)}, nil
}

func average(splits [2][][]float64) errors {
	var e errors
	e.test, e.testBar = trial.Means(splits[0])
	e.outOfBag, e.outOfBagBar = trial.Means(splits[1])
	return e
}

// grow trains one forest and measures its errors at each number of trees.
func grow(ctx context.Context, ds *data.Dataset, s size, mtry int, seed uint64) (*errors, error) {
	training, held, err := trial.Parts(ds, 1.0/3, s.rows, seed)
	if err != nil {
		return nil, err
	}
	most := s.trees[len(s.trees)-1]
	m, err := trial.Fit(ctx, ds, learn.Job{Rows: training, Seed: seed}, "forest",
		fmt.Sprint("mtry=", mtry), fmt.Sprint("trees=", most), "importance=none")
	if err != nil {
		return nil, err
	}
	curve, err := outOfBag(m)
	if err != nil {
		return nil, err
	}
	e := &errors{}
	at := 0
	for _, trees := range s.trees {
		wrong, err := trial.Error(m, ds, held, trees)
		if err != nil {
			return nil, err
		}
		for curve.Members[at] < trees { // the curve has a point near every number of trees
			at++
		}
		e.test, e.outOfBag = append(e.test, wrong), append(e.outOfBag, curve.Error[at])
	}
	return e, nil
}

// outOfBag returns the out-of-bag error over the number of trees, which training keeps in the model.
func outOfBag(m model.Model) (*oob.Curve, error) {
	var found forest.Summary
	err := json.Unmarshal(m.Spec().Summary, &found)
	return &found.OutOfBag.Curve, err
}

func (r *result) Print(out io.Writer) {
	r.byMtry.print(out, fmt.Sprintf("mtry, %d trees", r.trees[len(r.trees)-1]), r.columns)
	fmt.Fprintln(out)
	r.byTrees.print(out, fmt.Sprintf("trees, mtry %d", r.columns[r.shown]), r.trees)
}

func (e *errors) print(out io.Writer, name string, of []int) {
	w := experiment.Table(out)
	fmt.Fprintf(w, "%s\ttest error %%\t+-\tout-of-bag error %%\t+-\t\n", name)
	for i, n := range of {
		fmt.Fprintf(w, "%d\t%.2f\t%.2f\t%.2f\t%.2f\t\n", n, 100*e.test[i], 100*e.testBar[i], 100*e.outOfBag[i], 100*e.outOfBagBar[i])
	}
	w.Flush()
}

func (r *result) Figure() *plot.Figure {
	most := r.trees[len(r.trees)-1]
	return &plot.Figure{Title: "A forest's two parameters, on letters",
		Subtitle: "Few columns per node make weak trees, many make trees that are alike. More trees do not overfit.",
		Notes: []string{fmt.Sprintf("Means over %d random splits into %d rows to train on and a third of all rows to test on, with standard errors.", r.splits, r.rows),
			"A row is out of the bag of a third of the trees only: with few trees its error is that of a smaller forest."},
		Charts: []plot.Chart{
			{X: plot.Scale{Label: fmt.Sprintf("mtry, with %d trees", most), Log: true}, Y: plot.Scale{Label: "error, % of the rows"}, Curves: r.byMtry.curves(r.columns)},
			{X: plot.Scale{Label: fmt.Sprintf("trees, with mtry %d", r.columns[r.shown]), Log: true}, Y: plot.Scale{Label: "error, % of the rows"}, Curves: r.byTrees.curves(r.trees)},
		}}
}

func (e *errors) curves(of []int) []plot.Curve {
	x := trial.Floats(of)
	return []plot.Curve{
		{Name: "out-of-bag error", X: x, Y: trial.Percent(e.outOfBag), Bar: trial.Percent(e.outOfBagBar), Style: plot.LineMarks, Colour: 1},
		{Name: "test error", X: x, Y: trial.Percent(e.test), Bar: trial.Percent(e.testBar), Style: plot.LineMarks},
	}
}

package reproductions

import (
	"context"
	"fmt"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/trial"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/report/plot"
)

// overfitDepths are the depths that are compared; the full tree comes last.
var overfitDepths = []int{1, 2, 3, 4, 5, 6, 8, 10, 14, 20}

// overfitOn grows trees of several depths.
func overfitOn(ctx context.Context, env *Env, ds *data.Dataset, seed uint64) *Result {
	var training, test [][]float64
	var pruned []float64
	leaves := make([]float64, len(overfitDepths)+1)
	for number := range uint64(experimentSplits) {
		rows, held := trainTestSplit(ds, experimentTest, experimentRows, seed+number)
		job := learn.Job{Rows: rows, Seed: seed + number, Workers: env.Workers}
		var within, beyond []float64
		for i, depth := range append(overfitDepths, 0) {
			m := fit(ctx, ds, job, "cart", "prune=none", fmt.Sprint("depth=", depth))
			a := miss(m, ds, rows, 0)
			b := miss(m, ds, held, 0)
			within, beyond = append(within, a), append(beyond, b)
			leaves[i] += float64(m.(*model.Ensemble).Trees[0].NumLeaves()) / experimentSplits
		}
		m := fit(ctx, ds, job, "cart", "prune=cv")
		b := miss(m, ds, held, 0)
		training, test, pruned = append(training, within), append(test, beyond), append(pruned, b)
	}
	within, _ := trial.Means(training)
	beyond, bars := trial.Means(test)
	last := len(overfitDepths)
	best := least(beyond)
	fall := make([]float64, len(test))
	for i := range fall {
		fall[i] = test[i][last] - test[i][best]
	}
	mean, bar := trial.Mean(fall)
	byPruning, _ := trial.Mean(pruned)
	name := func(i int) string {
		if i == last {
			return "no limit"
		}
		return fmt.Sprint(overfitDepths[i])
	}
	f := bySigns("the full tree has more test error than a shorter one",
		fmt.Sprintf("%v with no limit, %v with depth %s, and %v pruned by cross-validation",
			four(beyond[last]), four(beyond[best]), name(best), four(byPruning)), mean, bar)
	f.Unpublished = true
	r := &Result{Text: []string{experimentText(ds, "Errors are "+missed(ds)+"s of trees that "+
		"are not pruned. The training error falls with each level. The test error falls with "+
		"what holds for all rows, and rises with what holds for single ones.")},
		Findings: []Finding{f}}
	t := Numbers{Title: "Errors against depth", Columns: []string{"depth", "leaves", "training",
		"test", "± s.e."}}
	x := make([]float64, last)
	for i := range within {
		t.add("%s | %.1f | %v | %v | %v", name(i), leaves[i], four(within[i]), four(beyond[i]),
			two(bars[i]))
		if i < last {
			x[i] = float64(overfitDepths[i])
		}
	}
	r.Tables = []Numbers{t}
	r.Pictures = []Picture{Figure("", &plot.Figure{Title: "Errors of trees against their depth",
		Subtitle: "Behind the least test error, further levels follow single rows.",
		Charts: []plot.Chart{{X: plot.Scale{Label: "depth"},
			Y: plot.Scale{Label: missed(ds), Zero: true}, Curves: []plot.Curve{
				{Name: "training", X: x, Y: within[:last], Style: plot.LineMarks},
				{Name: "test", X: x, Y: beyond[:last], Bar: bars[:last], Style: plot.LineMarks,
					Colour: 1}}}}})}
	return r
}

// instabilityOn trains on two halves of the training rows, and counts where the models differ.
func instabilityOn(ctx context.Context, env *Env, ds *data.Dataset, seed uint64) *Result {
	learners := []struct {
		name, learner string
		settings      []string
	}{{"trees, not pruned", "cart", []string{"prune=none"}},
		{"trees, pruned", "cart", []string{"prune=cv"}},
		{"forests of 100 trees", "forest", []string{"trees=100"}}}
	r := &Result{Text: []string{experimentText(ds, "The training rows are divided in two halves. "+
		"Each has a model, and the two predict the test rows. Learners that are stable give "+
		"nearly the same model for both halves.")}}
	apart := make([][]float64, experimentSplits)
	for number := range uint64(experimentSplits) {
		rows, held := trainTestSplit(ds, experimentTest, experimentRows, seed+number)
		first, second := splitRows(ds, rows, 0.5, seed+number)
		for _, l := range learners {
			var predicted [2][]float64
			for i, half := range [][]int32{first, second} {
				m := fit(ctx, ds, learn.Job{Rows: half, Seed: seed + number,
					Workers: env.Workers}, l.learner, l.settings...)
				predicted[i] = must(predict(m, ds, held, 0))
			}
			apart[number] = append(apart[number], distance(ds, predicted))
		}
		if number > 0 {
			continue
		}
		for i, half := range []string{"first", "second"} {
			m := fit(ctx, ds, learn.Job{Rows: [][]int32{first, second}[i], Seed: seed,
				Workers: env.Workers}, "cart", "prune=none", "depth=3")
			r.Pictures = append(r.Pictures, treePicture(half, "The tree of the "+half+" half", m,
				ds.Target.Name, ""))
		}
	}
	means, bars := trial.Means(apart)
	what := "test rows on which the two differ, %"
	scale := 100.0
	if !ds.Target.Task.Classes() {
		what, scale = "mean squared difference of the two", 1
	}
	t := Numbers{Title: "Two models of two halves", Columns: []string{"models", what, "± s.e."}}
	for i, l := range learners {
		t.add("%s | %v | %v", l.name, four(scale*means[i]), two(scale*bars[i]))
	}
	r.Tables = []Numbers{t}
	var falls []float64
	for _, split := range apart {
		falls = append(falls, split[0]-split[2])
	}
	mean, bar := trial.Mean(falls)
	f := bySigns("forests differ less than trees", fmt.Sprintf("%v against %v",
		four(scale*means[2]), four(scale*means[0])), mean, bar)
	f.Unpublished = true
	r.Findings = []Finding{f}
	return r
}

// distance is the fraction of rows whose labels differ, or the mean squared difference.
func distance(ds *data.Dataset, predicted [2][]float64) float64 {
	sum := 0.0
	for i, a := range predicted[0] {
		d := a - predicted[1][i]
		if ds.Target.Task.Classes() && d != 0 {
			d = 1
		}
		sum += float64(d * d)
	}
	return sum / float64(len(predicted[0]))
}

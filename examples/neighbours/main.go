// Command neighbours shows that bagging helps trees and does nothing for nearest neighbours
// (Breiman 1996): a bootstrap sample changes a deep tree from its root on. But the nearest
// neighbour of a row is in most samples, so the vote of the bag is the label of that neighbour.
package main

import (
	"context"
	"fmt"
	"io"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/examples/experiment"
	"github.com/coppice-ml/coppice/internal/trial"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/report/plot"
)

func main() {
	experiment.Main("neighbours", func(ctx context.Context) (experiment.Result,
		error) {
		return run(ctx, full)
	})
}

// size is how much is trained.
type size struct {
	tables  []table
	members int // of a bag
	splits  int // into rows to train on and to test on
}

// table is a set of rows, of which some are trained on; a third is held out.
type table struct {
	name, file, label string
	rows              int // to train on, 0 = all that are not held out
}

var full = size{members: 25, splits: 10, tables: []table{
	{"iris", "iris/iris.csv", "species", 0},
	{"spambase", "spambase/spambase.csv", "spam", 1000},
}}

// base is a learner that is bagged.
type base struct {
	name, learner string
	settings      []string
}

var bases = []base{
	{"deep tree", "cart", []string{"prune=none"}},
	{"nearest row", "knn", []string{"k=1"}},
	{"5 nearest rows", "knn", []string{"k=5"}},
}

// The columns of what is evaluated of a base on each split, fractions of the hold-out rows that are
// wrong.
const (
	single = iota // by one model of all training rows
	bagged        // by the bag
	gain          // the difference
	evaluations
)

type result struct {
	size
	mean, bar [][][]float64 // by table, base and metric
}

func run(ctx context.Context, s size) (*result, error) {
	r := &result{size: s}
	for _, t := range s.tables {
		ds, err := experiment.Read(ctx, t.file, t.label)
		if err != nil {
			return nil, err
		}
		var mean, bar [][]float64
		for _, b := range bases {
			splits := make([][]float64, s.splits)
			for split := range splits {
				if splits[split], err = b.evaluate(ctx, ds, t.rows, s.members,
					uint64(split)); err != nil {
					return nil, err
				}
			}
			m, e := trial.Means(splits)
			mean, bar = append(mean, m), append(bar, e)
		}
		r.mean, r.bar = append(r.mean, mean), append(r.bar, bar)
	}
	return r, nil
}

// evaluate trains the base alone and bagged on one split.
func (b *base) evaluate(
	ctx context.Context, ds *data.Dataset, rows, members int, seed uint64,
) ([]float64, error) {
	training, test, err := experiment.Split(ds, rows, seed)
	if err != nil {
		return nil, err
	}
	job := learn.Job{Rows: training, Seed: seed}
	alone, err := experiment.Fit(ctx, ds, job, b.learner, b.settings...)
	if err != nil {
		return nil, err
	}
	settings := []string{"base=" + b.learner, fmt.Sprint("members=", members)}
	for _, set := range b.settings {
		settings = append(settings, "base."+set)
	}
	bag, err := experiment.Fit(ctx, ds, job, "bag", settings...)
	if err != nil {
		return nil, err
	}
	found := make([]float64, evaluations)
	if found[single], err = experiment.ErrorRate(alone, ds, test); err != nil {
		return nil, err
	}
	if found[bagged], err = experiment.ErrorRate(bag, ds, test); err != nil {
		return nil, err
	}
	found[gain] = found[single] - found[bagged]
	return found, nil
}

func (r *result) Print(out io.Writer) {
	w := experiment.Table(out)
	fmt.Fprintf(w, "table\tbase\terror %%\tbag of %d, error %%\tgain\t+-\t\n", r.members)
	for i, t := range r.tables {
		for k, b := range bases {
			m := r.mean[i][k]
			fmt.Fprintf(w, "%s\t%s\t%.2f\t%.2f\t%.2f\t%.2f\t\n", t.name, b.name, 100*m[single],
				100*m[bagged], 100*m[gain], 100*r.bar[i][k][gain])
		}
	}
	w.Flush()
}

func (r *result) Figure() *plot.Figure {
	chart := plot.Chart{X: plot.Scale{Label: "test error of one model, %", Zero: true},
		Y: plot.Scale{Label: "error of the bag, %", Zero: true}}
	most := 0.0
	for k, b := range bases {
		c := plot.Curve{Name: b.name, Style: plot.Marks, Colour: k}
		for i := range r.tables {
			m := r.mean[i][k]
			c.X, c.Y, c.Bar = append(c.X, 100*m[single]), append(c.Y, 100*m[bagged]),
				append(c.Bar, 100*r.bar[i][k][gain])
			most = max(most, 100*m[single])
		}
		chart.Curves = append(chart.Curves, c)
	}
	chart.Curves = append(chart.Curves, plot.Curve{Name: "no gain", Style: plot.Dashes,
		Colour: len(bases), X: []float64{0, most}, Y: []float64{0, most}})
	return &plot.Figure{Title: "Bagging helps trees and does nothing for nearest neighbours",
		Subtitle: fmt.Sprintf("Errors of one model and of a bag of %d: trees fall below the line "+
			"of no gain, nearest neighbours stay on it.", r.members),
		Notes: []string{fmt.Sprintf("Iris and, with 1000 rows to train on, spambase: means "+
			"over %d random splits; bars are standard errors of the gain.", r.splits)},
		Charts: []plot.Chart{chart}}
}

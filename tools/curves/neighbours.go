package main

import (
	"context"
	"fmt"
	"io"

	"github.com/coppice-ml/coppice/internal/trial"
	"github.com/coppice-ml/coppice/report/plot"
)

// neighboursSize is how much is trained.
type neighboursSize struct {
	tables  []neighboursTable
	members int // of a bag
	splits  int // into rows to train on and to test on
}

// neighboursTable is a set of rows, of which some are trained on; a third is held out.
type neighboursTable struct {
	name, file, label string
	rows              int // to train on, 0 = all that are not held out
}

var allNeighbours = neighboursSize{members: 25, splits: 10, tables: []neighboursTable{
	{"iris", "iris/iris.csv", "species", 0},
	{"spambase", "spambase/spambase.csv", "spam", 1000},
}}

var neighbours = []bagBase{
	{name: "deep tree", learner: "cart", settings: []string{"prune=none"}},
	{name: "nearest row", learner: "knn", settings: []string{"k=1"}},
	{name: "5 nearest rows", learner: "knn", settings: []string{"k=5"}},
}

type neighboursResult struct {
	neighboursSize
	mean, bar [][][]float64 // by table, base and metric
}

// runNeighbours finds that bagging helps trees and does nothing for nearest neighbours (Breiman
// 1996): a bootstrap sample changes a deep tree from its root on. But the nearest neighbour of a
// row is in most samples, so the vote of the bag is the label of that neighbour.
func runNeighbours(ctx context.Context, s neighboursSize) (*neighboursResult, error) {
	r := &neighboursResult{neighboursSize: s}
	for _, t := range s.tables {
		ds, err := readTable(ctx, t.file, t.label)
		if err != nil {
			return nil, err
		}
		var mean, bar [][]float64
		for _, b := range neighbours {
			splits := make([][]float64, s.splits)
			for split := range splits {
				splits[split], err = b.compare(ctx, ds, t.rows, s.members, uint64(split))
				if err != nil {
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

func (r *neighboursResult) Print(out io.Writer) {
	w := newTable(out)
	fmt.Fprintf(w, "table\tbase\terror %%\tbag of %d, error %%\tgain\t+-\t\n", r.members)
	for i, t := range r.tables {
		for k, b := range neighbours {
			m := r.mean[i][k]
			fmt.Fprintf(w, "%s\t%s\t%.2f\t%.2f\t%.2f\t%.2f\t\n", t.name, b.name, 100*m[single],
				100*m[bagged], 100*m[gain], 100*r.bar[i][k][gain])
		}
	}
	w.Flush()
}

func (r *neighboursResult) Figure() *plot.Figure {
	chart := plot.Chart{X: plot.Scale{Label: "test error of one model, %", Zero: true},
		Y: plot.Scale{Label: "error of the bag, %", Zero: true}}
	most := 0.0
	for k, b := range neighbours {
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
		Colour: len(neighbours), X: []float64{0, most}, Y: []float64{0, most}})
	return &plot.Figure{Title: "Bagging helps trees and does nothing for nearest neighbours",
		Subtitle: fmt.Sprintf("Errors of one model and of a bag of %d: trees fall below the line "+
			"of no gain, nearest neighbours stay on it.", r.members),
		Notes: []string{fmt.Sprintf("Iris and, with 1000 rows to train on, spambase: means "+
			"over %d random splits; bars are standard errors of the gain.", r.splits)},
		Charts: []plot.Chart{chart}}
}

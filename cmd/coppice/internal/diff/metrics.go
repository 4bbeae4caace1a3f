package diff

import (
	"context"
	"fmt"
	"slices"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/describe"
	"github.com/coppice-ml/coppice/eval"
	"github.com/coppice-ml/coppice/explain"
	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/metric"
	"github.com/coppice-ml/coppice/model"
)

// metrics compares the metrics of two models. It is nil where the table has no label, and none was
// named.
func (o *command) metrics(
	ctx context.Context, both [2]model.Model, columns []string, files []string,
) ([]eval.Difference, error) {
	label := both[0].Spec().Label
	switch {
	case o.LabelGiven():
	case label == "" || !slices.Contains(columns, label):
		return nil, nil
	case slices.Contains(files, "-"):
		o.Note("standard input is read once: name its label with --label for metrics")
		return nil, nil
	}
	var samples [2]*metric.Sample
	for i, m := range both {
		options, err := o.ReadFlags.Options(o.Console)
		if err != nil {
			return nil, err
		}
		own := o.LabelFlags // its label is that of the first model, also if the second has another
		if !own.LabelGiven() {
			own.Label = label
		}
		ds, err := own.ReadFor(ctx, o.Console, m, options, files)
		if err != nil {
			return nil, err
		}
		samples[i], err = eval.Sample(ctx, m, ds, nil, model.Options{Workers: o.Threads})
		if err != nil {
			return nil, cli.Located(err, ds.Frame)
		}
	}
	o.Progress.Begin("resampling")
	all, none, err := eval.Differences(ctx, both[0].Spec().Task, samples[0], samples[1],
		eval.IntervalOptions{Resamples: resamples, Rows: resampledRows, Workers: o.Threads})
	if err == nil && none != nil {
		o.Note("no metrics: %v", none)
	}
	return all, err
}

// resamples are enough for a p from 0.004 up. Of more rows than resampledRows so many are
// resampled.
const (
	resamples     = 500
	resampledRows = 10_000
)

func printMetrics(c *cli.Console, all []eval.Difference) {
	if all == nil {
		return
	}
	g := cli.Grid{Columns: append([]cli.Column{{Name: "metric"}},
		cli.Numbers("A", "B", "B - A", "95 % interval", "p")...)}
	g.Columns = append(g.Columns, cli.Column{})
	for _, d := range all {
		verdict := ""
		if d.Low > 0 || d.High < 0 {
			verdict = map[bool]string{true: "B is better", false: "A is better"}[d.B > d.A == d.Higher]
		}
		g.Add(d.Name, humanize.Number(d.A, 4), humanize.Number(d.B, 4), fmt.Sprintf("%+.4f", d.B-d.A),
			fmt.Sprintf("%+.4f to %+.4f", d.Low, d.High), humanize.Number(d.P, 2), verdict)
	}
	c.Printf("\n")
	g.Print(c.Out)
}

// importance is the importance by gain of a feature in two models.
type importance struct {
	Feature string  `json:"feature"`
	A       float64 `json:"a"`
	B       float64 `json:"b"`
}

// importances puts the importances of two models of trees side by side, the largest first. It is
// nil for other models.
func importances(both [2]model.Model) []importance {
	var sides [2][]explain.Importance
	for i, m := range both {
		if sides[i] = describe.Of(m).Importances(); sides[i] == nil {
			return nil
		}
	}
	var all []importance
	place := map[string]int{}
	for i, side := range sides {
		for _, x := range side {
			at, known := place[x.Feature]
			if !known {
				at = len(all)
				place[x.Feature] = at
				all = append(all, importance{Feature: x.Feature})
			}
			if i == 0 {
				all[at].A = x.Value
			} else {
				all[at].B = x.Value
			}
		}
	}
	all = slices.DeleteFunc(all, func(i importance) bool { return i.A == 0 && i.B == 0 })
	slices.SortStableFunc(all, func(a, b importance) int {
		switch x, y := max(a.A, a.B), max(b.A, b.B); {
		case x > y:
			return -1
		case x < y:
			return 1
		}
		return 0
	})
	return all
}

// shownImportances is how many features are printed; --json has all.
const shownImportances = 10

func printImportances(c *cli.Console, all []importance) {
	if len(all) == 0 {
		return
	}
	g := cli.Grid{Columns: append([]cli.Column{{Name: "importance by gain"}}, cli.Numbers("A", "B")...)}
	for _, i := range all[:min(shownImportances, len(all))] {
		g.Add(humanize.Name(i.Feature), fmt.Sprintf("%.4f", i.A), fmt.Sprintf("%.4f", i.B))
	}
	if left := len(all) - shownImportances; left > 0 {
		g.Add(humanize.Count(left, "other feature", "other features"), "", "")
	}
	c.Printf("\n")
	g.Print(c.Out)
}

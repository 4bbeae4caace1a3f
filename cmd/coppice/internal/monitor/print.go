package monitor

import (
	"fmt"
	"slices"
	"time"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/metric"
)

// shownWindows is how many windows a screen has room for.
const shownWindows = 20

func (o *command) print(r *findings) {
	o.Text(r.Answer)
	o.Printf("\n")
	all := r.Windows[max(0, len(r.Windows)-shownWindows):]
	g := gridOf(all)
	g.Print(o.Out)
	if more := len(r.Windows) - len(all); more > 0 {
		o.Printf("%s before (--json lists them).\n", humanize.Count(more, "window", "windows"))
	}
	for _, text := range r.notes {
		o.Note("%s", text)
	}
}

// second are the metrics that stand beside the main one.
var second = map[string]string{"logloss": "auc", "rmse": "mae"}

// gridOf makes the table of some windows. The models are a column if there are several.
func gridOf(windows []window) *cli.Grid {
	several := slices.ContainsFunc(windows, func(w window) bool { return w.Model != windows[0].Model })
	metrics := []string{}
	for _, w := range windows {
		for _, name := range []string{w.main, second[w.main], "accuracy"} {
			if _, has := w.Metrics.Get(name); has && len(metrics) < 2 && !slices.Contains(metrics, name) {
				metrics = append(metrics, name)
			}
		}
	}
	g := &cli.Grid{Columns: []cli.Column{{Name: "from"}}}
	if several {
		g.Columns = append(g.Columns, cli.Column{Name: "model"})
	}
	g.Columns = append(g.Columns, cli.Numbers("rows", "labeled", "flagged")...)
	for _, name := range metrics {
		g.Columns = append(g.Columns, cli.Numbers(metric.Words(name))...)
	}
	g.Columns = append(append(g.Columns, cli.Numbers("calibration", "drifted")...),
		cli.Column{Name: "largest PSI"})
	for _, w := range windows {
		row := []string{fromText(w.From)}
		if several {
			row = append(row, short(w.Model))
		}
		row = append(row, fmt.Sprint(w.Rows), fmt.Sprint(w.Labeled), humanize.Percent(w.Flagged))
		for _, name := range metrics {
			row = append(row, metricText(w.Metrics.Get(name)))
		}
		calibration, drift := "-", "-"
		if w.Calibration != nil {
			calibration = humanize.Metric(*w.Calibration)
		}
		if w.Drifted != nil {
			drift = fmt.Sprintf("%d of %d", *w.Drifted, len(w.Columns))
		}
		g.Add(append(row, calibration, drift, w.worst())...)
	}
	return g
}

// fromText writes the beginning of a window.
func fromText(t *time.Time) string {
	switch {
	case t == nil:
		return "all"
	case t.Equal(t.Truncate(24 * time.Hour)):
		return t.Format(time.DateOnly)
	}
	return t.Format("2006-01-02 15:04")
}

func metricText(v float64, has bool) string {
	if !has {
		return "-"
	}
	return humanize.Metric(v)
}

// worst names the column that differs most from training, with its PSI.
func (w *window) worst() string {
	for _, c := range w.Columns {
		if c.PSI != nil {
			return fmt.Sprintf("%.3f %s", *c.PSI, humanize.Name(humanize.Shorten(c.Name, 18)))
		}
	}
	return "-"
}

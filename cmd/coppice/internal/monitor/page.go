package monitor

import (
	"fmt"
	"io"
	"math"

	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/metric"
	"github.com/coppice-ml/coppice/report"
)

// mostLines is how many lines a chart has, of models or of columns.
const mostLines = 6

// page writes the findings with charts.
func (r *findings) page(w io.Writer, log string) error {
	g := gridOf(r.Windows)
	t := &report.Timeline{Title: "Predictions of " + humanize.Name(log), Answer: r.Answer, Texts: 1,
		Rows: g.Rows, Notes: r.notes}
	for _, c := range g.Columns {
		t.Columns = append(t.Columns, c.Name)
	}
	of := func(title string, value func(w *window) float64) {
		t.Charts = append(t.Charts, report.TimeChart{Title: title, Series: r.lines(value)})
	}
	names := map[string]bool{}
	for i := range r.Windows {
		for _, name := range []string{r.Windows[i].main, second[r.Windows[i].main]} {
			if name != "" && !names[name] {
				names[name] = true
				of(metric.Words(name), func(w *window) float64 {
					if v, has := w.Metrics.Get(name); has {
						return v
					}
					return math.NaN()
				})
			}
		}
	}
	of("calibration error", func(w *window) float64 {
		if w.Calibration == nil {
			return math.NaN()
		}
		return *w.Calibration
	})
	of("rows", func(w *window) float64 { return float64(w.Rows) })
	of("fraction of rows with a flag", func(w *window) float64 { return w.Flagged })
	for _, l := range r.last() {
		t.Charts = append(t.Charts, report.TimeChart{Title: "PSI of the worst columns, model " + short(l.Model),
			Series: r.drift(l)})
	}
	return report.Monitor(w, t)
}

// lines returns a value over time, a line for each model.
func (r *findings) lines(value func(w *window) float64) []report.TimeSeries {
	var all []report.TimeSeries
	of := map[string]int{}
	for i := range r.Windows {
		w := &r.Windows[i]
		at, has := of[w.Model]
		if !has {
			if at = len(all); at == mostLines {
				continue
			}
			of[w.Model] = at
			all = append(all, report.TimeSeries{Name: short(w.Model)})
		}
		all[at].Days, all[at].Y = append(all[at].Days, w.days()), append(all[at].Y, value(w))
	}
	return all
}

// drift returns the PSI over time of the columns that differ most in a window.
func (r *findings) drift(last *window) []report.TimeSeries {
	var all []report.TimeSeries
	for _, c := range last.Columns {
		if c.PSI == nil || len(all) == mostLines {
			continue
		}
		s := report.TimeSeries{Name: humanize.Shorten(fmt.Sprint(humanize.Name(c.Name)), 24)}
		for i := range r.Windows {
			w := &r.Windows[i]
			for _, d := range w.Columns {
				if w.Model == last.Model && d.Name == c.Name && d.PSI != nil {
					s.Days, s.Y = append(s.Days, w.days()), append(s.Y, *d.PSI)
				}
			}
		}
		all = append(all, s)
	}
	return all
}

// days returns the beginning of a window in days since 1970.
func (w *window) days() float64 {
	if w.From == nil {
		return 0
	}
	return float64(w.From.Unix()) / 86400
}

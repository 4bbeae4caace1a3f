package training

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/coppice-ml/coppice/internal/figure"
	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/metric"
	"github.com/coppice-ml/coppice/model"
)

// Describe adds the out-of-bag metrics, and the curve of the error over the members, to what
// training found; a nil report adds nothing.
func (r *OutOfBag) Describe(s *model.Spec, found *Summary) {
	if r == nil {
		return
	}
	found.Facts = append(found.Facts, model.Fact{Name: "oob", Text: r.words()})
	if len(r.Curve.Members) > 0 {
		found.History = r.history(s)
	}
}

// words reports the metrics.
func (r *OutOfBag) words() string {
	text := ""
	add := func(name string, value *float64) {
		if value != nil {
			text += fmt.Sprintf("%s %s, ", metric.Words(name), humanize.Metric(*value))
		}
	}
	add("error", r.Error)
	add("cost", r.Cost)
	add("logloss", r.LogLoss)
	if r.MSE != nil {
		rmse := math.Sqrt(*r.MSE)
		add("rmse", &rmse)
	}
	add("r2", r.R2)
	text += "on " + humanize.Count(r.Rows, "row", "rows")
	if r.Never > 0 {
		text += fmt.Sprintf(" (%d more rows are in all bags)", r.Never)
	}
	if r.Settled {
		text += ", converged after " + humanize.Count(r.Members, "member", "members")
	}
	if r.Optimistic {
		text += "; too optimistic, as the trees were pruned by the same rows"
	}
	return text
}

// history describes the curve.
func (r *OutOfBag) history(s *model.Spec) *History {
	c := &r.Curve
	return &History{Content: c, Figure: r.figure(s), Curves: []LearningCurve{c.learning(s)},
		Tables: []model.Table{c.table()}}
}

// learning returns the curve as one of a metric: mean squared errors become their roots.
func (c *OutOfBagCurve) learning(s *model.Spec) LearningCurve {
	curve := LearningCurve{Set: OutOfBagSet, Metric: "error", Rounds: c.Members, Values: c.Error}
	if !s.Task.Classes() {
		curve.Metric, curve.Values = "rmse", make([]float64, len(c.Error))
		for i, e := range c.Error {
			curve.Values[i] = math.Sqrt(e)
		}
	}
	return curve
}

// barWidth is the length of the bar of the largest error.
const barWidth = 30

// table lists some points of the curve, with bars from 0 up.
func (c *OutOfBagCurve) table() model.Table {
	most := slices.Max(c.Error)
	t := model.Table{Columns: append(model.Numbers("members", "rows", "error"),
		model.TableColumn{Text: true})}
	last := len(c.Members) - 1
	for i, n := range c.Members {
		if i != last && !figure.Listed(n) {
			continue
		}
		bar := ""
		if most > 0 {
			bar = strings.Repeat("█", int(math.Round(c.Error[i]/most*barWidth)))
		}
		t.Add(strconv.Itoa(n), strconv.Itoa(c.Rows[i]), humanize.Metric(c.Error[i]), bar)
	}
	return t
}

// figure draws the curve, and a dashed line at the error of all members.
func (r *OutOfBag) figure(s *model.Spec) *figure.Figure {
	c := &r.Curve
	last := len(c.Members) - 1
	f := &figure.Figure{Title: "Out-of-bag error against the number of members"}
	if s.Label != "" {
		f.Title = s.Label + ": out-of-bag error against the number of members"
	}
	f.Subtitle = fmt.Sprintf("Each of %s is predicted by the members that were not trained on "+
		"it. With %s the error is %s (dashed line).",
		humanize.Count(c.Rows[last], "row", "rows"),
		humanize.Count(c.Members[last], "member", "members"),
		humanize.Number(c.Error[last], 4))
	if c.Rows[0] < c.Rows[last] {
		f.Notes = append(f.Notes, fmt.Sprintf("The first error is of the %s that one member "+
			"leaves out; rows that no member leaves out so far are in no error.",
			humanize.Count(c.Rows[0], "row", "rows")))
	}
	if r.Settled {
		f.Notes = append(f.Notes, "Training stopped because the error had settled.")
	}
	if r.Optimistic {
		f.Notes = append(f.Notes, "The error is too low: the members were fitted to the rows "+
			"that they leave out, as by pruning.")
	}
	x := figure.Places(c.Members)
	f.Charts = []figure.Chart{{X: figure.Counts("members", c.Members[last]),
		Y: figure.Scale{Label: LossWords(s), Zero: true},
		Curves: []figure.Curve{
			{X: []float64{x[0], x[last]}, Y: []float64{c.Error[last], c.Error[last]},
				Style: figure.Dashes},
			{X: x, Y: c.Error, Style: style(len(x))},
		}}}
	return f
}

// mostMarks is the number of points of a curve up to which each has a mark.
const mostMarks = 25

func style(points int) figure.Style {
	if points > mostMarks {
		return figure.Line
	}
	return figure.LineMarks
}

package report

import (
	"io"
	"math"

	"github.com/coppice-ml/coppice/internal/figure"
	"github.com/coppice-ml/coppice/internal/svg"
)

// Timeline is what Monitor shows: figures of a served model over windows of time.
type Timeline struct {
	Title   string
	Answer  string     // a sentence
	Columns []string   // of the table: texts, then numbers
	Texts   int        // columns of texts
	Rows    [][]string // one for each window
	Charts  []TimeChart
	Notes   []string
}

// TimeChart is a chart of numbers over time.
type TimeChart struct {
	Title  string
	Series []TimeSeries
}

// TimeSeries is a line of a chart.
type TimeSeries struct {
	Name string    // in the legend; "" = it is not there
	Days []float64 // since 1970
	Y    []float64 // NaN is left out
}

// Monitor writes a page of charts and a table over windows of time, which loads nothing. The errors
// are those of w.
func Monitor(w io.Writer, t *Timeline) error {
	var charts []captioned
	for _, c := range t.Charts {
		if f, some := c.figure(); some {
			charts = append(charts, f)
		}
	}
	g := &grid{Caption: "Windows of time", Tall: len(t.Rows) > tallColumns}
	for i, name := range t.Columns {
		g.Columns = append(g.Columns, column{name, map[bool]string{false: "number"}[i < t.Texts], false})
	}
	for _, row := range t.Rows {
		line := make([]cell, len(row))
		for i, field := range row {
			line[i] = text(field)
		}
		g.Rows = append(g.Rows, line)
	}
	sections := []entry{
		{ID: "answer", Title: "Answer", Parts: append([]piece{paragraph("%s", t.Answer)}, notes(t.Notes)...)},
		{ID: "charts", Title: "Charts", About: "A point is a window of time.", Parts: []piece{figures(charts...)}},
		{ID: "windows", Title: "Windows", Parts: []piece{table(g)}},
	}
	return writePage(w, t.Title, sections, nil)
}

// figure draws a chart; false: it has no point.
func (c *TimeChart) figure() (captioned, bool) {
	p := &figure.Panel{Label: c.Title + " over time", X: figure.Side{Dates: true}, Y: figure.Side{Zero: true}}
	some := false
	for i, s := range c.Series {
		l := figure.Layer{Name: s.Name, Colour: svg.ClassColour(i), X: s.Days, Y: s.Y}
		dots := l
		dots.Kind, dots.Name = figure.Dots, ""
		p.Layers = append(p.Layers, l, dots)
		for _, y := range s.Y {
			some = some || !math.IsNaN(y)
		}
	}
	return figureOf(c.Title, p), some
}

package plot

import (
	"errors"
	"io"

	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/internal/svg"
)

// Interval is a number of something that has a name, with the ends of its interval.
type Interval struct {
	Name             string
	Value, Low, High float64 // Low <= Value <= High
}

// IntervalCaption names what a picture of intervals shows.
type IntervalCaption struct {
	Title    string
	Subtitle string
	Label    string   // of the axis
	Notes    []string // below the chart
}

// mostIntervals is the largest number of rows in a picture of intervals.
const mostIntervals = 25

// intervals is the picture of intervals, one below the other.
type intervals struct {
	page
	all   []Interval
	label string
}

// Intervals draws numbers as points on one axis, each in a row with its name and a line from end to
// end of its interval. The rows are in the order given, 25 of them at most. A dashed line goes down
// from the first number, so that the others can be compared with it.
func Intervals(w io.Writer, caption IntervalCaption, all []Interval) error {
	p := &intervals{label: caption.Label}
	left := 0
	for _, i := range all {
		switch {
		case !finite(i.Low) || !finite(i.High):
		case len(p.all) == mostIntervals:
			left++
		default:
			p.all = append(p.all, i)
		}
	}
	if len(p.all) == 0 {
		return errors.New("no intervals to draw")
	}
	p.title, p.subtitle, p.notes = caption.Title, caption.Subtitle, caption.Notes
	if left > 0 {
		p.notes = append(p.notes[:len(p.notes):len(p.notes)],
			humanize.Count(left, "further one is", "further ones are")+" left out.")
	}
	return p.write(w, p.draw)
}

func (p *intervals) draw(f frame) {
	var ends []float64
	names, numbers := 0, 0
	for _, i := range p.all {
		ends = append(ends, i.Low, i.High)
		names = max(names, labelStyle.Width(i.Name))
		numbers = max(numbers, tickStyle.Width(humanize.Metric(i.Value)))
	}
	x := span(ends)
	x.mark(8)
	names = min(names, nameSpace)
	g := frame{f.x + names + 14, f.y + 4, f.w - names - 14 - numbers - 12,
		f.h - 4 - tickSpace - labelSpace}
	x.from, x.to = g.x, g.x+g.w
	x.thin()
	top, bottom := svg.Tenths(10*g.y), svg.Tenths(10*(g.y+g.h))
	for _, t := range x.ticks {
		p.line(x.at(t.at), top, x.at(t.at), bottom, gridLine, 10, "")
	}
	p.axes(g, &x, &axis{}, p.label, "")
	best := x.at(p.all[0].Value)
	p.line(best, top, best, bottom, svg.Faded, 10, ` stroke-dasharray="5 4"`)
	step := svg.Tenths(10*g.h) / svg.Tenths(max(6, len(p.all)))
	for k, i := range p.all {
		p.row(i, &x, g, top+svg.Tenths(k)*step+step/2)
	}
}

// row draws an interval at a height, with its name on the left and its number on the right.
func (p *intervals) row(i Interval, x *axis, g frame, y svg.Tenths) {
	low, high, at := x.at(i.Low), x.at(i.High), x.at(i.Value)
	p.line(low, y, high, y, svg.Below, 25, "")
	for _, end := range []svg.Tenths{low, high} {
		p.line(end, y-45, end, y+45, svg.Below, 25, "")
	}
	p.Rect(at-45, y-45, 90, 90, svg.Below, "")
	base := int(y+45) / 10
	p.Text(labelStyle, g.x-10, base, "end", labelStyle.Fit(i.Name, nameSpace))
	p.Text(tickStyle, g.x+g.w+10, base, "start", humanize.Metric(i.Value))
}

package plot

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/coppice-ml/coppice/internal/figure"
	"github.com/coppice-ml/coppice/internal/svg"
)

// Panel is a chart of a page, as reports have them.
type Panel = figure.Panel

type (
	layer figure.Layer
	side  figure.Side
)

const (
	panelWidth  = 440
	panelHeight = 280
	panelNames  = 3 // names beside an axis take at most a third of the width
)

// DrawPanel draws a panel as an SVG element for HTML; "" where no point is finite.
func DrawPanel(c *Panel) string {
	across, up := panelValues(c)
	if len(across) == 0 {
		return ""
	}
	right, above := (*side)(&c.X), (*side)(&c.Y)
	x, y := right.axis(across), above.axis(up)
	width, height := cmp.Or(c.Width, panelWidth), cmp.Or(c.Height, panelHeight)
	var b strings.Builder
	p := &page{Pen: svg.NewPen(&b)}
	f := frame{2, 2, width - 4, height - 4}
	if entries := panelLegend(c); len(entries) > 0 {
		below := p.drawLegend(entries, f.x, f.y+12, f.w) + 8
		f.y, f.h = below, f.h-(below-f.y)
	}
	above.mark(&y, max(3, f.h/45), f.w)
	right.mark(&x, max(3, f.w/85), f.w)
	g := f.inner(&x, &y, c.Y.Label != "")
	p.grid(g, &y)
	p.axes(g, &x, &y, c.X.Label, c.Y.Label)
	for i := range c.Layers {
		(*layer)(&c.Layers[i]).draw(p, &x, &y)
	}
	p.End()
	_ = p.Flush() // a builder takes all
	return beginPanel(c, width, height, &x, &y) + b.String()
}

// beginPanel returns the start of the element.
func beginPanel(c *Panel, width, height int, x, y *axis) string {
	var b strings.Builder
	p := svg.NewPen(&b)
	fmt.Fprintf(p, "<svg class=\"chart\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" "+
		"role=\"img\" font-family=\"%s\"", width, height, width, height, svg.FontStack)
	p.Attribute("aria-label", c.Label)
	p.Attribute("data-x", (*side)(&c.X).words(x))
	p.Attribute("data-y", (*side)(&c.Y).words(y))
	p.Attribute("data-across", c.X.Label)
	p.Attribute("data-up", c.Y.Label)
	if c.Y.Names != nil {
		p.Attribute("data-names", strings.Join(c.Y.Names, "\n"))
	}
	_ = p.Flush()
	return b.String() + ">\n"
}

// panelValues returns the finite coordinates of all layers.
func panelValues(c *Panel) (across, up []float64) {
	for i := range c.Layers {
		l := (*layer)(&c.Layers[i])
		for k := range l.X {
			if !l.drawn(k) {
				continue
			}
			across, up = append(across, l.X[k]), append(up, l.Y[k])
			switch l.Kind {
			case figure.Spans:
				up = append(up, l.Ends[k])
			case figure.Bins:
				across, up = append(across, l.right(k)), append(up, 0)
			}
		}
	}
	return across, up
}

func (l *layer) drawn(k int) bool {
	return finite(l.X[k]) && finite(l.Y[k]) && (l.Kind != figure.Spans || finite(l.Ends[k]))
}

// right returns the right edge of a bar.
func (l *layer) right(k int) float64 {
	if k+1 < len(l.X) {
		return l.X[k+1]
	}
	return l.Ends[0]
}

// panelLegend has an entry for each name and colour.
func panelLegend(c *Panel) []entry {
	var all []entry
	var seen []string
	for i := range c.Layers {
		l := (*layer)(&c.Layers[i])
		if key := l.Name + l.Colour.String(); l.Name != "" && !slices.Contains(seen, key) {
			seen = append(seen, key)
			all = append(all, entry{l.sample(), l.Name})
		}
	}
	return all
}

func (l *layer) sample() sample {
	switch l.Kind {
	case figure.Dots:
		return sample{10, func(out *svg.Pen, x, y svg.Tenths) {
			fmt.Fprintf(out, "<path d=\"M%v %vh0\" stroke=\"%s\" stroke-width=\"9\" "+
				"stroke-linecap=\"round\"/>\n", x, y, l.Colour)
		}}
	case figure.Bins:
		return boxSample(l.Colour)
	}
	return lineSample(l.Colour, l.look())
}

// look returns the attributes that make lines dashed or faint.
func (l *layer) look() string {
	more := ""
	if l.Dashed {
		more = ` stroke-dasharray="5 4"`
	}
	if l.Faint && l.Kind == figure.Dots {
		more += ` stroke-opacity="0.6"`
	} else if l.Faint {
		more += ` stroke-opacity="0.45"`
	}
	return more
}

// axis returns the axis of a side, without ticks.
func (s *side) axis(values []float64) axis {
	switch {
	case s.Names != nil:
		return axis{low: float64(len(s.Names)) - 0.4, high: -0.6}
	case s.Low < s.High:
		return axis{low: s.Low, high: s.High}
	}
	a := scaleAxis(Scale{Zero: s.Zero, Log: s.Log && slices.Min(values) >= 1}, values)
	a.whole = !slices.ContainsFunc(values, func(v float64) bool { return v != math.Floor(v) })
	return a
}

// mark gives an axis at most so many ticks, or its names in a chart of a width.
func (s *side) mark(a *axis, most, width int) {
	switch {
	case s.Names != nil:
		for i, name := range s.Names {
			a.ticks = append(a.ticks, tick{float64(i), tickStyle.Fit(name, width/panelNames)})
		}
	case s.Dates:
		a.markDates(most)
	case a.log:
		a.markCounts()
	default:
		a.mark(most)
	}
}

// words describes an axis for scripts.
func (s *side) words(a *axis) string {
	kind := "number"
	switch {
	case s.Names != nil:
		kind = "name"
	case s.Dates:
		kind = "date"
	case a.log:
		kind = "log"
	}
	return fmt.Sprintf("%d %d %s %s %s", a.from, a.to, strconv.FormatFloat(a.low, 'g', -1, 64),
		strconv.FormatFloat(a.high, 'g', -1, 64), kind)
}

// draw draws a layer as few paths.
func (l *layer) draw(p *page, x, y *axis) {
	var d, points strings.Builder
	var before *place
	base := y.at(min(max(y.low, y.high), max(min(y.low, y.high), 0)))
	for k := range l.X {
		if !l.drawn(k) {
			before = nil
			continue
		}
		at := place{x.at(l.X[k]), y.at(l.Y[k])}
		switch {
		case l.Kind == figure.Dots:
			fmt.Fprintf(&d, "M%v %vh0", at.x, at.y)
		case l.Kind == figure.Spans:
			fmt.Fprintf(&d, "M%v %vV%v", at.x, at.y, y.at(l.Ends[k]))
		case l.Kind == figure.Bins:
			right := x.at(l.right(k))
			if at.y != base {
				fmt.Fprintf(&d, "M%v %vV%vH%vV%vz", at.x, base, at.y, max(at.x+5, right-5), base)
			}
			fmt.Fprintf(&points, "M%v %vh0", (at.x+right)/2, at.y)
		case before == nil:
			fmt.Fprintf(&d, "M%v %v", at.x, at.y)
		default:
			fmt.Fprintf(&d, "L%v %v", at.x, at.y)
		}
		before = &at
	}
	if d.Len() == 0 {
		return
	}
	fmt.Fprintf(p, "<path d=\"%s\"", d.String())
	if !l.Still && l.Kind != figure.Bins && l.Kind != figure.Spans {
		p.WriteString(` class="m"`)
		p.Attribute("data-n", l.Name)
	}
	switch l.Kind {
	case figure.Bins:
		fmt.Fprintf(p, " fill=\"%s\"/>\n<path d=\"%s\" class=\"m\" fill=\"none\"/>\n", l.Colour,
			points.String())
	case figure.Dots:
		fmt.Fprintf(p, " stroke=\"%s\" stroke-width=\"%v\" stroke-linecap=\"round\"%s/>\n", l.Colour,
			svg.Tenths(cmp.Or(l.Width, 40)), l.look())
	default:
		fmt.Fprintf(p, " fill=\"none\" stroke=\"%s\" stroke-width=\"%v\" stroke-linejoin=\"round\"%s/>\n",
			l.Colour, svg.Tenths(cmp.Or(l.Width, 20)), l.look())
	}
}

// PanelOf makes a panel of a chart, such as that of a training.
func PanelOf(c *Chart) *Panel {
	p := &Panel{Label: c.Y.Label + " over " + c.X.Label,
		X: figure.Side{Label: c.X.Label, Zero: c.X.Zero, Log: c.X.Log},
		Y: figure.Side{Label: c.Y.Label, Zero: c.Y.Zero, Log: c.Y.Log}}
	for i := range c.Curves {
		u := &c.Curves[i]
		l := figure.Layer{Name: u.Name, Colour: svg.ClassColour(max(0, u.Colour)), X: u.X, Y: u.Y,
			Dashed: u.Style == Dashes}
		if u.Bar != nil {
			spans := figure.Layer{Kind: figure.Spans, Colour: l.Colour, X: u.X, Width: 14}
			for k := range u.X {
				spans.Y, spans.Ends = append(spans.Y, low(u, k)), append(spans.Ends, high(u, k))
			}
			p.Layers = append(p.Layers, spans)
		}
		switch u.Style {
		case Marks, Points, LineMarks:
			if dots := l; u.Style != LineMarks {
				dots.Kind, l = figure.Dots, dots
			} else {
				dots.Kind, dots.Name = figure.Dots, ""
				p.Layers = append(p.Layers, dots)
			}
		case Bars:
			l.Kind, l.Ends, l.X = figure.Bins, nil, nil
			half := float64(barWidth(c) / 2)
			var y []float64
			for k, at := range u.X {
				l.X, y = append(l.X, at-half, at+half), append(y, u.Y[k], math.NaN())
			}
			l.Y, l.Ends = y, []float64{0}
		}
		if l.X != nil {
			p.Layers = append(p.Layers, l)
		}
	}
	return p
}

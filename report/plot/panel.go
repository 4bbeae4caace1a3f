package plot

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/coppice-ml/coppice/internal/svg"
)

// Panel is a chart of a page that has its heading beside it. It has the fonts, colours and axes of
// the other pictures and no ground, so that a style sheet may put it on a dark one.
//
// Marks that a script may point at are paths of class m, with the name of their layer. The
// attributes data-x and data-y place them: two ends in pixels, the values of these, and what kind
// of axis it is, or names.
type Panel struct {
	Label  string // what the picture shows, for readers who do not see it
	X, Y   Side
	Layers []Layer // painted one over the other
	Height int     // pixels; 0 = 280
	Width  int     // pixels; 0 = 440
}

// Side is an axis of a Panel.
type Side struct {
	Label     string
	Low, High float64  // its ends; equal: those of the values
	Zero      bool     // it begins or ends at 0 where all values lie on one side
	Log       bool     // placed by the logarithm, if no value is below 1
	Dates     bool     // the values are days since 1970
	Names     []string // the values are places in this list, the first on top; of Y alone
}

// Layer is a series of marks of one colour.
type Layer struct {
	Name   string // in the legend; "" = it is not there
	Kind   LayerKind
	Colour svg.Colour
	X, Y   []float64 // what is not finite is left out; a line is broken there
	Ends   []float64 // of Spans: the other end, by point; of Bins: one right edge more than X
	Width  int       // of lines and dots, in tenths of a pixel; 0 = a usual one
	Dashed bool
	Faint  bool // half transparent
	Still  bool // nothing that is pointed at
}

// LayerKind is how a Layer is drawn.
type LayerKind uint8

// The kinds of layers.
const (
	Joined LayerKind = iota // a line through the points
	Dots                    // a dot at each
	Spans                   // a vertical line from Y to Ends
	Bins                    // bars from X to the next X, or to Ends, as high as Y
)

const (
	panelWidth  = 440
	panelHeight = 280
	panelNames  = 3 // names beside an axis take at most a third of the width
)

// SVG draws the panel as an element for HTML; "" where no point is finite.
func (c *Panel) SVG() string {
	across, up := c.values()
	if len(across) == 0 {
		return ""
	}
	x, y := c.X.axis(across), c.Y.axis(up)
	width, height := cmp.Or(c.Width, panelWidth), cmp.Or(c.Height, panelHeight)
	var b strings.Builder
	p := &page{Pen: svg.NewPen(&b)}
	f := frame{2, 2, width - 4, height - 4}
	if entries := c.legend(); len(entries) > 0 {
		below := p.drawLegend(entries, f.x, f.y+12, f.w) + 8
		f.y, f.h = below, f.h-(below-f.y)
	}
	c.Y.mark(&y, max(3, f.h/45), f.w)
	c.X.mark(&x, max(3, f.w/85), f.w)
	g := f.inner(&x, &y, c.Y.Label != "")
	if x.log && x.crowded() {
		x.markPowers()
	}
	p.grid(g, &y)
	p.axes(g, &x, &y, c.X.Label, c.Y.Label)
	for i := range c.Layers {
		c.Layers[i].draw(p, &x, &y)
	}
	p.End()
	_ = p.Flush() // a builder takes all
	return c.begin(width, height, &x, &y) + b.String()
}

// begin returns the start of the element.
func (c *Panel) begin(width, height int, x, y *axis) string {
	var b strings.Builder
	p := svg.NewPen(&b)
	fmt.Fprintf(p, "<svg class=\"chart\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" "+
		"role=\"img\" font-family=\"%s\"", width, height, width, height, svg.FontStack)
	attribute(p, "aria-label", c.Label)
	attribute(p, "data-x", c.X.words(x))
	attribute(p, "data-y", c.Y.words(y))
	attribute(p, "data-across", c.X.Label)
	attribute(p, "data-up", c.Y.Label)
	if c.Y.Names != nil {
		attribute(p, "data-names", strings.Join(c.Y.Names, "\n"))
	}
	_ = p.Flush()
	return b.String() + ">\n"
}

func attribute(p *svg.Pen, name, text string) {
	fmt.Fprintf(p, " %s=\"", name)
	p.Escape(text)
	p.WriteByte('"')
}

// values returns the finite coordinates of all layers.
func (c *Panel) values() (across, up []float64) {
	for i := range c.Layers {
		l := &c.Layers[i]
		for k := range l.X {
			if !l.drawn(k) {
				continue
			}
			across, up = append(across, l.X[k]), append(up, l.Y[k])
			switch l.Kind {
			case Spans:
				up = append(up, l.Ends[k])
			case Bins:
				across, up = append(across, l.right(k)), append(up, 0)
			}
		}
	}
	return across, up
}

func (l *Layer) drawn(k int) bool {
	return finite(l.X[k]) && finite(l.Y[k]) && (l.Kind != Spans || finite(l.Ends[k]))
}

// right returns the right edge of a bar.
func (l *Layer) right(k int) float64 {
	if k+1 < len(l.X) {
		return l.X[k+1]
	}
	return l.Ends[0]
}

// legend has an entry for each name and colour.
func (c *Panel) legend() []entry {
	var all []entry
	var seen []string
	for i := range c.Layers {
		l := &c.Layers[i]
		if key := l.Name + l.Colour.String(); l.Name != "" && !slices.Contains(seen, key) {
			seen = append(seen, key)
			all = append(all, entry{l.sample(), l.Name})
		}
	}
	return all
}

func (l *Layer) sample() sample {
	switch l.Kind {
	case Dots:
		return sample{10, func(out *svg.Pen, x, y svg.Tenths) {
			fmt.Fprintf(out, "<path d=\"M%v %vh0\" stroke=\"%s\" stroke-width=\"9\" "+
				"stroke-linecap=\"round\"/>\n", x, y, l.Colour)
		}}
	case Bins:
		return boxSample(l.Colour)
	}
	return lineSample(l.Colour, l.look())
}

// look returns the attributes that make lines dashed or faint.
func (l *Layer) look() string {
	more := ""
	if l.Dashed {
		more = ` stroke-dasharray="5 4"`
	}
	if l.Faint && l.Kind == Dots {
		more += ` stroke-opacity="0.6"`
	} else if l.Faint {
		more += ` stroke-opacity="0.45"`
	}
	return more
}

// axis returns the axis of a side, without ticks.
func (s *Side) axis(values []float64) axis {
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
func (s *Side) mark(a *axis, most, width int) {
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
func (s *Side) words(a *axis) string {
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
func (l *Layer) draw(p *page, x, y *axis) {
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
		case l.Kind == Dots:
			fmt.Fprintf(&d, "M%v %vh0", at.x, at.y)
		case l.Kind == Spans:
			fmt.Fprintf(&d, "M%v %vV%v", at.x, at.y, y.at(l.Ends[k]))
		case l.Kind == Bins:
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
	if !l.Still && l.Kind != Bins && l.Kind != Spans {
		p.WriteString(` class="m"`)
		attribute(p.Pen, "data-n", l.Name)
	}
	switch l.Kind {
	case Bins:
		fmt.Fprintf(p, " fill=\"%s\"/>\n<path d=\"%s\" class=\"m\" fill=\"none\"/>\n", l.Colour,
			points.String())
	case Dots:
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
		X: Side{Label: c.X.Label, Zero: c.X.Zero, Log: c.X.Log},
		Y: Side{Label: c.Y.Label, Zero: c.Y.Zero, Log: c.Y.Log}}
	for i := range c.Curves {
		u := &c.Curves[i]
		l := Layer{Name: u.Name, Colour: svg.ClassColour(max(0, u.Colour)), X: u.X, Y: u.Y,
			Dashed: u.Style == Dashes}
		if u.Bar != nil {
			spans := Layer{Kind: Spans, Colour: l.Colour, X: u.X, Width: 14}
			for k := range u.X {
				spans.Y, spans.Ends = append(spans.Y, low(u, k)), append(spans.Ends, high(u, k))
			}
			p.Layers = append(p.Layers, spans)
		}
		switch u.Style {
		case Marks, Points, LineMarks:
			if dots := l; u.Style != LineMarks {
				dots.Kind, l = Dots, dots
			} else {
				dots.Kind, dots.Name = Dots, ""
				p.Layers = append(p.Layers, dots)
			}
		case Bars:
			l.Kind, l.Ends, l.X = Bins, nil, nil
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

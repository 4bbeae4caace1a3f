package plot

import (
	"errors"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/coppice-ml/coppice/internal/svg"
)

// Figure is a picture of curves whose numbers the caller has: one chart, or several side by side.
type Figure struct {
	Title    string
	Subtitle string // a line below the title: what is to be seen
	// from left to right; up to three fit. Each has its legend, unless all have the same
	Charts []Chart
	Notes  []string // lines below the charts
}

// Chart is curves over one pair of axes.
type Chart struct {
	X, Y   Scale
	Curves []Curve // each is drawn over those before it
}

// Scale is what an axis of a Chart shows: the values of the curves, with some space at both ends.
type Scale struct {
	Label string
	Zero  bool // the axis reaches to 0
	// values are counts from 1 up and stand where their logarithms are; Zero does not fit it
	Log bool
}

// Curve is a sequence of points.
type Curve struct {
	// in the legend, which shows curves of equal name, style and colour once; "" = not there
	Name string
	X, Y []float64 // the points, from left to right; a point that is not finite is left out
	// half the length of a bar through each point, such as a standard error; nil = no bars
	Bar    []float64
	Style  Style
	Colour int // number of a colour, from 0, for which a mark of some shape stands too
}

// Style is how a Curve is drawn.
type Style uint8

// The styles.
const (
	Line   Style = iota // points joined by straight lines
	Dashes              // likewise, dashed
	Marks               // a mark at each point
	// a pale dot at each point, such as the rows that other curves are fitted to
	Points
	LineMarks  // points joined by lines, with a mark at each
	styleCount // number of styles
)

// Write draws the figure as SVG. Errors:
//
//   - no chart or more than three, or a chart without a point;
//   - a curve whose slices are of different lengths;
//   - a value on a logarithmic axis that is not between 1 and 1e15;
//   - an unknown style or colour.
func (fig *Figure) Write(w io.Writer) error {
	if n := len(fig.Charts); n < 1 || n > mostCharts {
		return fmt.Errorf("a figure of %d charts: want 1 to %d", n, mostCharts)
	}
	for i := range fig.Charts {
		if err := fig.Charts[i].check(); err != nil {
			return fmt.Errorf("chart %d: %w", i, err)
		}
	}
	p := &page{title: fig.Title, subtitle: fig.Subtitle, notes: fig.Notes}
	shared := fig.commonLegend()
	if shared {
		p.legend = fig.Charts[0].legend()
	}
	return p.write(w, func(f frame) {
		n := len(fig.Charts)
		width := (f.w - (n-1)*chartGap) / n
		for i := range fig.Charts {
			p.chart(&fig.Charts[i], frame{f.x + i*(width+chartGap), f.y, width, f.h}, !shared)
		}
	})
}

const (
	mostCharts = 3
	chartGap   = 28   // pixels between charts
	mostCount  = 1e15 // on a logarithmic axis
)

func (c *Chart) check() error {
	points := 0
	for i, u := range c.Curves {
		switch {
		case len(u.X) != len(u.Y) || u.Bar != nil && len(u.Bar) != len(u.X):
			return fmt.Errorf("curve %d: %d places, %d values and %d bars", i, len(u.X), len(u.Y),
				len(u.Bar))
		case u.Style >= styleCount:
			return fmt.Errorf("curve %d: unknown style %d", i, u.Style)
		case u.Colour < 0:
			return fmt.Errorf("curve %d: unknown colour %d", i, u.Colour)
		}
		for k := range u.X {
			if !u.drawn(k) {
				continue
			}
			if c.X.Log && !(u.X[k] >= 1 && u.X[k] <= mostCount) || c.Y.Log &&
				!(u.low(k) >= 1 && u.high(k) <= mostCount) {
				return fmt.Errorf("curve %d: point %d is not between 1 and %g on a logarithmic axis", i, k, mostCount)
			}
			points++
		}
	}
	if points == 0 {
		return errors.New("no curve has a point")
	}
	return nil
}

// drawn reports whether point k is finite, with its bar.
func (u *Curve) drawn(k int) bool { return finite(u.X[k]) && finite(u.low(k)) && finite(u.high(k)) }

// low and high are the ends of the bar through point k.
func (u *Curve) low(k int) float64 { return u.Y[k] - u.bar(k) }

func (u *Curve) high(k int) float64 { return u.Y[k] + u.bar(k) }

func (u *Curve) bar(k int) float64 {
	if u.Bar == nil {
		return 0
	}
	return math.Abs(u.Bar[k])
}

// look is what distinguishes a curve in the legend from others.
type look struct {
	name   string
	style  Style
	colour int
}

// looks returns what is in the legend of a chart.
func (c *Chart) looks() []look {
	var all []look
	for _, u := range c.Curves {
		l := look{u.Name, u.Style, u.Colour}
		if u.Name != "" && !slices.Contains(all, l) {
			all = append(all, l)
		}
	}
	return all
}

// commonLegend reports whether one legend is enough for all charts.
func (fig *Figure) commonLegend() bool {
	first := fig.Charts[0].looks()
	return !slices.ContainsFunc(fig.Charts[1:],
		func(c Chart) bool { return !slices.Equal(c.looks(), first) })
}

func (c *Chart) legend() []entry {
	var all []entry
	for _, l := range c.looks() {
		all = append(all, entry{l.sample(), l.name})
	}
	return all
}

// sample is what stands for the curve in the legend.
func (l *look) sample() sample {
	colour := svg.ClassColour(l.colour)
	line, mark := lineSample(colour, l.style.dash()), dotSample(l.colour, colour, svg.White)
	switch l.style {
	case Marks:
		return mark
	case Points:
		return dotSample(0, pale(l.colour), svg.White)
	case LineMarks:
		return sample{line.width, func(out *svg.Pen, x, y svg.Tenths) {
			line.draw(out, x, y)
			mark.draw(out, x, y)
		}}
	}
	return line
}

// pale returns the colour of Points.
func pale(colour int) svg.Colour { return svg.Tint(svg.ClassColour(colour), 45) }

func (s Style) dash() string {
	if s == Dashes {
		return dashes[1]
	}
	return ""
}

// axis spans values.
func (s Scale) axis(values []float64) axis {
	low, high := slices.Min(values), slices.Max(values)
	if s.Log {
		return axis{low: low / 1.1, high: high * 1.1, log: true}
	}
	a := span(values)
	switch {
	case s.Zero && low >= 0:
		a.low = 0
	case s.Zero && high <= 0:
		a.high = 0
	}
	return a
}

// axes returns the axes that hold all points, without ticks.
func (c *Chart) axes() (x, y axis) {
	var across, up []float64
	for _, u := range c.Curves {
		for k := range u.X {
			if u.drawn(k) {
				across, up = append(across, u.X[k]), append(up, u.low(k), u.high(k))
			}
		}
	}
	x, y = c.X.axis(across), c.Y.axis(up)
	// counts, such as rounds
	x.whole = !slices.ContainsFunc(across, func(v float64) bool { return v != math.Floor(v) })
	return x, y
}

// chart draws one chart, with its own legend or without, into a frame.
func (p *page) chart(c *Chart, f frame, legend bool) {
	x, y := c.axes()
	if entries := c.legend(); legend && len(entries) > 0 {
		below := p.drawLegend(entries, f.x, f.y+11, f.w) + 12
		f.y, f.h = below, f.h-(below-f.y)
	}
	if y.mark(10); y.log {
		y.markCounts()
	}
	if x.mark(max(3, f.w/60)); x.log {
		x.markCounts()
	}
	g := f.inner(&x, &y, true)
	if x.log && x.crowded() {
		x.markPowers()
	}
	p.grid(g, &y)
	p.axes(g, &x, &y, c.X.Label, c.Y.Label)
	for i := range c.Curves {
		p.points(&c.Curves[i], &x, &y)
	}
}

// points draws a curve.
func (p *page) points(u *Curve, x, y *axis) {
	colour := svg.ClassColour(u.Colour)
	var line []place
	for k := range u.X {
		if !u.drawn(k) {
			continue
		}
		at := place{x.at(u.X[k]), y.at(u.Y[k])}
		if line = append(line, at); u.bar(k) > 0 {
			p.line(at.x, y.at(u.low(k)), at.x, y.at(u.high(k)), colour, 14, "")
		}
	}
	if line == nil {
		return
	}
	switch u.Style {
	case Line, Dashes, LineMarks:
		stroke(p.Pen, line, colour, 22, u.Style.dash())
	}
	for _, at := range line {
		switch u.Style {
		case Points:
			dot(p.Pen, at.x, at.y, 0, pale(u.Colour), svg.White)
		case Marks, LineMarks:
			dot(p.Pen, at.x, at.y, u.Colour, colour, svg.White)
		}
	}
}

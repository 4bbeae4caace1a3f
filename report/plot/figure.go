package plot

import (
	"errors"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/coppice-ml/coppice/internal/figure"
	"github.com/coppice-ml/coppice/internal/svg"
)

// Figure is a picture of curves whose numbers the caller has: one chart, or several side by side.
// That of a training, training.History.Figure, has the same fields and is converted to it.
type Figure figure.Figure

// What a Figure consists of.
type (
	Chart = figure.Chart
	Scale = figure.Scale
	Curve = figure.Curve
	Style = figure.Style
)

// The styles of a Curve.
const (
	Line      = figure.Line
	Dashes    = figure.Dashes
	Marks     = figure.Marks
	Points    = figure.Points
	LineMarks = figure.LineMarks
	Bars      = figure.Bars
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
		if err := check(&fig.Charts[i]); err != nil {
			return fmt.Errorf("chart %d: %w", i, err)
		}
	}
	p := &page{title: fig.Title, subtitle: fig.Subtitle, notes: fig.Notes}
	shared := fig.commonLegend()
	if shared {
		p.legend = legend(&fig.Charts[0])
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

func check(c *Chart) error {
	points := 0
	for i, u := range c.Curves {
		switch {
		case len(u.X) != len(u.Y) || u.Bar != nil && len(u.Bar) != len(u.X):
			return fmt.Errorf("curve %d: %d places, %d values and %d bars", i, len(u.X), len(u.Y),
				len(u.Bar))
		case u.Style > Bars:
			return fmt.Errorf("curve %d: unknown style %d", i, u.Style)
		case u.Colour < 0:
			return fmt.Errorf("curve %d: unknown colour %d", i, u.Colour)
		}
		for k := range u.X {
			if !drawn(&u, k) {
				continue
			}
			if c.X.Log && !(u.X[k] >= 1 && u.X[k] <= mostCount) || c.Y.Log &&
				!(low(&u, k) >= 1 && high(&u, k) <= mostCount) {
				return fmt.Errorf("curve %d: point %d is not between 1 and %g on a logarithmic axis",
					i, k, mostCount)
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
func drawn(u *Curve, k int) bool {
	return finite(u.X[k]) && finite(low(u, k)) && finite(high(u, k))
}

// low and high are the ends of the bar through point k.
func low(u *Curve, k int) float64 { return u.Y[k] - barAt(u, k) }

func high(u *Curve, k int) float64 { return u.Y[k] + barAt(u, k) }

func barAt(u *Curve, k int) float64 {
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
func looks(c *Chart) []look {
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
	first := looks(&fig.Charts[0])
	return !slices.ContainsFunc(fig.Charts[1:],
		func(c Chart) bool { return !slices.Equal(looks(&c), first) })
}

func legend(c *Chart) []entry {
	var all []entry
	for _, l := range looks(c) {
		all = append(all, entry{l.sample(), l.name})
	}
	return all
}

// sample is what stands for the curve in the legend.
func (l *look) sample() sample {
	colour := svg.ClassColour(l.colour)
	line, mark := lineSample(colour, dash(l.style)), dotSample(l.colour, colour, svg.White)
	switch l.style {
	case Marks:
		return mark
	case Points:
		return dotSample(0, pale(l.colour), svg.White)
	case Bars:
		return boxSample(colour)
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

func dash(s Style) string {
	if s == Dashes {
		return dashes[1]
	}
	return ""
}

// axis spans values.
func scaleAxis(s Scale, values []float64) axis {
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
func axes(c *Chart) (x, y axis) {
	var across, up []float64
	for _, u := range c.Curves {
		for k := range u.X {
			if drawn(&u, k) {
				across, up = append(across, u.X[k]), append(up, low(&u, k), high(&u, k))
			}
		}
	}
	points := len(across)
	if wide := float64(barWidth(c) / 2); slices.ContainsFunc(c.Curves,
		func(u Curve) bool { return u.Style == Bars }) && !c.X.Log {
		across = append(across, slices.Min(across)-wide, slices.Max(across)+wide)
	}
	x, y = scaleAxis(c.X, across), scaleAxis(c.Y, up)
	// counts, such as rounds
	x.whole = !slices.ContainsFunc(across[:points],
		func(v float64) bool { return v != math.Floor(v) })
	return x, y
}

// chart draws one chart, with its own legend or without, into a frame.
func (p *page) chart(c *Chart, f frame, own bool) {
	x, y := axes(c)
	if entries := legend(c); own && len(entries) > 0 {
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
	p.grid(g, &y)
	p.axes(g, &x, &y, c.X.Label, c.Y.Label)
	wide := barWidth(c)
	for i := range c.Curves {
		if u := &c.Curves[i]; u.Style == Bars {
			p.bars(u, &x, &y, wide)
		} else {
			p.points(u, &x, &y)
		}
	}
}

// barWidth returns how wide the bars of a chart are, as a difference of x: four fifths of the least
// distance between two of them, or of 1.
func barWidth(c *Chart) float64 {
	var at []float64
	for _, u := range c.Curves {
		for k := range u.X {
			if u.Style == Bars && drawn(&u, k) {
				at = append(at, u.X[k])
			}
		}
	}
	slices.Sort(at)
	at = slices.Compact(at)
	least := 1.0
	for i := 1; i < len(at); i++ {
		if d := at[i] - at[i-1]; i == 1 || d < least {
			least = d
		}
	}
	return float64(0.8 * least)
}

// bars draws a curve of bars. They stand on 0, or on the end of the axis that is next to it.
func (p *page) bars(u *Curve, x, y *axis, wide float64) {
	base := y.at(min(y.high, max(y.low, 0)))
	for k := range u.X {
		if !drawn(u, k) {
			continue
		}
		half := float64(wide / 2)
		left, right, top := x.at(u.X[k]-half), x.at(u.X[k]+half), y.at(u.Y[k])
		p.Rect(left, min(top, base), right-left, max(top, base)-min(top, base),
			svg.ClassColour(u.Colour), "")
	}
}

// points draws a curve.
func (p *page) points(u *Curve, x, y *axis) {
	colour := svg.ClassColour(u.Colour)
	var line []place
	for k := range u.X {
		if !drawn(u, k) {
			continue
		}
		at := place{x.at(u.X[k]), y.at(u.Y[k])}
		if line = append(line, at); barAt(u, k) > 0 {
			p.line(at.x, y.at(low(u, k)), at.x, y.at(high(u, k)), colour, 14, "")
		}
	}
	if line == nil {
		return
	}
	switch u.Style {
	case Line, Dashes, LineMarks:
		stroke(p.Pen, line, colour, 22, dash(u.Style))
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

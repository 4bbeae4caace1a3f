package plot

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/internal/svg"
	"github.com/coppice-ml/coppice/tree"
)

// draw lays the panels out in a grid, or as bars of one chart if no column has more than one split.
func (p *candidates) draw(f frame) {
	n := len(p.panels)
	if !slices.ContainsFunc(p.panels, func(c panel) bool { return len(c.points) > 1 }) {
		p.drawSingles(f)
		return
	}
	across := [...]int{0, 1, 2, 3, 2, 3, 3, 3, 3, 3}[n]
	down := (n + across - 1) / across
	const gap = 22
	w, h := (f.w-(across-1)*gap)/across, (f.h-(down-1)*8)/down
	for i := range p.panels {
		p.panel(&p.panels[i], frame{f.x + i%across*(w+gap), f.y + i/across*(h+8), w, h})
	}
}

var (
	panelStyle = svg.Style{Size: 14, Bold: true, Ink: svg.Ink}
	bestStyle  = svg.Style{Size: 13, Ink: svg.Ink}
)

// drawSingles draws a bar per column.
func (p *candidates) drawSingles(f frame) {
	left := 0
	for i := range p.panels {
		left = max(left, panelStyle.Width(p.panels[i].question()))
	}
	left = min(left, f.w/2)
	x := p.gains()
	x.from, x.to = f.x+left+12, f.x+f.w-80
	line := min(96, f.h/len(p.panels))
	for i := range p.panels {
		c := &p.panels[i]
		y := f.y + 8 + i*line
		p.Text(panelStyle, f.x+left, y+line*3/10+5, "end", panelStyle.Fit(c.question(), left))
		end := x.at(c.best.gain)
		p.Rect(svg.Tenths(10*x.from), svg.Tenths(10*y), max(10, end-svg.Tenths(10*x.from)),
			svg.Tenths(6*line), p.colour(c), ` rx="2"`)
		p.Text(labelStyle, int(end)/10+8, y+line*3/10+5, "start", humanize.Number(c.best.gain, 4))
	}
}

// question names the column and its best split.
func (c *panel) question() string {
	switch {
	case len(c.points) == 0:
		return c.name() + ": no split"
	case c.best.Kind == tree.ByCode:
		return c.field.Name
	case c.best.Known:
		return c.name() + " known"
	case c.field.Kind == data.Numeric:
		return c.name() + " ≤ " + c.splitPoint()
	case len(c.best.Codes) == 1:
		return c.field.Name + " = " + c.level(c.best.Codes[0])
	}
	return c.field.Name + " in " + c.set(c.best)
}

func (c *panel) name() string { return columnName(&c.field) }

// splitPoint is the best split point of a numeric column, of days since a date a date.
func (c *panel) splitPoint() string {
	if c.date != "" {
		return c.date
	}
	return humanize.Number(c.best.SplitPoint, 4)
}

// panel draws one column.
func (p *candidates) panel(c *panel, f frame) {
	inOrder := c.ordered && len(c.points)*barLine > f.h-panelHead
	best := bestStyle.Fit(c.bestWords(inOrder), f.w*3/5)
	p.Text(panelStyle, f.x, f.y+14, "start",
		panelStyle.Fit(c.name(), f.w-bestStyle.Width(best)-8))
	p.Text(bestStyle, f.x+f.w, f.y+14, "end", best)
	f.y, f.h = f.y+panelHead, f.h-panelHead
	switch {
	case len(c.points) == 0:
	case c.field.Kind == data.Numeric:
		p.drawSplitPoints(c, f)
	case inOrder:
		p.drawOrder(c, f)
	default:
		p.drawBars(c, f)
	}
}

// panelHead is the height of the line above a panel's chart.
const panelHead = 20

// bestWords describes what the best split of a column is and what it gains.
func (c *panel) bestWords(inOrder bool) string {
	gain := humanize.Number(c.best.gain, 3)
	switch {
	case len(c.points) == 0:
		return "no split"
	case c.best.Known:
		return "known: " + gain
	case c.field.Kind == data.Numeric:
		return "≤ " + c.splitPoint() + ": " + gain
	case inOrder:
		return fmt.Sprintf("first %d: %s", len(c.best.Codes), gain)
	}
	return gain
}

// colour is that of a column's best split.
func (p *candidates) colour(c *panel) svg.Colour {
	if c.column == p.tried.Best {
		return svg.Above
	}
	return svg.Below
}

// gains returns the common axis of all panels.
func (p *candidates) gains() axis {
	y := axis{low: 1.08 * p.low, high: 1.08 * p.high}
	if !(y.high > 0) {
		y.high = 1
	}
	y.mark(4)
	return y
}

// mostStems is the number of candidates up to which each has a stem.
const mostStems = 16

// drawSplitPoints draws gains over split points.
func (p *candidates) drawSplitPoints(c *panel, f frame) {
	var splitPoints []float64
	points := slices.DeleteFunc(slices.Clone(c.points),
		func(pt point) bool { return !finite(pt.SplitPoint) })
	for _, pt := range points {
		splitPoints = append(splitPoints, pt.SplitPoint)
	}
	x := span(splitPoints)
	x.markOf(&c.field, max(2, f.w/50))
	p.drawCurve(c, points, f, &x, splitPoints)
}

// drawOrder draws gains over the number of categories that go first, where they are too many to
// name.
func (p *candidates) drawOrder(c *panel, f frame) {
	sizes := make([]float64, len(c.points))
	for i, pt := range c.points {
		sizes[i] = float64(len(pt.Codes))
	}
	x := span(sizes)
	x.markWhole(max(2, f.w/45))
	p.drawCurve(c, c.points, f, &x, sizes)
}

// drawCurve draws points over their places on an axis.
func (p *candidates) drawCurve(c *panel, points []point, f frame, x *axis, places []float64) {
	y := p.gains()
	g := f.inner(x, &y, false)
	g.h += labelSpace
	y.from = g.y + g.h
	p.grid(g, &y)
	p.axes(g, x, &y, "", "")
	if gamma := p.tried.Gamma; gamma > 0 {
		p.line(svg.Tenths(10*g.x), y.at(gamma), svg.Tenths(10*(g.x+g.w)), y.at(gamma), svg.Above,
			12, ` stroke-dasharray="5 4"`)
	}
	line := make([]place, len(points))
	for i, pt := range points {
		line[i] = place{x.at(places[i]), y.at(pt.gain)}
		if len(points) <= mostStems {
			shade := svg.Tint(svg.Below, pt.depth(60))
			p.line(line[i].x, y.at(0), line[i].x, line[i].y, shade, 20, "")
			dot(p.Pen, line[i].x, line[i].y, 0, shade, svg.White)
		}
	}
	if len(points) > mostStems {
		depth := 75
		if !slices.ContainsFunc(points, func(pt point) bool { return pt.Refused == "" }) {
			depth = points[0].depth(depth)
		}
		stroke(p.Pen, line, svg.Tint(svg.Below, depth), 16, "")
	}
	for i, pt := range points {
		if pt.Best {
			dot(p.Pen, line[i].x, line[i].y, 0, p.colour(c), svg.White)
		}
	}
}

// barLine is the least height of a bar with its text.
const barLine = 24

// drawBars draws a bar per set of categories, with the set on it; of many sets those of the largest
// gains.
func (p *candidates) drawBars(c *panel, f frame) {
	points := slices.Clone(c.points)
	if !c.ordered {
		slices.SortStableFunc(points, func(a, b point) int { return cmp.Compare(b.gain, a.gain) })
	}
	if shown := max(1, f.h/barLine); len(points) > shown {
		points = points[:max(1, shown-1)]
	}
	lines := len(points)
	if lines < len(c.points) {
		lines++ // for the number of the others
	}
	line := max(barLine, min(36, f.h/lines))
	space := f.w - tickStyle.Width("0.00000")
	for i, pt := range points {
		fill := svg.Tint(svg.Below, pt.depth(25))
		if pt.Best {
			fill = svg.Tint(p.colour(c), 55)
		}
		y, length := f.y+i*line+4, 0
		if p.high > 0 {
			length = int(math.Round(float64(space) * max(0, pt.gain/p.high)))
		}
		p.Rect(svg.Tenths(10*f.x), svg.Tenths(10*y), svg.Tenths(10*max(1, length)),
			svg.Tenths(10*(line-4)), fill, ` rx="2"`)
		p.Text(bestStyle, f.x+6, y+line/2+3, "start", bestStyle.Fit(c.bar(i, pt), space-8))
		p.Text(tickStyle, f.x+f.w, y+line/2+3, "end", humanize.Number(pt.gain, 3))
	}
	if rest := len(c.points) - len(points); rest > 0 {
		p.Text(tickStyle, f.x+6, f.y+len(points)*line+18, "start",
			fmt.Sprintf("+%d more sets", rest))
	}
}

// depth is the strength of a candidate's colour, of which one that is forbidden has a third.
func (pt *point) depth(full int) int {
	if pt.Refused != "" {
		return full / 3
	}
	return full
}

// bar names a set; where sets grow one by one, the category that comes in.
func (c *panel) bar(i int, pt point) string {
	switch {
	case pt.Kind == tree.ByCode:
		return "a child for each category"
	case pt.Known:
		return "any known"
	case c.ordered && i > 0:
		return "+ " + c.level(pt.Codes[len(pt.Codes)-1])
	}
	return c.set(pt)
}

// set lists the categories that go first.
func (c *panel) set(pt point) string {
	names := make([]string, len(pt.Codes))
	for i, code := range pt.Codes {
		names[i] = c.level(code)
	}
	if len(names) == 1 {
		return names[0]
	}
	return "{" + strings.Join(names, ", ") + "}"
}

func (c *panel) level(code uint32) string {
	if uint(code) < uint(len(c.field.Levels)) {
		return c.field.Levels[code]
	}
	return fmt.Sprintf("#%d", code)
}

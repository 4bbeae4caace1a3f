package plot

import (
	"fmt"
	"slices"

	"github.com/coppice-ml/coppice/internal/svg"
)

// drawPlane draws the cells of the plane of two columns and the points.
func (p *partition) drawPlane(f frame) {
	right, up := p.Data.Columns[p.columns[0]].Numbers(), p.Data.Columns[p.columns[1]].Numbers()
	x, y := span(right), span(up)
	x.markOf(p.field(0), 9)
	y.markOf(p.field(1), 7)
	g := f.inner(&x, &y, true)
	for _, c := range p.plane.cells(vertex{x.low, y.low}, vertex{x.high, y.high}) {
		places := make([]place, len(c.corners))
		for i, v := range c.corners {
			places[i] = place{x.at(v.x), y.at(v.y)}
		}
		fmt.Fprintf(p, "<path d=\"%sz\" fill=\"%s\" stroke=\"%s\" stroke-width=\"1.2\"/>\n",
			path(places), p.fill(c.node), svg.White)
	}
	p.axes(g, &x, &y, p.name(0), p.name(1))
	for _, r := range p.rows {
		if p.classes() {
			k := int(p.Data.Target.Class[r])
			dot(p.Pen, x.at(right[r]), y.at(up[r]), k, svg.ClassColour(k), svg.White)
		} else {
			dot(p.Pen, x.at(right[r]), y.at(up[r]), 0, p.ramp.at(p.Data.Target.Y[0][r]), svg.Ink)
		}
	}
}

// interval is a stretch of a line, from one value to another, whose points end at one node.
type interval struct {
	from, to float64
	node     int32
}

// intervals splits a line into the intervals in which the tree's prediction is constant, in
// ascending order.
func (p *plane) intervals(low, high float64) []interval {
	painted := p.cells(vertex{low, 0}, vertex{high, 1})
	var ends []float64
	all := make([]interval, len(painted))
	for i, c := range painted {
		all[i] = interval{c.corners[0].x, c.corners[0].x, c.node}
		for _, v := range c.corners {
			all[i].from, all[i].to = min(all[i].from, v.x), max(all[i].to, v.x)
		}
		ends = append(ends, all[i].from, all[i].to)
	}
	slices.Sort(ends)
	ends = slices.Compact(ends)
	var regions []interval
	for i := 1; i < len(ends); i++ {
		from, to := ends[i-1], ends[i]
		for _, c := range slices.Backward(all) { // what was painted last is seen
			if c.from <= from && to <= c.to {
				if last := len(regions) - 1; last >= 0 && regions[last].node == c.node {
					regions[last].to = to
				} else {
					regions = append(regions, interval{from, to, c.node})
				}
				break
			}
		}
	}
	return regions
}

// drawStrips draws the line of one column as strips in the colours of the predicted classes, and
// the points in one lane for each class.
func (p *partition) drawStrips(f frame) {
	values := p.Data.Columns[p.columns[0]].Numbers()
	x := span(values)
	x.markOf(p.field(0), 9)
	y := axis{low: 0, high: float64(len(p.Spec.Classes))}
	for k, name := range p.Spec.Classes {
		y.ticks = append(y.ticks, tick{y.high - float64(k) - 0.5, tickStyle.Fit(name, 160)})
	}
	g := f.inner(&x, &y, true)
	for _, c := range p.plane.intervals(x.low, x.high) {
		p.Rect(x.at(c.from), svg.Tenths(10*g.y), x.at(c.to)-x.at(c.from), svg.Tenths(10*g.h),
			p.fill(c.node),
			fmt.Sprintf(" stroke=\"%s\" stroke-width=\"1.2\"", svg.White))
	}
	p.axes(g, &x, &y, p.name(0), p.Spec.Label)
	for i, r := range p.rows {
		k := int(p.Data.Target.Class[r])
		lane := y.high - float64(k) - 0.15 - float64(0.7*scatter(i))
		dot(p.Pen, x.at(values[r]), y.at(lane), k, svg.ClassColour(k), svg.White)
	}
}

// scatter spreads the numbers from 0 up evenly over 0 to 1: the fraction of their multiples of the
// golden ratio, in integers.
func scatter(i int) float64 { return float64(uint32(i)*2654435769>>8) / (1 << 24) }

// drawSteps draws the prediction of a number over one column, and the points.
func (p *partition) drawSteps(f frame) {
	values, labels := p.Data.Columns[p.columns[0]].Numbers(), p.Data.Target.Y[0]
	x := span(values)
	regions := p.plane.intervals(x.low, x.high)
	heights := slices.Clone(labels)
	for _, c := range regions {
		heights = append(heights, p.response[c.node][0])
	}
	y := span(heights)
	x.markOf(p.field(0), 9)
	y.mark(7)
	g := f.inner(&x, &y, true)
	p.grid(g, &y)
	p.axes(g, &x, &y, p.name(0), p.Spec.Label)
	for _, r := range p.rows {
		dot(p.Pen, x.at(values[r]), y.at(labels[r]), 0, pointColour, svg.White)
	}
	var line []place
	for _, c := range regions {
		at := y.at(p.response[c.node][0])
		line = append(line, place{x.at(c.from), at}, place{x.at(c.to), at})
	}
	stroke(p.Pen, line, svg.Above, 30, "")
}

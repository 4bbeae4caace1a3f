package plot

import (
	"github.com/coppice-ml/coppice/internal/svg"
)

// grid lays out panels that have the same axes. Ticks and labels stand at the left panel of each
// row and at the lowest panel of each column.
type grid struct {
	n            int // panels
	across, down int
	left, top    int // of the first panel, in pixels
	w, h         int // of a panel
	gapX, gapY   int
}

// gridAcross is the number of panels side by side, by their number.
var gridAcross = [MostPanels + 1]int{0, 1, 2, 3, 4, 3, 3, 4, 4}

// layOut divides a frame.
func (g *grid) layOut(f frame, y *axis) {
	g.across = gridAcross[g.n]
	g.down = (g.n + g.across - 1) / g.across
	ticks := 0
	for _, t := range y.ticks {
		ticks = max(ticks, tickStyle.Width(t.text))
	}
	head := 26 // a title
	if g.n == 1 {
		head = 4
	}
	g.gapX, g.gapY = 18, head+4
	g.left, g.top = f.x+ticks+10, f.y+labelSpace+head
	g.w = (f.x + f.w - 8 - g.left - (g.across-1)*g.gapX) / g.across
	bottom := f.y + f.h - tickSpace - labelSpace
	g.h = (bottom - g.top - (g.down-1)*g.gapY) / g.down
}

// place gives axes the pixels of a panel.
func (g *grid) place(i int, x, y *axis) {
	left, top := g.left+i%g.across*(g.w+g.gapX), g.top+i/g.across*(g.h+g.gapY)
	x.from, x.to, y.from, y.to = left, left+g.w, top+g.h, top
}

// axes draws the frame of a panel and, at the rim of the grid, ticks and labels.
func (g *grid) axes(p *page, i int, x, y *axis, xLabel, yLabel string) {
	low := i+g.across >= g.n
	x.thin()
	y.thin()
	if i%g.across == 0 {
		for _, t := range y.ticks {
			p.Text(tickStyle, x.from-8, int(y.at(t.at)+45)/10, "end", t.text)
		}
	}
	base := svg.Tenths(10 * y.from)
	if low {
		for _, t := range x.ticks {
			at := x.at(t.at)
			p.line(at, base, at, base+50, svg.Faded, 10, "")
			p.Text(tickStyle, int(at+5)/10, y.from+20, "middle", t.text)
		}
	}
	p.line(svg.Tenths(10*x.from), base, svg.Tenths(10*x.to), base, svg.Faded, 10, "")
	if i == 0 {
		p.Text(labelStyle, margin, g.top-g.gapY-6, "start", labelStyle.Fit(yLabel, g.w*g.across))
	}
	if low {
		p.Text(labelStyle, x.from+g.w/2, y.from+20+labelSpace-1, "middle",
			labelStyle.Fit(xLabel, g.w))
	}
}

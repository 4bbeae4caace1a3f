package plot

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/coppice-ml/coppice/internal/svg"
)

// The size of a picture, in pixels, and what its heading takes.
const (
	pageWidth  = 960
	pageHeight = 540
	margin     = 32
	noteLine   = 17
	tickSpace  = 24 // below a chart, for the numbers
	labelSpace = 22 // and for the axis label; above it likewise
)

var (
	titleStyle    = svg.Style{Size: 22, Bold: true, Ink: svg.Ink}
	subtitleStyle = svg.Style{Size: 14, Ink: svg.Faded}
	legendStyle   = svg.Style{Size: 14, Ink: svg.Ink}
	labelStyle    = svg.Style{Size: 14, Ink: svg.Ink}
	tickStyle     = svg.Style{Size: 13, Ink: svg.Faded}
	noteStyle     = svg.Style{Size: 12, Ink: svg.Faded}
)

// gridLine is the colour of lines behind the data.
const gridLine svg.Colour = 0xe8ecf0

// page is a picture with its heading, its legend and its notes; the charts fill the rest.
type page struct {
	title, subtitle string
	legend          []entry
	notes           []string
	*svg.Pen
}

// entry is one item of the legend: a sample and its name.
type entry struct {
	sample
	text string
}

// frame is a rectangle in pixels.
type frame struct{ x, y, w, h int }

// write draws the page; draw fills the frame that is left for the charts.
func (p *page) write(w io.Writer, draw func(f frame)) error {
	p.Pen = svg.NewPen(w)
	space := pageWidth - 2*margin
	description := p.subtitle
	for _, n := range p.notes {
		description += " " + n
	}
	p.Begin(pageWidth, pageHeight, p.title, description)
	p.Text(titleStyle, margin, 46, "start", titleStyle.Fit(p.title, space))
	subtitle, rest := p.subtitle, ""
	for subtitleStyle.Width(subtitle) > space { // its last sentences become a note
		at := strings.LastIndex(strings.TrimSuffix(subtitle, "."), ". ")
		if at < 0 {
			break
		}
		subtitle, rest = subtitle[:at+1], p.subtitle[at+2:]
	}
	p.Text(subtitleStyle, margin, 69, "start", subtitleStyle.Fit(subtitle, space))
	if rest != "" {
		p.notes = slices.Insert(p.notes, 0, rest)
	}
	top := 84
	if len(p.legend) > 0 {
		top = p.drawLegend(p.legend, margin, 95, space) + 12
	}
	bottom := pageHeight - 16 - noteLine*len(p.notes)
	for i, note := range p.notes {
		p.Text(noteStyle, margin, bottom+noteLine*(i+1)-1, "start", noteStyle.Fit(note, space))
	}
	draw(frame{margin, top, space, bottom - 6 - top})
	p.End()
	return p.Flush()
}

// mostLegend is the number of lines that the legend may take.
const mostLegend = 3

// drawLegend sets entries in lines from the given place to the right, the first with its base line
// at y, and returns the last one's. What does not fit is counted.
func (p *page) drawLegend(entries []entry, left, y, space int) int {
	x, line, most := 0, 1, space
	if legendWidth(entries) > space {
		most = 200
	}
	for i, e := range entries {
		text := legendStyle.Fit(e.text, most)
		w := e.width + 7 + legendStyle.Width(text)
		more := fmt.Sprintf("+%d more", len(entries)-i)
		if last := line == mostLegend && i+1 < len(entries); last &&
			x+w+18+legendStyle.Width(more) > space {
			p.Text(legendStyle, left+x, y, "start", more)
			return y
		}
		if x > 0 && x+w > space {
			x, y, line = 0, y+21, line+1
		}
		e.draw(p.Pen, svg.Tenths(10*(left+x)+5*e.width), svg.Tenths(10*y-50))
		p.Text(legendStyle, left+x+e.width+7, y, "start", text)
		x += w + 20
	}
	return y
}

// legendWidth is the width of entries in one line.
func legendWidth(entries []entry) int {
	w := 0
	for _, e := range entries {
		w += e.width + 27 + legendStyle.Width(e.text)
	}
	return w
}

// inner returns the rectangle of a chart with axes inside a frame, which is the frame less the
// space for ticks and labels, and spans the axes along it, with as many ticks as fit.
func (f frame) inner(x, y *axis, yLabel bool) frame {
	left := 0
	for _, t := range y.ticks {
		left = max(left, tickStyle.Width(t.text))
	}
	g := frame{f.x + left + 10, f.y + 4, f.w - left - 10 - 8, f.h - 4 - tickSpace - labelSpace}
	if yLabel {
		g.y, g.h = g.y+labelSpace, g.h-labelSpace
	}
	x.from, x.to, y.from, y.to = g.x, g.x+g.w, g.y+g.h, g.y
	x.thin()
	y.thin()
	return g
}

// grid draws lines behind the data.
func (p *page) grid(g frame, y *axis) {
	for _, t := range y.ticks {
		at := y.at(t.at)
		p.line(svg.Tenths(10*g.x), at, svg.Tenths(10*(g.x+g.w)), at, gridLine, 10, "")
	}
}

// axes draws the ticks and the labels of a chart; the label of the vertical axis stands above it,
// so that it is horizontal, too.
func (p *page) axes(g frame, x, y *axis, xLabel, yLabel string) {
	for _, t := range y.ticks {
		at := y.at(t.at)
		p.Text(tickStyle, g.x-8, int(at+45)/10, "end", t.text)
	}
	base := svg.Tenths(10 * (g.y + g.h))
	for _, t := range x.ticks {
		at := x.at(t.at)
		p.line(at, base, at, base+50, svg.Faded, 10, "")
		p.Text(tickStyle, int(at+5)/10, g.y+g.h+20, "middle", t.text)
	}
	p.line(svg.Tenths(10*g.x), base, svg.Tenths(10*(g.x+g.w)), base, svg.Faded, 10, "")
	p.Text(labelStyle, g.x+g.w/2, g.y+g.h+20+labelSpace-1, "middle", labelStyle.Fit(xLabel, g.w))
	p.Text(labelStyle, g.x, g.y-10, "start", labelStyle.Fit(yLabel, g.w))
}

// line draws a line of so many tenths of a pixel.
func (p *page) line(x1, y1, x2, y2 svg.Tenths, c svg.Colour, width svg.Tenths, more string) {
	fmt.Fprintf(p, "<line x1=\"%v\" y1=\"%v\" x2=\"%v\" y2=\"%v\" stroke=\"%s\" "+
		"stroke-width=\"%v\"%s/>\n", x1, y1, x2, y2, c, width, more)
}

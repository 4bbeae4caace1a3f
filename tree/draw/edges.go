package draw

import (
	"fmt"
	"math"
	"strings"

	"github.com/coppice-ml/coppice/internal/svg"
)

var markStyle = svg.Style{Size: 11, Ink: svg.Faded}

const (
	mostMark  = 146 // width of a level at its branch
	markPad   = 6   // what the white behind a mark is wider than its text
	markHigh  = 16
	bendSpace = 56 // of the bend of an edge before a level
	markGap   = 4  // between a level and the card that its branch leads to
)

// drawEdge draws the ribbon from the parent of card i. It is straight as far as the cards of the
// parent's level reach, then bent, and straight again where a level stands on it. The ribbons of a
// parent leave it side by side, so that together they are as wide as its rows.
func (p *picture) drawEdge(out *svg.Pen, i int) {
	child, parent := &p.cards[i], &p.cards[p.parent[i]]
	offset, width := p.port(i)
	level := svg.Tenths(10 * p.levelSpace(parent.node)) // what the end of the edge keeps straight
	if p.right {
		x2, y2 := svg.Tenths(10*child.x)-level, svg.Tenths(10*child.y+5*child.h)
		x1, y1 := x2+level-svg.Tenths(10*p.gap), svg.Tenths(10*parent.y+5*parent.h)+offset
		fmt.Fprintf(out, "<path d=\"M%v %vH%vC%v %v %v %v %v %v",
			svg.Tenths(10*(parent.x+parent.w)), y1, x1,
			(x1+x2)/2, y1, (x1+x2)/2, y2, x2, y2)
		if level > 0 {
			fmt.Fprintf(out, "H%v", x2+level)
		}
	} else {
		x2, y2 := svg.Tenths(10*child.x+5*child.w), svg.Tenths(10*child.y)-level
		x1, y1 := svg.Tenths(10*parent.x+5*parent.w)+offset, y2+level-svg.Tenths(10*p.gap)
		fmt.Fprintf(out, "<path d=\"M%v %vV%vC%v %v %v %v %v %v", x1,
			svg.Tenths(10*(parent.y+parent.h)), y1,
			x1, (y1+y2)/2, x2, (y1+y2)/2, x2, y2)
		if level > 0 {
			fmt.Fprintf(out, "V%v", y2+level)
		}
	}
	colour := svg.Ribbon
	if p.path[child.node] {
		colour, width = svg.Faded, max(width, 25)
	}
	fmt.Fprintf(out, "\" fill=\"none\" stroke=\"%s\" stroke-width=\"%v\"/>\n", colour, width)
}

// port returns the width of the edge to card i and how far from the middle of the parent's side it
// leaves. Edges that are wider together than that side overlap.
func (p *picture) port(i int) (offset, width svg.Tenths) {
	parent := &p.cards[p.parent[i]]
	side := svg.Tenths(10 * parent.w)
	if p.right {
		side = svg.Tenths(10 * parent.h)
	}
	n := p.cards[i].node
	all, before := svg.Tenths(0), svg.Tenths(0)
	for _, c := range p.answers(parent.node) {
		if c == n {
			before = all
		}
		all += p.edge(c)
	}
	width = p.edge(n)
	offset = before + width/2 - all/2
	if all > side {
		offset = offset * side / all
	}
	return offset, width
}

func (p *picture) edge(n int32) svg.Tenths {
	if fraction, ok := p.fraction(n); ok {
		return max(thinEdge, svg.Tenths(math.Round(edgeWidth*fraction)))
	}
	return 2 * thinEdge
}

// drawMark writes the answer on the edge to card i: yes or no where it bends, a level where it
// arrives, as many of them stand side by side.
func (p *picture) drawMark(out *svg.Pen, i int) {
	child, parent := &p.cards[i], &p.cards[p.parent[i]]
	q := p.question(parent.node, briefWording(p.digits))
	space := mostMark
	if !p.right {
		space = min(space, child.w-markPad)
	}
	mark := shortAnswer(&q, child.node, space)
	w := markStyle.Width(mark) + markPad
	x, y := (parent.x+parent.w/2+child.x+child.w/2)/2, child.y-p.gap/2
	switch {
	case q.level != nil && p.right:
		x, y = child.x-markGap-w/2, child.y+child.h/2
	case q.level != nil:
		x, y = child.x+child.w/2, child.y-markGap-markHigh/2
	case p.right:
		x, y = child.x-p.gap/2, (parent.y+parent.h/2+child.y+child.h/2)/2
	}
	out.Rect(svg.Tenths(10*x-5*w), svg.Tenths(10*(y-markHigh/2)), svg.Tenths(10*w), 10*markHigh,
		svg.White, ` rx="3" fill-opacity="0.85"`)
	out.Text(markStyle, x, y+4, "middle", mark)
}

// shortAnswer returns the mark of a branch; a level that is wider than space pixels is shortened.
func shortAnswer(q *question, child int32, space int) string {
	mark := q.answer(child)
	if q.level == nil || markStyle.Width(mark) <= space {
		return mark
	}
	level := q.level(child)
	rest := strings.TrimPrefix(mark, level)
	return markStyle.Fit(level, space-markStyle.Width(rest)) + rest
}

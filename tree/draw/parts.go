package draw

import (
	"fmt"
	"math"

	"github.com/coppice-ml/coppice/tree"
)

var (
	markStyle    = style{11, false, faded}
	segmentStyle = style{9, true, ink}
	noteStyle    = style{11, false, faded}
)

const noteLine = 16

// drawEdge draws the ribbon from the parent of card i: straight as far as the cards of the parent's level reach, then
// bent. The ribbons of a parent lie side by side where they leave it, as the rows that they stand for do.
func (p *picture) drawEdge(out *pen, i int) {
	child, parent := &p.cards[i], &p.cards[p.parent[i]]
	offset, width := p.port(i)
	if p.right {
		x2, y2 := tenths(10*child.x), tenths(10*child.y+5*child.h)
		x1, y1 := x2-tenths(10*p.gap), tenths(10*parent.y+5*parent.h)+offset
		fmt.Fprintf(out, "<path d=\"M%v %vH%vC%v %v %v %v %v %v\"", tenths(10*(parent.x+parent.w)), y1, x1,
			(x1+x2)/2, y1, (x1+x2)/2, y2, x2, y2)
	} else {
		x2, y2 := tenths(10*child.x+5*child.w), tenths(10*child.y)
		x1, y1 := tenths(10*parent.x+5*parent.w)+offset, y2-tenths(10*p.gap)
		fmt.Fprintf(out, "<path d=\"M%v %vV%vC%v %v %v %v %v %v\"", x1, tenths(10*(parent.y+parent.h)), y1,
			x1, (y1+y2)/2, x2, (y1+y2)/2, x2, y2)
	}
	fmt.Fprintf(out, " fill=\"none\" stroke=\"%s\" stroke-width=\"%v\"/>\n", ribbon, width)
}

// port returns the width of the edge to card i and how far from the middle of the parent's side it leaves.
func (p *picture) port(i int) (offset, width tenths) {
	n := p.cards[i].node
	mother := p.cards[p.parent[i]].node
	first, last := p.t.Child[mother], p.t.Child[mother]+p.t.Arity[mother]-1
	all, before := tenths(0), tenths(0)
	for c := first; c <= last; c++ {
		w := p.edge(c)
		if c < n {
			before += w
		}
		all += w
	}
	width = p.edge(n)
	return before + width/2 - all/2, width
}

func (p *picture) edge(n int32) tenths {
	if share, ok := p.share(n); ok {
		return max(thinEdge, tenths(math.Round(edgeWidth*share)))
	}
	return 2 * thinEdge
}

// drawMark writes yes or no on the edge to card i, where it bends.
func (p *picture) drawMark(out *pen, i int) {
	child, parent := &p.cards[i], &p.cards[p.parent[i]]
	q := p.question(parent.node, briefWording(p.digits))
	mark := q.answer(child.node)
	x, y := (parent.x+parent.w/2+child.x+child.w/2)/2, child.y-p.gap/2
	if p.right {
		x, y = child.x-p.gap/2, (parent.y+parent.h/2+child.y+child.h/2)/2
	}
	w := markStyle.width(mark) + 6
	out.rect(tenths(10*x-5*w), tenths(10*(y-8)), tenths(10*w), 160, white, ` rx="3" fill-opacity="0.85"`)
	out.text(markStyle, x, y+4, "middle", mark)
}

// drawCard draws a node.
func (p *picture) drawCard(out *pen, c *card) {
	fmt.Fprintf(out, "<g data-node=\"%d\">\n", c.node)
	out.element("title", p.tooltip(c.node))
	p.drawFrame(out, c)
	left, room := c.x+padding+c.indent(), c.w-2*padding-c.indent()
	right, y := left+room, c.y
	aside, titleRoom := "", room
	if c.aside != "" {
		aside = asideStyle.fit(c.aside, room/2)
		titleRoom -= partGap + asideStyle.width(aside)
	}
	title := c.title
	if !c.split {
		title = c.heading()
	}
	out.text(titleStyle, left, y+rowTitle, "start", titleStyle.fit(title, titleRoom))
	out.text(asideStyle, right, y+rowTitle, "end", aside)
	if c.split {
		y += rowMore
		out.text(moreStyle, left, y+rowTitle, "start", moreStyle.fit(c.predicate, room))
	}
	if c.bar {
		p.drawBar(out, c, left, y+barTop)
	}
	out.text(metaStyle, right, y+rowMeta, "end", metaStyle.fit(c.meta, room))
	out.WriteString("</g>\n")
}

func (p *picture) drawFrame(out *pen, c *card) {
	x, y, w, h := tenths(10*c.x), tenths(10*c.y), tenths(10*c.w), tenths(10*c.h)
	if !c.ends {
		out.rect(x, y, w, h, white, fmt.Sprintf(` rx="5" stroke="%s" stroke-width="1.2"`, border))
		return
	}
	hue, strength := p.accent(c.node, p.scale)
	more := fmt.Sprintf(` rx="5" stroke="%s" stroke-width="1.2"`, tint(hue, 70))
	if c.stub {
		more += ` stroke-dasharray="5 3"`
	}
	out.rect(x, y, w, h, tint(hue, 6+strength*16/100), more)
	out.rect(x, y+40, 10*stripe, h-80, hue, "")
}

// drawBar draws the bar of a card with its upper left corner at x, y.
func (p *picture) drawBar(out *pen, c *card, x, y int) {
	if p.t.Leaf.Kind == tree.Scalar {
		p.drawValue(out, c, x, y)
		return
	}
	shares := p.classShares(c.node)
	parts, many := segments(shares)
	sum, from := 0.0, tenths(0)
	for _, s := range parts {
		sum += s.share
		to := min(tenths(10*c.barWidth), tenths(math.Round(sum*float64(10*c.barWidth))))
		if to == from {
			continue
		}
		fill, name := rest, ""
		if s.class >= 0 {
			fill, name = classColour(s.class), p.names.class(s.class)
		}
		out.rect(tenths(10*x)+from, tenths(10*y), to-from, 10*barHeight, fill, "")
		if many && segmentStyle.width(name) <= int(to-from)/10-2 {
			st := segmentStyle
			st.ink = inkOn(fill)
			out.text(st, x+int(from+to)/20, y+8, "middle", name)
		}
		from = to
	}
}

// segment is a part of a class bar; class -1 is all classes not shown.
type segment struct {
	class int
	share float64
}

// segments returns the parts of a class bar. As many classes as the palette has colours keep their order, so that
// bars can be compared. Of more, the largest four come first and the others share one segment.
func segments(shares []float64) (parts []segment, many bool) {
	if len(shares) <= len(okabeIto) {
		for k, s := range shares {
			parts = append(parts, segment{k, s})
		}
		return parts, false
	}
	others := segment{class: -1}
	for i, k := range ranked(shares) {
		if i < 4 {
			parts = append(parts, segment{k, shares[k]})
		} else {
			others.share += shares[k]
		}
	}
	return append(parts, others), true
}

// drawValue draws the axis of a number: a bar from the reference to the value.
func (p *picture) drawValue(out *pen, c *card, x, y int) {
	middle := tenths(10*y + 5*barHeight)
	out.rect(tenths(10*x), middle-5, tenths(10*c.barWidth), 10, border, "")
	value := p.value[c.node][0]
	at := func(v float64) tenths { return tenths(math.Round(p.scale.at(v) * float64(10*c.barWidth))) }
	from, to := at(p.scale.ref), at(value)
	fill := above
	if to < from {
		fill = below
	}
	if to != from && !math.IsNaN(value) {
		out.rect(tenths(10*x)+min(from, to), middle-35, max(from, to)-min(from, to), 70, fill, "")
		fmt.Fprintf(out, "<circle cx=\"%v\" cy=\"%v\" r=\"4\" fill=\"%s\"/>\n", tenths(10*x)+to, middle, fill)
	}
	out.rect(tenths(10*x)+from-6, middle-50, 12, 100, ink, "")
}

package draw

import (
	"fmt"
	"math"
	"strings"

	"github.com/coppice-ml/coppice/internal/svg"
	"github.com/coppice-ml/coppice/tree"
)

var (
	markStyle    = svg.Style{Size: 11, Ink: svg.Faded}
	segmentStyle = svg.Style{Size: 9, Bold: true, Ink: svg.Ink}
	noteStyle    = svg.Style{Size: 11, Ink: svg.Faded}
)

const (
	noteLine  = 16
	mostMark  = 130 // width of a level at its branch
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
	fmt.Fprintf(out, "\" fill=\"none\" stroke=\"%s\" stroke-width=\"%v\"/>\n", svg.Ribbon, width)
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
	for c := p.t.Child(parent.node); c < p.t.Child(parent.node)+p.t.Arity(parent.node); c++ {
		w := p.edge(c)
		if c < n {
			before += w
		}
		all += w
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

// drawCard draws a node.
func (p *picture) drawCard(out *svg.Pen, c *card) {
	fmt.Fprintf(out, "<g data-node=\"%d\">\n", c.node)
	out.Element("title", p.tooltip(c.node))
	p.drawFrame(out, c)
	left, space := c.x+padding+c.indent(), c.w-2*padding-c.indent()
	right, y := left+space, c.y
	remark, titleSpace := "", space
	if c.remark != "" {
		remark = remarkStyle.Fit(c.remark, space/2)
		titleSpace -= textGap + remarkStyle.Width(remark)
	}
	title := c.title
	if !c.split {
		title = c.heading()
	}
	out.Text(titleStyle, left, y+rowTitle, "start", titleStyle.Fit(title, titleSpace))
	out.Text(remarkStyle, right, y+rowTitle, "end", remark)
	if c.split {
		y += rowMore
		out.Text(moreStyle, left, y+rowTitle, "start", moreStyle.Fit(c.predicate, space))
	}
	if c.bar {
		p.drawBar(out, c, left, y+barTop)
	}
	out.Text(metaStyle, right, y+rowMeta, "end", metaStyle.Fit(c.meta, space))
	out.Text(metaStyle, left, c.y+c.h-rowRule, "start", metaStyle.Fit(c.rule, space))
	out.WriteString("</g>\n")
}

func (p *picture) drawFrame(out *svg.Pen, c *card) {
	x, y, w, h := svg.Tenths(10*c.x), svg.Tenths(10*c.y), svg.Tenths(10*c.w), svg.Tenths(10*c.h)
	if !c.ends {
		out.Rect(x, y, w, h, svg.White,
			fmt.Sprintf(` rx="5" stroke="%s" stroke-width="1.2"`, svg.Border))
		return
	}
	hue, strength := p.accent(c.node, p.scale)
	more := fmt.Sprintf(` rx="5" stroke="%s" stroke-width="1.2"`, svg.Tint(hue, 70))
	if c.stub {
		more += ` stroke-dasharray="5 3"`
	}
	out.Rect(x, y, w, h, svg.Tint(hue, 6+strength*16/100), more)
	out.Rect(x, y+40, 10*stripe, h-80, hue, "")
}

// drawBar draws the bar of a card with its upper left corner at x, y.
func (p *picture) drawBar(out *svg.Pen, c *card, x, y int) {
	if p.t.Leaf.Kind == tree.Scalar {
		p.drawValue(out, c, x, y)
		return
	}
	probabilities := p.classProbabilities(c.node)
	parts, many := segments(probabilities)
	sum, from := 0.0, svg.Tenths(0)
	for _, s := range parts {
		sum += s.fraction
		to := min(svg.Tenths(10*c.barWidth), svg.Tenths(math.Round(sum*float64(10*c.barWidth))))
		if to == from {
			continue
		}
		fill, name := svg.Rest, ""
		if s.class >= 0 {
			fill, name = svg.ClassColour(s.class), p.names.class(s.class)
		}
		out.Rect(svg.Tenths(10*x)+from, svg.Tenths(10*y), to-from, 10*barHeight, fill, "")
		if many && segmentStyle.Width(name) <= int(to-from)/10-2 {
			st := segmentStyle
			st.Ink = svg.InkOn(fill)
			out.Text(st, x+int(from+to)/20, y+8, "middle", name)
		}
		from = to
	}
}

// segment is a part of a class bar; class -1 is all classes not shown.
type segment struct {
	class    int
	fraction float64
}

// segments returns the parts of a class bar. As many classes as the palette has colours keep their
// order, so that bars can be compared. Of more, the largest four come first and the others have one
// segment together.
func segments(probabilities []float64) (parts []segment, many bool) {
	if len(probabilities) <= len(svg.OkabeIto) {
		for k, s := range probabilities {
			parts = append(parts, segment{k, s})
		}
		return parts, false
	}
	others := segment{class: -1}
	for i, k := range ranked(probabilities) {
		if i < 4 {
			parts = append(parts, segment{k, probabilities[k]})
		} else {
			others.fraction += probabilities[k]
		}
	}
	return append(parts, others), true
}

// drawValue draws the axis of a number: a bar from the reference to the value.
func (p *picture) drawValue(out *svg.Pen, c *card, x, y int) {
	middle := svg.Tenths(10*y + 5*barHeight)
	out.Rect(svg.Tenths(10*x), middle-5, svg.Tenths(10*c.barWidth), 10, svg.Border, "")
	value := p.value[c.node][0]
	at := func(v float64) svg.Tenths {
		return svg.Tenths(math.Round(p.scale.at(v) * float64(10*c.barWidth)))
	}
	from, to := at(p.scale.ref), at(value)
	fill := svg.Above
	if to < from {
		fill = svg.Below
	}
	if to != from && !math.IsNaN(value) {
		out.Rect(svg.Tenths(10*x)+min(from, to), middle-35, max(from, to)-min(from, to), 70, fill,
			"")
		fmt.Fprintf(out, "<circle cx=\"%v\" cy=\"%v\" r=\"4\" fill=\"%s\"/>\n",
			svg.Tenths(10*x)+to, middle, fill)
	}
	out.Rect(svg.Tenths(10*x)+from-6, middle-50, 12, 100, svg.Ink, "")
}

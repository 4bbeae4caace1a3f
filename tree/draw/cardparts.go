package draw

import (
	"fmt"
	"math"

	"github.com/coppice-ml/coppice/internal/svg"
	"github.com/coppice-ml/coppice/tree"
)

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
	if c.rows != nil {
		c.rows.draw(out, left, c.y+c.rowsAt-histogramGap/2, space)
	}
	out.Text(metaStyle, left, c.y+c.h-rowRule, "start", metaStyle.Fit(c.rule, space))
	out.WriteString("</g>\n")
}

func (p *picture) drawFrame(out *svg.Pen, c *card) {
	x, y, w, h := svg.Tenths(10*c.x), svg.Tenths(10*c.y), svg.Tenths(10*c.w), svg.Tenths(10*c.h)
	hue, strength := p.accent(c.node, p.scale)
	line, width := svg.Border, "1.2"
	if c.ends {
		line = svg.Tint(hue, 70)
	}
	if p.path[c.node] {
		line, width = svg.Ink, "2.4"
	}
	more := fmt.Sprintf(` rx="5" stroke="%s" stroke-width="%s"`, line, width)
	if !c.ends {
		out.Rect(x, y, w, h, svg.White, more)
		return
	}
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

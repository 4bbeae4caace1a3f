package draw

import "github.com/coppice-ml/coppice/internal/svg"

// rank is a group of cards of one size: the inner nodes of one level, or the ends of one. They
// stand in line, and their bars are equally long.
type rank struct {
	split bool
	most  int // width
	w     int // of the contents
	h     int // of the card
	meta  int // width of the meta text beside the bar
}

// sizeCards sets width and height of the cards; it does not place them.
func sizeCards(cards []card, s *nodes) {
	inner, ends := map[int32]*rank{}, map[int32]*rank{}
	of := func(c *card) *rank {
		ranks := inner
		if c.ends {
			ranks = ends
		}
		r := ranks[s.depth[c.node]]
		if r == nil {
			r = &rank{h: oneRow}
			ranks[s.depth[c.node]] = r
		}
		return r
	}
	for i := range cards {
		c, r := &cards[i], of(&cards[i])
		r.most = max(r.most, c.most)
		r.split = r.split || c.predicate != "" && c.titleWidth(false) > c.most-2*padding
	}
	bar := leastBar
	if s.t.Leaf.Width > len(svg.OkabeIto) {
		bar = namesBar
	}
	for i := range cards {
		c, r := &cards[i], of(&cards[i])
		r.w = max(r.w, c.titleWidth(r.split), metaStyle.Width(c.rule))
		row := metaStyle.Width(c.meta)
		if c.meta != "" && c.bar {
			r.meta = max(r.meta, row+textGap)
		}
		if c.bar {
			row += bar + textGap
		}
		if row > 0 {
			r.w, r.h = max(r.w, row), twoRows
		}
	}
	for i := range cards {
		c, r := &cards[i], of(&cards[i])
		c.split = r.split
		c.w, c.h = max(leastCard, min(r.most, r.w+2*padding+c.indent())), r.h
		c.barWidth = c.w - 2*padding - c.indent() - r.meta
		if c.split {
			c.h += rowMore
		}
		if c.rowsAt = c.h; c.rows != nil {
			c.h += histogramHigh + histogramGap
		}
		if c.rule != "" {
			c.h += rowMore
		}
	}
}

// titleWidth returns the width of the title and of the remark in its row. With split it is at least
// the width of the predicate in the row below.
func (c *card) titleWidth(split bool) int {
	w, remark := titleStyle.Width(c.heading()), 0
	if c.remark != "" {
		remark = textGap + remarkStyle.Width(c.remark)
	}
	if split {
		return max(titleStyle.Width(c.title)+remark, moreStyle.Width(c.predicate))
	}
	return w + remark
}

// heading returns the title with its predicate, as one row.
func (c *card) heading() string {
	if c.predicate == "" {
		return c.title
	}
	return c.title + " " + c.predicate
}

func (c *card) indent() int {
	if c.ends {
		return stripe
	}
	return 0
}

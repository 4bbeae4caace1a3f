package draw

import "github.com/coppice-ml/coppice/internal/svg"

// rank is a group of cards that share one size, so that they stand in line and their bars are
// equally long: the inner nodes of one level, or the ends of one.
type rank struct {
	split bool
	most  int // width
	w     int // of the contents
	h     int // of the card
	meta  int // room for the meta text beside the bar
}

// measure sizes the cards; it does not place them.
func (v *view) measure(cards []card) {
	inner, ends := map[int32]*rank{}, map[int32]*rank{}
	of := func(c *card) *rank {
		ranks := inner
		if c.ends {
			ranks = ends
		}
		r := ranks[v.depth[c.node]]
		if r == nil {
			r = &rank{h: oneRow}
			ranks[v.depth[c.node]] = r
		}
		return r
	}
	for i := range cards {
		c, r := &cards[i], of(&cards[i])
		r.most = max(r.most, c.most)
		r.split = r.split || c.predicate != "" && c.titleWidth(false) > c.most-2*padding
	}
	bar := leastBar
	if v.t.Leaf.Width > len(svg.OkabeIto) {
		bar = namesBar
	}
	for i := range cards {
		c, r := &cards[i], of(&cards[i])
		r.w = max(r.w, c.titleWidth(r.split), metaStyle.Width(c.rule))
		row := metaStyle.Width(c.meta)
		if c.meta != "" && c.bar {
			r.meta = max(r.meta, row+partGap)
		}
		if c.bar {
			row += bar + partGap
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
		if c.rule != "" {
			c.h += rowMore
		}
	}
}

// titleWidth returns the room that the title and what stands in its row need, and the predicate
// below it.
func (c *card) titleWidth(split bool) int {
	w, remark := titleStyle.Width(c.heading()), 0
	if c.remark != "" {
		remark = partGap + remarkStyle.Width(c.remark)
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

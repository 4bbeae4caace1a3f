package exact

import (
	"math"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/tree"
)

// lists gives each node a list of its rows with the part of each that is its own, so that a row may enter several
// children, and nodes may have any number of children:
//
//	node                rows 0 1 2 3     parts 1 1 1 1/2       row 2 has no value
//	first child              0   2             1   2/3
//	last child                 1 2 3             1 1/3 1/2
type lists struct{ columns []working }

func (l *lists) order(s *scanner, nd *node, column int) []entry {
	return s.sortKeys(l.columns[column].key, nd.list)
}

func (l *lists) settle(*grower, *node, int) {}

// leastPart is the share of a child below which rows without a value do not enter it.
const leastPart = 1e-6

func (l *lists) divide(g *grower, nd *node) []*node {
	b := &nd.best
	children := make([]*node, len(b.shares))
	for i := range children {
		children[i] = &node{depth: nd.depth + 1}
	}
	var c *working
	if b.feature >= 0 {
		c = &g.columns[b.feature]
	}
	if nd.part == nil && b.kind == tree.Cut && c.few != nil && g.cutFew(nd, c.few, children) {
		return children
	}
	for i, pos := range nd.list {
		part := 1.0
		if nd.part != nil {
			part = nd.part[i]
		}
		if to := g.branch(b, c, pos); to >= 0 {
			children[to].add(pos, part)
			continue
		}
		for to, share := range b.shares {
			if share > leastPart {
				children[to].add(pos, float64(part*share))
			}
		}
	}
	return children
}

// cutFew is divide for a cut of a column of few values, if no row misses its value; else it reports false, and does nothing.
func (g *grower) cutFew(nd *node, few []uint8, children []*node) bool {
	missing := uint8(len(g.prepared.columns[nd.best.feature].values))
	lists, rest := make([]uint32, len(nd.list)), g.room(len(nd.list))
	first, last := 0, 0
	for _, pos := range nd.list {
		rank := few[pos]
		if rank == missing {
			return false
		}
		lists[first], rest[last] = pos, pos
		goes := 0
		if uint32(rank) <= nd.best.rank {
			goes = 1
		}
		first += goes
		last += 1 - goes
	}
	copy(lists[first:], rest[:last])
	children[0].list, children[1].list = lists[:first:first], lists[first:]
	return true
}

// add puts a part of a row on a node's list. Parts are kept from the first that is not 1.
func (nd *node) add(pos uint32, part float64) {
	if part != 1 && nd.part == nil {
		nd.part = make([]float64, len(nd.list), cap(nd.list))
		for i := range nd.part {
			nd.part[i] = 1
		}
	}
	if nd.list = append(nd.list, pos); nd.part != nil {
		nd.part = append(nd.part, part)
	}
}

// branch returns the child that a row goes to, -1 if its value is missing.
func (g *grower) branch(b *split, c *working, pos uint32) int {
	if b.kind == tree.Oblique || b.kind == tree.Sphere {
		x := g.project(&attempt{kind: b.kind, terms: b.terms}, pos)
		switch {
		case math.IsNaN(x):
			return -1
		case x <= b.cut:
			return 0
		}
		return 1
	}
	if b.kind == tree.Cut {
		rank, missing := uint32(0), g.missing
		if c.few != nil {
			rank, missing = uint32(c.few[pos]), uint32(len(g.prepared.columns[b.feature].values))
		} else {
			rank = c.key[pos] >> g.shift
		}
		switch {
		case rank == missing:
			return -1
		case rank <= b.rank:
			return 0
		}
		return 1
	}
	code := c.code[pos]
	switch {
	case code == data.MissingCode:
		return -1
	case b.kind == tree.ByCode:
		return int(code)
	case tree.InSet(b.set, code) == (b.kind == tree.SetFirst):
		return 0
	}
	return 1
}

// load makes the parts of a node's rows those that sums look at.
func (g *grower) load(nd *node) {
	if g.part == nil {
		return
	}
	for i, pos := range nd.list {
		g.part[pos] = 1
		if nd.part != nil {
			g.part[pos] = nd.part[i]
		}
	}
}

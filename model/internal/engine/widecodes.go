package engine

import (
	"fmt"
	"math/bits"
	"slices"

	"github.com/coppice-ml/coppice/internal/kernel"
	"github.com/coppice-ml/coppice/tree"
)

// wide is a segment with codes of two bytes, for trees whose columns have too many split points for
// one. Its rows go through nodes as in cuts. The bits of a node's test are those of the place that
// its split point has among the sorted rows of the tile; see kernel.RowOrder.
type wide struct {
	cutGroups
	columns []wideColumn
	points  int              // of all columns, and what kernel.RowOrder may write behind them
	bits    int              // of a tile
	nodes   []kernel.CutNode // those of a group lie by their depths
	point   []uint32         // by node
}

// wideColumn is a column of a segment with codes of two bytes. It has bits for each rule for
// missing values that its nodes have: those for values that go first, then those for the others.
type wideColumn struct {
	position int // in Program.columns
	coder    kernel.WideCoder
	rules    uint8 // as in compiler
	pointsAt int   // the first of its split points among those of all columns
	bitsAt   int   // where its bits begin
}

// wideSegments returns the trees of a program in segments with codes of two bytes.
func (p *Program) wideSegments(l *layout, fit []bool) (all []segment, err error) {
	for from := 0; from < len(p.plans); {
		c := compiler{p: p, fit: fit, points: make([][]float64, len(p.columns)),
			rules: make([]uint8, len(p.columns)), wide: true}
		to := c.takeMany(from)
		s := c.segment(from, to, l)
		if slices.Contains(c.rules, categories) {
			return nil, fmt.Errorf("the trees have sets of categories")
		}
		if n := s.wide.bits; n > kernel.MaxRowBits {
			return nil, fmt.Errorf("a row has %d bits, more than %d", n, kernel.MaxRowBits)
		}
		s.wide.fill(&s)
		if l.sums && p.machine.Permutes {
			s.tables = tablesOf(&s)
		}
		all, from = append(all, s), to
	}
	return all, nil
}

// ofTile returns the segments for a tile of as many rows.
func (l *layout) ofTile(p *Program, rows int) []segment {
	if l.wideFrom == 0 || rows < l.wideFrom {
		return l.segments
	}
	l.widening.Do(func() { l.wide, _ = p.wideSegments(l, l.fit) })
	if l.wide == nil {
		return l.segments
	}
	return l.wide
}

// widen finds from how many rows on codes of two bytes take less time than several segments.
func (l *layout) widen(p *Program, fit []bool) {
	points, nodes, trees := make([]int, len(p.columns)), 0, 0
	for i := range l.segments {
		s := &l.segments[i]
		for k := range s.columns {
			points[s.columns[k].position] += s.columns[k].coder.NumPoints()
		}
		nodes, trees = nodes+len(s.nodes), trees+len(s.trees)
		if len(s.sets) > 0 {
			return
		}
	}
	for rows := 8; rows <= kernel.ScanRows; rows += 8 {
		narrow, wide := 0, l.on.PlacedCost(nodes, trees)
		for i := range l.segments {
			s := &l.segments[i]
			narrow += len(s.columns)*l.on.CodesCost(rows) + s.leastCost(l, rows)
		}
		for _, n := range points {
			for ; n > 0; n -= kernel.MaxWidePoints {
				wide += l.on.PlacesCost(rows, min(n, kernel.MaxWidePoints))
			}
		}
		if wide < narrow {
			l.wideFrom, l.fit = rows, fit
			return
		}
	}
}

// takeMany is take for codes of two bytes, of as many split points as these have.
func (c *compiler) takeMany(from int) (to int) {
	for to = from; to < len(c.p.plans) && (!c.fit[to] || c.takeTree(&c.p.plans[to])); to++ {
	}
	for k := range c.points {
		slices.Sort(c.points[k])
		c.points[k] = slices.Compact(c.points[k])
	}
	return to
}

// takeTree appends the split points of a tree, unless a column would have too many then, whether
// they differ or not.
func (c *compiler) takeTree(t *plan) bool {
	before := make([]int, len(c.points))
	for k := range c.points {
		before[k] = len(c.points[k])
	}
	for n := range t.Nodes {
		d := &t.Nodes[n]
		if d.Kind() != tree.Numeric {
			continue
		}
		k := c.p.place[d.Feature()]
		if c.points[k] = append(c.points[k], d.SplitPoint()+0); len(c.points[k]) > kernel.MaxWidePoints {
			for k, n := range before {
				c.points[k] = c.points[k][:n]
			}
			return false
		}
	}
	return true
}

// wideColumns makes the columns of a segment with codes of two bytes, and writes their numbers.
func (c *compiler) wideColumns(slot []int) *wide {
	w := &wide{}
	for k, rules := range c.rules {
		if rules == 0 {
			continue
		}
		slot[k] = len(w.columns)
		in := wideColumn{position: k, coder: kernel.NewWideCoder(c.points[k]), rules: rules,
			pointsAt: w.points, bitsAt: w.bits}
		w.columns = append(w.columns, in)
		w.points += in.coder.NumPoints()
		w.bits += bits.OnesCount8(rules) * kernel.OrderPlaces
	}
	w.points += kernel.PlaceStep
	return w
}

// test writes into a node, whose column is given, the number of its split point among those of all
// columns, and 1 as Above if its bits are the second ones of the column.
func (w *wide) test(made *kernel.ScanNode, t *plan, n int32, column int) {
	in := &w.columns[column]
	made.At = uint32(in.pointsAt + in.coder.NumberOf(t.SplitPoint(n)))
	made.Above = int8(one(in.rules == bothRules && t.missesLast(n)))
}

// fill makes the nodes of all groups.
func (w *wide) fill(s *segment) {
	w.cutGroups = groupsOf(s)
	w.nodes, w.point = make([]kernel.CutNode, len(s.nodes)), make([]uint32, len(s.nodes))
	w.each(s, func(at int, tree kernel.CutTree, n *kernel.ScanNode, high int) {
		w.nodes[at] = tree.Node(int(n.Above)*kernel.OrderPlaces, int(n.First), int(n.Last), high)
		w.point[at] = n.At
	})
}

// begin makes the bits of a tile, and the places of all split points.
func (w *wide) begin(c *scanner, b *Block, first, rows int) {
	to := &c.placed
	to.Place = slices.Grow(to.Place[:0], w.points)[:w.points]
	to.Bits, to.Tests = slices.Grow(to.Bits[:0], w.bits)[:w.bits], false
	codes, gone := c.wide[:rows], c.gone[:0]
	for k := range w.columns {
		in := &w.columns[k]
		in.coder.Codes(codes, b.x[in.position*b.stride+first:][:rows])
		c.order.Sort(codes)
		c.order.Places(to.Place[in.pointsAt:], in.coder.NumPoints(), in.bitsAt)
		missing := c.order.Bits(to.Bits[in.bitsAt:], in.rules&1 > 0)
		if missing = missing && in.rules == bothRules; missing {
			c.order.Bits(to.Bits[in.bitsAt+kernel.OrderPlaces:], false)
			to.Tests = true
		}
		gone = append(gone, missing)
	}
	c.gone = gone
	if !to.Tests {
		return
	}
	for k, missing := range gone {
		if in := &w.columns[k]; in.rules == bothRules && !missing {
			bits := to.Bits[in.bitsAt:]
			copy(bits[kernel.OrderPlaces:], bits[:rows+1])
		}
	}
}

// scan takes a tile through the scanTrees trees of a segment that begin with one.
func (w *wide) scan(c *scanner, s *segment, lo int) {
	leaf, groups := c.leaf, w.from(lo)
	for i := range groups {
		g := &groups[i]
		from, to := g.nodes(s)
		kernel.ScanPlaced(leaf, g.trees, w.nodes[from:to], w.point[from:to], &c.placed, &c.cuts)
		leaf = leaf[len(g.trees)*kernel.ScanRows:]
	}
}

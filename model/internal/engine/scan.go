package engine

import (
	"github.com/coppice-ml/coppice/internal/invariant"
	"github.com/coppice-ml/coppice/internal/kernel"
)

// scanTrees is the number of trees that are scanned before their leaves are added up.
const scanTrees = 16

// scanner is the memory in which the rows of a block are scanned, tile by tile.
type scanner struct {
	codes []int8    // of the tile, kernel.ScanRows for each slot
	lanes []laneRow // the codes of rows that go down lanes, which are some more than there are
	leaf  []uint8   // of kernel.LaneTrees trees, kernel.ScanRows for each
	ends  []int32   // of the rows in a tree
	sum   []float64 // of the tile, kernel.ScanRows for each output
	row   []float64 // the values of one row
	bits  []kernel.RowBits
	cuts  kernel.Cuts

	// of codes of two bytes: those of a column, its rows in order, and the bits of all columns
	wide   []uint16
	order  kernel.RowOrder
	gone   []bool // by column: it has missing values and nodes of both rules for them
	placed kernel.Placed
}

func newScanner(p *Program, l *layout) *scanner {
	s := &scanner{codes: make([]int8, max(1, l.slots)*kernel.ScanRows),
		leaf: make([]uint8, kernel.LaneTrees*kernel.ScanRows), ends: make([]int32, kernel.ScanRows),
		row: make([]float64, len(p.columns))}
	if l.wideFrom > 0 || l.how != nil && l.how.wide {
		s.wide = make([]uint16, kernel.ScanRows)
	}
	if l.sums {
		s.sum = make([]float64, p.outputs*kernel.ScanRows)
	}
	return s
}

// code computes the codes of a tile whose first row is given, and reports whether copies of codes
// may differ because values are missing.
func (c *scanner) code(b *Block, s *segment, first, rows int) (copies bool) {
	for k := range s.columns {
		in := &s.columns[k]
		dst := c.codes[k*kernel.ScanRows:][:rows]
		if in.levels >= 0 {
			in.categories(dst, b.x[in.position*b.stride+first:])
			continue
		}
		missing := in.coder.Codes(dst, b.x[in.position*b.stride+first:][:rows])
		if !in.last && missing {
			in.missingFirst(dst, b.x[in.position*b.stride+first:])
		}
		if in.copy < 0 {
			continue
		}
		again := c.codes[in.copy*kernel.ScanRows:][:rows]
		copy(again, dst)
		if missing {
			copies = true
			in.missingFirst(again, b.x[in.position*b.stride+first:])
		}
	}
	return copies
}

// categories writes the codes of categories.
func (in *codedColumn) categories(codes []int8, x []float64) {
	levels := float64(in.levels)
	for i, v := range x[:len(codes)] {
		code := in.levels
		if v >= 0 && v < levels {
			code = int(v)
		} else if v != v {
			code++
		}
		codes[i] = int8(code)
	}
}

// missingFirst changes the codes of missing values to that of those which go first.
func (in *codedColumn) missingFirst(codes []int8, x []float64) {
	first := in.coder.Missing(false)
	for i, v := range x[:len(codes)] {
		if v != v {
			codes[i] = first
		}
	}
}

// each takes the first n rows of a block through all trees.
func (c *scanner) each(b *Block, l *layout, n int, to sink) {
	if l.walks {
		b.seal()
	}
	for first := 0; first < n; first += kernel.ScanRows {
		rows := min(kernel.ScanRows, n-first)
		to.begin(first, rows)
		segments := l.ofTile(b.p, rows)
		for i := range segments {
			c.segment(b, l, &segments[i], first, rows, to)
		}
		to.end(first, rows)
	}
}

// segment takes a tile through the trees of a segment. Whichever form takes the rows, leaves are
// written to the same places, and the sink gets the trees of an output in their order. Trees that
// are not compiled are walked when their turn comes, not after the others: sums have the same bits
// in every layout.
func (c *scanner) segment(b *Block, l *layout, s *segment, first, rows int, to sink) {
	copies := c.code(b, s, first, rows)
	trees, few := scanTrees, s.wide == nil && l.few(s, rows, copies)
	if few {
		trees = kernel.LaneTrees
		s.row.begin(c, rows, copies)
	}
	cut := !few && s.wide == nil && l.cut(s, rows)
	if cut {
		s.cuts.begin(c, s, copies)
	}
	if s.wide != nil {
		s.wide.begin(c, b, first, rows)
	}
	for lo := 0; lo < len(s.trees); lo += trees {
		hi := min(lo+trees, len(s.trees))
		switch {
		case few:
			s.row.scanRows(c, lo, rows, copies)
		case cut:
			s.cuts.scan(c, s, lo, copies)
		case s.wide != nil:
			s.wide.scan(c, s, lo)
		default:
			c.scan(l, s, lo, hi, rows)
		}
		for t := lo; t < hi; {
			if s.numbers[t] == nil {
				tree := int(s.trees[t])
				b.team[0].descend(tree, to.slots() && b.p.plans[tree].Leaf.InNodes, first, c.ends[:rows])
				to.walked(tree, c.ends[:rows], first)
				t++
				continue
			}
			next := s.alike(t, min(t+scanTrees, hi))
			if invariant.On {
				s.checkLeaves(t, next, c.leaf[(t-lo)*kernel.ScanRows:], rows)
			}
			to.scanned(s, t, next, c.leaf[(t-lo)*kernel.ScanRows:], first, rows)
			t = next
		}
	}
}

// checkLeaves: what a scan found are leaves of its trees.
func (s *segment) checkLeaves(lo, hi int, leaf []uint8, rows int) {
	for t := lo; t < hi; t++ {
		for _, n := range leaf[(t-lo)*kernel.ScanRows:][:rows] {
			invariant.Check(int(n) < len(s.numbers[t]), "a row is at leaf %d of %d", n, len(s.numbers[t]))
		}
	}
}

// few reports whether a segment's form for one row is faster than the others for as many rows;
// copies is as in rowForm.
func (l *layout) few(s *segment, rows int, copies bool) bool {
	if l.how != nil {
		return s.row != nil
	}
	return s.row != nil && s.row.rowsCost(rows, copies) <= s.nodesCost(l, rows)
}

// nodesCost returns the cost of nodes that are visited by as many rows.
func (s *segment) nodesCost(l *layout, rows int) int {
	if s.cuts != nil {
		return min(s.cuts.cost, s.scanCost(l, rows))
	}
	return s.scanCost(l, rows)
}

// leastCost returns the cost of as many rows, their codes left out.
func (s *segment) leastCost(l *layout, rows int) int {
	if s.row != nil {
		return min(s.nodesCost(l, rows), s.row.rowsCost(rows, false))
	}
	return s.nodesCost(l, rows)
}

// cut reports whether a segment's form for cuts is faster than Scan for as many rows.
func (l *layout) cut(s *segment, rows int) bool {
	if l.how != nil {
		return l.how.cuts
	}
	return s.cuts != nil && s.cuts.cost <= s.scanCost(l, rows)
}

// scanCost returns the cost of Scan for as many rows.
func (s *segment) scanCost(l *layout, rows int) int {
	return len(s.nodes) * l.on.ScanCost(rows, l.small, l.levels)
}

// rest returns how many of the last rows of a block take less time one by one, because lanes would
// be mostly empty.
func (l *layout) rest(rows int) int {
	switch {
	case l.how != nil && l.how.rows == oneByOne:
		return rows
	case !l.alone || rows > 1 && !l.few(&l.segments[0], rows, false):
		return 0
	case rows < kernel.LaneRows:
		return rows
	case rows%kernel.LaneRows == 1:
		return 1
	}
	return 0
}

// alike returns the end of the trees from lo up to at most hi that are compiled and feed the same
// output.
func (s *segment) alike(lo, hi int) int {
	for t := lo; t < hi; t++ {
		if s.output[t] != s.output[lo] || s.numbers[t] == nil {
			return t
		}
	}
	return hi
}

// scan takes a tile through the trees of a segment from lo to hi.
func (c *scanner) scan(l *layout, s *segment, lo, hi, rows int) {
	if l.levels {
		kernel.ScanLevels(c.leaf, s.nodes, s.at[lo:hi+1], c.codes, rows, l.small)
		return
	}
	if s.setAt[lo] == s.setAt[hi] {
		kernel.Scan(c.leaf, s.nodes, s.at[lo:hi+1], c.codes, rows, l.small)
		return
	}
	for t := lo; t < hi; t++ {
		for i := range s.sets[s.setAt[t]:s.setAt[t+1]] {
			set := &s.sets[int(s.setAt[t])+i]
			kernel.SideCodes(c.codes[(s.slots+i)*kernel.ScanRows:], c.codes[set.column*kernel.ScanRows:],
				&set.table, rows)
		}
		kernel.Scan(c.leaf[(t-lo)*kernel.ScanRows:], s.nodes, s.at[t:t+2], c.codes, rows, l.small)
	}
}

// raw is Block.Raw.
func (c *scanner) raw(dst []float64, b *Block, l *layout) {
	p := b.p
	n := b.rows - l.rest(b.rows)
	for r := n; r < b.rows; r++ {
		p.Raw(dst[r*p.outputs:][:p.outputs], c.values(b, r))
	}
	dst = dst[:n*p.outputs]
	if l.sums {
		c.each(b, l, n, &sumSink{c, b, dst})
	} else {
		p.begin(dst)
		c.each(b, l, n, &endSink{c, b, dst})
	}
	p.end(dst)
}

// values returns the values of one row of a block, as Program.Raw takes them.
func (c *scanner) values(b *Block, r int) []float64 {
	for k := range c.row {
		c.row[k] = b.x[k*b.stride+r]
	}
	return c.row
}

// begin writes into the sums of a tile what they begin with.
func (c *scanner) begin(p *Program, rows int) {
	for k := range p.outputs {
		begin := 0.0
		if p.divisors == nil {
			begin = p.bias[k]
		}
		sum := c.sum[k*kernel.ScanRows:][:rows]
		for r := range sum {
			sum[r] = begin
		}
	}
}

// leaves is Block.Leaves.
func (c *scanner) leaves(dst []float64, b *Block, l *layout) {
	trees := len(b.p.plans)
	n := b.rows - l.rest(b.rows)
	for r := n; r < b.rows; r++ {
		b.p.Leaves(dst[r*trees:][:trees], c.values(b, r))
	}
	c.each(b, l, n, &leafSink{b, dst})
}

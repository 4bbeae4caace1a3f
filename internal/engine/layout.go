package engine

import (
	"math"
	"slices"
	"sync"

	"github.com/coppice-ml/coppice/internal/kernel"
	"github.com/coppice-ml/coppice/tree"
)

// layout is a program whose trees are compiled for kernel.Scan: the values of rows become codes of
// one byte, and every node is one comparison of these, for many rows at once.
//
// A byte distinguishes 255 split points of a column. So the trees are divided into segments, each
// as long as its columns have no more; every segment has codes of its own. A tree of 256 leaves
// fits into a segment alone.
type layout struct {
	segments []segment
	slots    int       // the largest number of codes of a row in a segment
	small    bool      // as in kernel.Scan
	sums     bool      // all leaves are numbers, which segments hold
	alone    bool      // all segments have a form for one row, which is worth its codes
	levels   bool      // all trees are oblivious, and segments hold levels
	scratch  sync.Pool // of *rowScratch
}

// segment is consecutive trees of a program, by the output that they feed and then by their number.
// So each output is summed in the order of the trees, and trees of one output are together.
type segment struct {
	columns []codedColumn
	slots   int // codes of a row: one for each column, then the copies
	trees   []int32
	nodes   []kernel.ScanNode
	at      []int32 // by tree here: its first node; one more at the end

	// by tree here and leaf: where rows end, as in plan.accumulateAll, and the number of the node
	ends, numbers [][]int32

	value   []float64 // of leaves that are numbers, times the tree's scale
	valueAt []uint32  // by tree here
	output  []int32   // by tree here: which output its numbers are added to

	row   rowForm          // nil: one row uses the trees in place
	coder *kernel.RowCoder // of the columns' own codes, for row
}

// codedColumn is a column of a segment.
type codedColumn struct {
	position int // in Program.columns
	coder    kernel.Coder
	// last is the rule of the column's codes: missing values go to the last child. Where nodes of
	// both rules test the column, missing values go last here, and copy is where its codes are once
	// more for the nodes that send them first; else -1.
	last bool
	copy int
}

// worthCodes is the number of columns for each tree up to which codes take less time than they
// save.
const worthCodes = 16

// layoutOf compiles the trees of a program, nil if any of them is not fit for it.
func layoutOf(p *Program) *layout {
	leaves, points := kernel.ScanLimits()
	if len(p.plans) < 2 || len(p.columns) > min(maxPlaces, worthCodes*len(p.plans)) {
		return nil
	}
	for i := range p.plans {
		if !p.plans[i].scannable(leaves) {
			return nil
		}
	}
	cost := 0
	l := &layout{scratch: sync.Pool{New: func() any { return new(rowScratch) }}, small: leaves <= kernel.SmallLeaves && points <= kernel.PositivePoints, sums: true}
	l.levels = true
	for i := range p.plans {
		t := &p.plans[i]
		l.levels = l.levels && t.oblivious()
		l.sums = l.sums && t.Leaf.Width == 1 && t.Leaf.Linear == nil
	}
	for from := 0; from < len(p.plans); {
		c := compiler{p: p, points: make([][]float64, len(p.columns)),
			rules: make([]uint8, len(p.columns))}
		to := c.take(from, points)
		s := c.segment(from, to, l)
		if s.row = rowFormOf(p, &s, l.levels); s.row != nil {
			cost += s.row.cost() + 5*len(s.columns)
		}
		l.alone = (from == 0 || l.alone) && s.row != nil
		l.slots = max(l.slots, s.slots)
		l.segments = append(l.segments, s)
		from = to
	}
	const inPlace = 50 // about nanoseconds for a tree
	l.alone = l.alone && cost <= inPlace*len(p.plans)
	return l
}

// scannable reports whether a tree has up to some leaves, and nodes that a comparison decides,
// also where values are missing.
func (p *plan) scannable(leaves int) bool {
	if len(p.nodes) > 2*leaves-1 || p.way == plainly {
		return false
	}
	for n := range p.Nodes {
		d := &p.Nodes[n]
		switch d.Kind() {
		case tree.Leaf:
		case tree.Numeric:
			if p.missingChild(int32(n)) < 0 || math.IsNaN(d.SplitPoint()) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// oblivious reports whether all leaves of a tree are on one level, and all nodes of any other level
// have one test.
func (p *plan) oblivious() bool {
	level, levels := []int32{0}, 0
	for ; p.Kind(level[0]) != tree.Leaf; levels++ {
		first := level[0]
		var next []int32
		for _, n := range level {
			d := &p.Nodes[n]
			if d.Kind() == tree.Leaf || d.Feature() != p.Feature(first) ||
				d.SplitPoint() != p.SplitPoint(first) || p.missesLast(n) != p.missesLast(first) {
				return false
			}
			next = append(next, d.Child(), d.Child()+1)
		}
		level = next
	}
	return !slices.ContainsFunc(level, func(n int32) bool { return p.Kind(n) != tree.Leaf })
}

// missingChild returns the child that missing values go to at an inner node, -1 if that depends on
// the row, or on no child alone.
func (p *plan) missingChild(n int32) int32 {
	if p.Missing(n) == tree.MissingSurrogate && p.Surrogates != nil {
		return -1
	}
	return p.NextMissing(n)
}

// compiler makes a segment.
type compiler struct {
	p      *Program
	points [][]float64 // by position in Program.columns: the split points, ascending
	rules  []uint8     // by the same: which rules for missing values there are, bit 1 for last
}

// take collects the split points of trees, from one on, and returns the number of the first that
// does not fit.
func (c *compiler) take(from, most int) int {
	for i := from; i < len(c.p.plans); i++ {
		t := &c.p.plans[i]
		for n := range t.Nodes {
			d := &t.Nodes[n]
			if d.Kind() == tree.Leaf {
				continue
			}
			k := c.p.place[d.Feature()]
			x := d.SplitPoint() + 0
			at, found := slices.BinarySearch(c.points[k], x)
			if found {
				continue
			}
			if len(c.points[k]) == most {
				return i // its split points so far stay, and do no harm
			}
			c.points[k] = slices.Insert(c.points[k], at, x)
		}
	}
	return len(c.p.plans)
}

// segment compiles trees that were taken.
func (c *compiler) segment(from, to int, l *layout) segment {
	s := segment{at: []int32{0}}
	for i := from; i < to; i++ {
		s.trees = append(s.trees, int32(i))
		t := &c.p.plans[i]
		for n := range t.Nodes {
			if d := &t.Nodes[n]; d.Kind() != tree.Leaf {
				c.rules[c.p.place[d.Feature()]] |= 1 << one(t.missesLast(int32(n)))
			}
		}
	}
	slices.SortStableFunc(s.trees, func(a, b int32) int {
		return int(c.p.plans[a].output) - int(c.p.plans[b].output)
	})
	slot := make([]int, len(c.p.columns)) // of the column's own codes
	for k, rules := range c.rules {
		if rules != 0 {
			slot[k] = len(s.columns)
			s.columns = append(s.columns, codedColumn{position: k,
				coder: kernel.NewCoder(c.points[k]), last: rules&2 != 0, copy: -1})
		}
	}
	s.slots = len(s.columns)
	s.coder = kernel.NewRowCoder()
	for i := range s.columns {
		in := &s.columns[i]
		s.coder.Add(&in.coder, in.position, in.last)
		if c.rules[in.position] == 3 {
			in.copy = s.slots
			s.slots++
		}
	}
	for _, i := range s.trees {
		c.tree(&s, i, slot, l)
	}
	return s
}

// missesLast reports whether missing values go to the last child of a node.
func (p *plan) missesLast(n int32) bool { return p.missingChild(n) != p.Child(n) }

// tree appends a tree to a segment.
func (c *compiler) tree(s *segment, i int32, slot []int, l *layout) {
	t := &c.p.plans[i]
	leaves := make([]int32, t.Len()) // below each node
	for n := t.Len() - 1; n >= 0; n-- {
		if d := &t.Nodes[n]; d.Kind() == tree.Leaf {
			leaves[n] = 1
		} else {
			leaves[n] = leaves[d.Child()] + leaves[d.Child()+1]
		}
	}
	ends, numbers := make([]int32, 0, leaves[0]), make([]int32, 0, leaves[0])
	open := []int32{0}
	for len(open) > 0 {
		n := open[len(open)-1]
		open = open[:len(open)-1]
		d := &t.Nodes[n]
		if d.Kind() == tree.Leaf {
			end := n
			if t.Leaf.InNodes {
				end = d.Slot()
			}
			ends, numbers = append(ends, end), append(numbers, n)
			continue
		}
		if first := len(numbers); !l.levels || first == 0 { // levels: the first node of each
			s.nodes = append(s.nodes, c.node(s, t, n, slot, first,
				first+int(leaves[d.Child()])))
		}
		open = append(open, d.Child()+1, d.Child())
	}
	s.at = append(s.at, int32(len(s.nodes)))
	s.ends, s.numbers = append(s.ends, ends), append(s.numbers, numbers)
	if !l.sums {
		return
	}
	s.output = append(s.output, max(0, t.output))
	s.valueAt = append(s.valueAt, uint32(len(s.value)))
	for _, n := range numbers {
		s.value = append(s.value, float64(c.p.scale[i]*t.value[t.Slot(n)]))
	}
}

// node returns a node in the form of Scan.
func (c *compiler) node(s *segment, t *plan, n int32, slot []int, first, last int) kernel.ScanNode {
	at, above := s.test(t, n, slot[c.p.place[t.Feature(n)]])
	return kernel.ScanNode{At: uint32(at * kernel.ScanRows), Above: above, First: uint8(first),
		Last: uint8(last)}
}

// test returns the code that a node tests, whose column is given, and the least one that goes to
// the last child.
func (s *segment) test(t *plan, n int32, column int) (at int, above int8) {
	in := &s.columns[column]
	if at = column; in.copy >= 0 && !t.missesLast(n) {
		at = in.copy
	}
	return at, in.coder.AboveValue(t.SplitPoint(n))
}

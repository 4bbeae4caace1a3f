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
	slots    int       // the largest number of codes of a row in a segment, with those of sets
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
	// codes of a row: one for each column, then the copies
	slots int
	// the sets of nodes, each of which has codes in turn, behind the others: the side of a row. The
	// codes are those of one tree at a time, of at most sideSlots sets.
	sets      []codedSet
	setAt     []int32 // by tree here: its first set; one more at the end
	sideSlots int

	trees []int32
	nodes []kernel.ScanNode
	at    []int32 // by tree here: its first node; one more at the end

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
	// of categories: the codes up to the greatest that a set holds, then one for all others and one
	// for missing values; -1 for numbers
	levels int
}

// mostLevels is the number of levels up to which categories have codes of one byte.
const mostLevels = 254

// codedSet is the set of some nodes of a tree.
type codedSet struct {
	column int // of the segment
	table  kernel.SideTable
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
		if !p.scannable(&p.plans[i], leaves) {
			return nil
		}
	}
	cost := 0
	l := &layout{scratch: sync.Pool{New: func() any { return new(rowScratch) }},
		small: leaves <= kernel.SmallLeaves && points <= kernel.PositivePoints, sums: true,
		levels: true}
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
		l.slots = max(l.slots, s.slots+s.sideSlots)
		l.segments = append(l.segments, s)
		from = to
	}
	const inPlace = 50 // about nanoseconds for a tree
	l.alone = l.alone && cost <= inPlace*len(p.plans)
	return l
}

// scannable reports whether a tree has up to some leaves, and nodes that the code of one column
// decides, also where values are missing.
func (p *Program) scannable(t *plan, leaves int) bool {
	if len(t.nodes) > 2*leaves-1 || t.way == plainly {
		return false
	}
	for n := range t.Nodes {
		d := &t.Nodes[n]
		kind := d.Kind()
		if kind == tree.Leaf {
			continue
		}
		sets := p.widths != nil && p.widths[d.Feature()] > 0 // of categories
		if t.missingChild(int32(n)) < 0 || sets != (kind != tree.Numeric) ||
			sets && p.levels[d.Feature()] > mostLevels ||
			kind == tree.Numeric && math.IsNaN(d.SplitPoint()) {
			return false
		}
	}
	return true
}

// oblivious reports whether all leaves of a tree are on one level, and all nodes of any other level
// compare one column with one split point.
func (p *plan) oblivious() bool {
	level := []int32{0}
	for p.Kind(level[0]) != tree.Leaf {
		first := level[0]
		var next []int32
		for _, n := range level {
			d := &p.Nodes[n]
			if d.Kind() != tree.Numeric || d.Feature() != p.Feature(first) ||
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

const categories = 4 // in compiler.rules: a column of categories

// take collects the split points of trees, from one on, and returns the number of the first that
// does not fit.
func (c *compiler) take(from, most int) int {
	for i := from; i < len(c.p.plans); i++ {
		t := &c.p.plans[i]
		for n := range t.Nodes {
			d := &t.Nodes[n]
			if d.Kind() != tree.Numeric {
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
	s := segment{at: []int32{0}, setAt: []int32{0}}
	for i := from; i < to; i++ {
		s.trees = append(s.trees, int32(i))
		t := &c.p.plans[i]
		for n := range t.Nodes {
			switch d := &t.Nodes[n]; d.Kind() {
			case tree.Leaf:
			case tree.Numeric:
				c.rules[c.p.place[d.Feature()]] |= 1 << one(t.missesLast(int32(n)))
			default:
				c.rules[c.p.place[d.Feature()]] = categories
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
				coder: kernel.NewCoder(c.points[k]), last: rules&2 != 0, copy: -1, levels: -1})
			if rules == categories {
				s.columns[slot[k]].levels = int(c.p.levels[c.p.columns[k]])
			}
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
	s.sideSlots = max(s.sideSlots, len(s.sets)-int(s.setAt[len(s.setAt)-1]))
	s.setAt = append(s.setAt, int32(len(s.sets)))
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
	column := slot[c.p.place[t.Feature(n)]]
	made := kernel.ScanNode{First: uint8(first), Last: uint8(last)}
	at := 0
	if t.Kind(n) == tree.Numeric {
		at, made.Above = s.test(t, n, column)
	} else {
		at, made.Above = s.slots+s.set(t, n, column), 1
	}
	made.At = uint32(at * kernel.ScanRows)
	return made
}

// set returns the place of a node's set among those of its tree, and appends the set where none of
// the same column is equal.
func (s *segment) set(t *plan, n int32, column int) int {
	made := codedSet{column: column}
	levels := s.columns[column].levels
	for code := range levels + 2 {
		first := contains(t.Set(n), float64(code)) == (t.Kind(n) == tree.SetFirst)
		switch code {
		case levels:
			first = t.Kind(n) == tree.SetLast
		case levels + 1:
			first = !t.missesLast(n)
		}
		made.table[code/8] |= uint8(one(first)) << (code % 8)
	}
	from := int(s.setAt[len(s.setAt)-1])
	for i, other := range s.sets[from:] {
		if other == made {
			return i
		}
	}
	s.sets = append(s.sets, made)
	return len(s.sets) - 1 - from
}

// test returns the code that a node tests, whose column is given, and the least one that goes to
// the last child.
func (s *segment) test(t *plan, n int32, column int) (at int, above int8) {
	in := &s.columns[column]
	if at = column; in.copy >= 0 && !t.missesLast(n) {
		at = in.copy
	}
	return at, in.coder.Above(t.SplitPoint(n))
}

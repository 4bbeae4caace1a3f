package engine

import (
	"cmp"
	"slices"

	"github.com/coppice-ml/coppice/internal/kernel"
	"github.com/coppice-ml/coppice/tree"
)

// compiler makes a segment.
type compiler struct {
	p      *Program
	fit    []bool      // by tree: it is compiled
	points [][]float64 // by position in Program.columns: the split points, ascending
	rules  []uint8     // by the same: which rules for missing values there are, bit 1 for last
	wide   bool        // codes have two bytes
}

// What compiler.rules may also be.
const (
	bothRules  = 3
	categories = 4 // a column of categories
)

// take collects the split points of trees, from one on, and returns the number of the first that
// does not fit.
func (c *compiler) take(from, most int) int {
	for i := from; i < len(c.p.plans); i++ {
		t := &c.p.plans[i]
		if !c.fit[i] {
			continue
		}
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
	inner := 0
	for i := from; i < to; i++ {
		s.trees = append(s.trees, int32(i))
		t := &c.p.plans[i]
		if !c.fit[i] {
			continue
		}
		for n := range t.Nodes {
			switch d := &t.Nodes[n]; d.Kind() {
			case tree.Leaf:
				continue
			case tree.Numeric:
				c.rules[c.p.place[d.Feature()]] |= 1 << one(t.missesLast(int32(n)))
			default:
				c.rules[c.p.place[d.Feature()]] = categories
			}
			inner++
		}
	}
	s.nodes = make([]kernel.ScanNode, 0, inner)
	if l.sums {
		s.value = make([]float64, 0, inner+len(s.trees))
	}
	c.inTurns(s.trees)
	slot := make([]int, len(c.p.columns)) // of the column's own codes
	if c.wide {
		s.wide = c.wideColumns(slot)
	} else {
		c.columns(&s, slot)
	}
	for _, i := range s.trees {
		c.tree(&s, i, slot, l)
	}
	return s
}

// columns makes the columns of a segment, and writes their numbers.
func (c *compiler) columns(s *segment, slot []int) {
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
		if c.rules[in.position] == bothRules {
			in.copy = s.slots
			s.slots++
		}
	}
}

// inTurns sorts the trees of a segment, which ascend, into their turns.
func (c *compiler) inTurns(trees []int32) {
	seen, turn := map[int32]int{}, make(map[int32]int, len(trees))
	for _, i := range trees {
		output := c.p.plans[i].output
		turn[i] = seen[output] / kernel.LaneTrees
		seen[output]++
	}
	slices.SortStableFunc(trees, func(a, b int32) int {
		return cmp.Or(turn[a]-turn[b], int(c.p.plans[a].output)-int(c.p.plans[b].output))
	})
}

// tree appends a tree to a segment.
func (c *compiler) tree(s *segment, i int32, slot []int, l *layout) {
	t := &c.p.plans[i]
	s.output = append(s.output, max(0, t.output))
	s.valueAt = append(s.valueAt, uint32(len(s.value)))
	if !c.fit[i] {
		s.at = append(s.at, int32(len(s.nodes)))
		s.setAt = append(s.setAt, int32(len(s.sets)))
		s.ends, s.numbers = append(s.ends, nil), append(s.numbers, nil)
		s.inPlace = append(s.inPlace, *t)
		return
	}
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
	for _, n := range numbers {
		s.value = append(s.value, float64(c.p.scale[i]*t.value[t.Slot(n)]))
	}
}

// node returns a node in the form of Scan.
func (c *compiler) node(s *segment, t *plan, n int32, slot []int, first, last int) kernel.ScanNode {
	column := slot[c.p.place[t.Feature(n)]]
	made := kernel.ScanNode{First: uint8(first), Last: uint8(last)}
	at := 0
	switch {
	case s.wide != nil:
		s.wide.test(&made, t, n, column)
		return made
	case t.Kind(n) == tree.Numeric:
		at, made.Above = s.test(t, n, column)
	default:
		at, made.Above = s.slots+s.set(t, n, column), 1
	}
	made.At = uint32(at * kernel.ScanRows)
	return made
}

// set returns the place of a node's set among those of its tree, and appends the set where none of
// the same column is equal.
func (s *segment) set(t *plan, n int32, column int) int {
	made := codedSet{column: column, table: s.columns[column].firstTable(t, n)}
	from := int(s.setAt[len(s.setAt)-1])
	for i, other := range s.sets[from:] {
		if other == made {
			return i
		}
	}
	s.sets = append(s.sets, made)
	return len(s.sets) - 1 - from
}

// firstTable returns which codes of a column a node with a set sends to the first child.
func (in *codedColumn) firstTable(t *plan, n int32) (table kernel.SideTable) {
	for code := range in.levels + 2 {
		first := contains(t.Set(n), float64(code)) == (t.Kind(n) == tree.SetFirst)
		switch code {
		case in.levels:
			first = t.Kind(n) == tree.SetLast
		case in.levels + 1:
			first = !t.missesLast(n)
		}
		table[code/8] |= uint8(one(first)) << (code % 8)
	}
	return table
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

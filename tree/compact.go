package tree

import (
	"math"
	"math/bits"

	"github.com/coppice-ml/coppice/internal/kernel"
)

// Compact returns the tree as a forest stores hundreds of it: it predicts the same, in the least
// memory. Its nodes are those of the tree, with their numbers. It differs in what prediction does
// not need:
//
//   - inner nodes have no value, but those at which rows may stop (MissingStop);
//   - class counts (Counts) have become class probabilities (Vector), as Probabilities makes them;
//   - nodes whose values agree in every bit use one slot; slots are numbered in the order of the
//     nodes, by the first that has it. Where the tree keeps samples, or leaves have equations,
//     every leaf has a slot of its own;
//   - Leaf.InNodes is set, unless there are nodes at which rows may stop: then Leaf.Slot marks the
//     nodes with a value;
//   - Stats is nil, and Cover has the weights of the nodes where rows end, if the tree has them;
//   - Fraction is nil where no node's rule needs it;
//   - no slice has more capacity than length.
//
// The tree and its compact form have no memory in common.
func (t *Tree) Compact() *Tree {
	c := copyNodes(t)
	c.Leaf = compactLeaves(t, c.Nodes)
	return c
}

// copyNodes returns a tree in the least memory but for the values.
func copyNodes(t *Tree) *Tree {
	c := &Tree{Nodes: exact(t.Nodes), Sets: exact(t.Sets), SetAt: exact(t.SetAt),
		Cover: compactCover(t)}
	_, weighs := needs(t)
	if weighs {
		c.Fraction = exact(t.Fraction)
	}
	if d := t.Dirs; d != nil {
		c.Dirs = &Directions{At: exact(d.At), Feature: exact(d.Feature), Coef: exact(d.Coef)}
	}
	if s := t.Surrogates; s != nil {
		c.Surrogates = &Surrogates{At: exact(s.At), Kind: exact(s.Kind), Feature: exact(s.Feature),
			SplitPoint: exact(s.SplitPoint), Flip: exact(s.Flip),
			Sets: exact(s.Sets), SetAt: exact(s.SetAt), Agree: exact(s.Agree),
			Adjusted: exact(s.Adjusted)}
	}
	return c
}

// Votes returns the compact form of a tree whose leaves vote: in place of its value a leaf has a
// one for its label, which is a number below the width of the values, and zeros. Slots are numbered
// as in Compact. Rows may not stop at inner nodes.
func (t *Tree) Votes(label func(value []float64) int) *Tree {
	c, w := copyNodes(t), t.Leaf.Width
	c.Leaf = Leaves{Kind: Vector, Width: w, InNodes: true}
	slot := make([]int32, w) // by label, + 1
	for n := range int32(t.Len()) {
		if t.Kind(n) != Leaf {
			continue
		}
		k := label(t.Value(n))
		if slot[k] == 0 {
			c.Leaf.Value = append(c.Leaf.Value, make([]float64, w)...)
			slot[k] = int32(len(c.Leaf.Value) / w)
			c.Leaf.Value[len(c.Leaf.Value)-w+k] = 1
		}
		c.Nodes[n].child = slot[k] - 1
	}
	c.Leaf.Value = exact(c.Leaf.Value)
	return c
}

// needs reports whether rows may stop at an inner node of a tree, and whether a rule needs the
// fractions of a node's children.
func needs(t *Tree) (stops, weighs bool) {
	for i := range t.Nodes {
		switch t.Nodes[i].Missing() {
		case MissingStop:
			stops = true
		case MissingMajority, MissingFractional, MissingSurrogate:
			weighs = true
		}
	}
	return stops, weighs
}

// compactLeaves returns the values of the compact form of t, and writes the slots of leaves to its
// nodes.
func compactLeaves(t *Tree, nodes []Node) Leaves {
	stops, _ := needs(t)
	c := Leaves{Kind: t.Leaf.Kind, Width: t.Leaf.Width, InNodes: !stops}
	if stops {
		c.Slot = make([]int32, t.Len())
	}
	if t.Leaf.Kind == Counts {
		c.Kind = Vector
	}
	if t.Leaf.Samples != nil {
		c.Samples = &Samples{At: []int32{0}}
	}
	if hasEquations(t, stops) {
		c.Linear = &Linear{At: []int32{0}}
	}
	table := newSlots(t.Leaf.Width)
	row := make([]float64, t.Leaf.Width)
	for n := range int32(t.Len()) {
		slot := int32(-1)
		leaf := t.Kind(n) == Leaf
		if leaf || t.Missing(n) == MissingStop {
			copy(row, t.Value(n))
			if t.Leaf.Kind == Counts {
				Probabilities(row, row)
			}
			switch s, l := c.Samples, c.Linear; {
			case s != nil:
				slot = table.add(row)
				s.add(t.Leaf.Samples.Of(t.Slot(n)))
			case l != nil:
				slot = table.add(row)
				l.addOf(t, n)
			default:
				slot = table.find(row)
			}
		}
		if stops {
			c.Slot[n] = slot
		} else if leaf {
			nodes[n].child = slot
		}
	}
	c.Value = exact(table.value)
	if s := c.Samples; s != nil {
		s.At, s.Rank, s.Weight = exact(s.At), exact(s.Rank), exact(s.Weight)
	}
	if l := c.Linear; l != nil {
		l.At, l.Constant, l.Feature, l.Coef = exact(l.At), exact(l.Constant), exact(l.Feature),
			exact(l.Coef)
	}
	return c
}

// Probabilities writes class weights as fractions of their sum into dst; weights that sum to zero
// become equal fractions. dst and counts may be the same slice.
func Probabilities(dst, counts []float64) {
	sum := kernel.Sum(counts)
	for i, v := range counts {
		if sum > 0 {
			dst[i] = v / sum
		} else {
			dst[i] = 1 / float64(len(counts))
		}
	}
}

// exact returns a copy without spare capacity, nil of nil.
func exact[T any](s []T) []T {
	if s == nil {
		return nil
	}
	c := make([]T, len(s))
	copy(c, s)
	return c
}

// slots is a table of different rows of numbers: slot s is value[s*width : (s+1)*width]. Rows are
// found by their hash, in an open table of slots + 1 that is at most half full; 0 is free.
type slots struct {
	width int
	value []float64
	table []int32
}

func newSlots(width int) *slots { return &slots{width: width, table: make([]int32, 64)} }

// add appends a row as a new slot, beside the table, and returns the slot.
func (s *slots) add(row []float64) int32 {
	s.value = append(s.value, row...)
	return int32(len(s.value)/s.width) - 1
}

// find returns the slot of a row, a new one if no row has its bits.
func (s *slots) find(row []float64) int32 {
	at := s.place(row)
	if s.table[at] == 0 {
		s.value = append(s.value, row...)
		s.table[at] = int32(len(s.value) / s.width)
		if found := s.table[at]; 2*int(found) > len(s.table) {
			s.grow()
			return found - 1
		}
	}
	return s.table[at] - 1
}

// place returns where a row is in the table, or the free place where it belongs.
func (s *slots) place(row []float64) int {
	hash := uint64(0)
	for _, x := range row {
		hash = bits.RotateLeft64(hash^math.Float64bits(x), 29) * 0x9e3779b97f4a7c15
	}
	mask := len(s.table) - 1
	at := int(hash>>33) & mask
	for s.table[at] != 0 && !s.holds(s.table[at]-1, row) {
		at = (at + 1) & mask
	}
	return at
}

func (s *slots) holds(slot int32, row []float64) bool {
	for i, x := range s.value[int(slot)*s.width : (int(slot)+1)*s.width] {
		if math.Float64bits(x) != math.Float64bits(row[i]) {
			return false
		}
	}
	return true
}

func (s *slots) grow() {
	s.table = make([]int32, 2*len(s.table))
	for slot := range len(s.value) / s.width {
		s.table[s.place(s.value[slot*s.width:(slot+1)*s.width])] = int32(slot + 1)
	}
}

package engine

import (
	"math/bits"
	"slices"

	"github.com/coppice-ml/coppice/tree"
)

// folds are the sets of trees by new numbers of levels, for blocks: those that some set of their
// column holds, in their order. A table may have a million levels, while trees hold a few thousand
// of them. Then the sets of all nodes stay in the cache:
//
//	level     0    1    2    3    4    5         set {1, 4}    0 1 0 0 1 0
//	number    -1   0    -1   -1   1    2         is  {0, 1}    1 1 0
type folds struct {
	columns []fold     // by feature
	widths  []int32    // as Program.widths, of these sets
	sets    [][]uint64 // by tree, and so is setAt
	setAt   [][]int32
}

// fold is the numbers of a column's levels.
type fold struct {
	held   []uint64 // the levels that have numbers; nil: levels stay as they are
	before []int32  // by word of held: the number of its first level
}

// longSet is the number of words of sets from which on levels are numbered, if that halves sets.
const longSet = 4

// foldsOf returns the folds of a program, nil if all levels stay as they are.
func foldsOf(p *Program) *folds {
	if len(p.widths) == 0 || len(p.place) > maxPlaces || slices.Max(p.widths) < longSet {
		return nil
	}
	f := &folds{columns: make([]fold, len(p.widths)), widths: slices.Clone(p.widths)}
	for i, width := range p.widths {
		if width >= longSet {
			f.columns[i].held = make([]uint64, width)
		}
	}
	for t := range p.plans {
		f.hold(&p.plans[t])
	}
	numbered := false
	for i := range f.columns {
		c, n := &f.columns[i], int32(0)
		for _, word := range c.held {
			c.before = append(c.before, n)
			n += int32(bits.OnesCount64(word))
		}
		if width := max(1, (n+63)/64); c.held != nil && 2*width <= p.widths[i] {
			f.widths[i], numbered = width, true
		} else {
			*c = fold{}
		}
	}
	if !numbered {
		return nil
	}
	for t := range p.plans {
		f.addSets(&p.plans[t])
	}
	return f
}

// hold adds the levels that the sets of a tree hold to those of their columns.
func (f *folds) hold(t *plan) {
	for n := range t.nodes {
		d := &t.nodes[n]
		if t.way == plainly || int(d.Look>>featureAt) >= len(f.columns) { // as that of a leaf
			continue
		}
		c := &f.columns[d.Look>>featureAt]
		if d.Look&kindBits == uint32(tree.Numeric) {
			c.held = nil // split points compare the levels themselves
		}
		for w, word := range t.Set(int32(n)) {
			if c.held != nil {
				c.held[w] |= word
			}
		}
	}
}

// addSets adds the sets of a tree, those of columns with numbers by these.
func (f *folds) addSets(t *plan) {
	var sets []uint64
	at := make([]int32, len(t.SetAt))
	column := make([]uint32, len(t.SetAt)) // by set
	for n := range t.nodes {
		if d := &t.nodes[n]; t.way != plainly && d.Look&2 != 0 {
			column[int(d.SplitPoint)] = d.Look >> featureAt
		}
	}
	for s := 0; s+1 < len(at) && t.way != plainly; s++ {
		set, c := t.Sets[t.SetAt[s]:t.SetAt[s+1]], &f.columns[column[s]]
		if c.held != nil {
			from := set
			set = make([]uint64, f.widths[column[s]])
			for w, word := range from {
				for ; word != 0; word &= word - 1 {
					n := uint(c.number(float64(64*w + bits.TrailingZeros64(word))))
					set[n/64] |= 1 << (n % 64)
				}
			}
		}
		sets = append(sets, set...)
		at[s+1] = int32(len(sets))
	}
	f.sets, f.setAt = append(f.sets, sets), append(f.setAt, at)
}

// number returns the number of a level, -1 if no set holds it, and a missing value as it is.
func (c *fold) number(level float64) float64 {
	if !(level >= 0 && level < float64(64*len(c.held))) {
		return min(level, -1)
	}
	word, below := c.held[uint(level)/64], uint64(1)<<(uint(level)%64)
	if word&below == 0 {
		return -1
	}
	return float64(int(c.before[uint(level)/64]) + bits.OnesCount64(word&(below-1)))
}

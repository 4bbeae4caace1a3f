package shapley

import (
	"math"
	"math/bits"
	"slices"

	"github.com/coppice-ml/coppice/tree"
)

// flatBits is the number of bits of the indices of flat tables, if leaves do not have more players.
// Smaller tables than those of blocks stay in the cache between rows.
const flatBits = 8

// flat explains single rows by the tables of a tabled, which stand one after the other. The
// outcomes of all tests are the bits of one word. So trees have up to 64 outcomes.
type flat struct {
	split      []float64 // by bit: of numbers
	column     []int32
	first      uint64    // bits of numbers whose missing values go to the first child
	others     []outcome // tests of categories
	conditions []condition
	parts      []flatPart
	cells      []int32
	value      []float64
	width      int
	output     int
}

// outcome is a bit that reports whether a row goes to a child.
type outcome struct {
	*node
	bit   int
	child int32
}

// condition is what a player of a path requires: the bits in mask are those of want.
type condition struct{ mask, want uint64 }

// flatPart is a part. Its tests are consecutive bits of the word.
type flatPart struct {
	mask              uint64
	conditions, cells int32 // first
	value             int32 // place of its table
	numbers           int32 // cells
	shift, depth      uint8 // depth is the number of conditions, too
}

// outcomes returns the number of bits that the tests of a tree have.
func (g *games) outcomes() int {
	count := 0
	for n := range g.nodes {
		switch d := &g.nodes[n]; d.kind {
		case tree.Leaf:
		case tree.ByCode:
			count += int(d.arity)
		default:
			count++
		}
	}
	return count
}

// newFlat makes the tables of a tree.
func newFlat(g *games) *flat {
	f := &flat{width: g.width, output: int(g.output)}
	f.lay(newTabled(g, flatBits).root, nil)
	return f
}

// lay appends the parts below a branch. path has the conditions of the players above.
func (f *flat) lay(b *branch, path []condition) {
	if b.part == nil {
		bit := len(f.split)
		for c := range b.children {
			if c == 0 || b.kind == tree.ByCode {
				f.test(b.node, int32(c))
			}
		}
		for c, child := range b.children {
			below := append([]condition(nil), path...)
			if b.fresh {
				below = append(below, condition{})
			}
			now := &below[b.slot]
			if b.kind == tree.ByCode {
				now.mask |= 1 << (bit + c)
				now.want |= 1 << (bit + c)
			} else {
				now.mask |= 1 << bit
				now.want |= uint64(1-c) << bit
			}
			f.lay(child, below)
		}
		return
	}
	p := b.part
	f.parts = append(f.parts, flatPart{conditions: int32(len(f.conditions)),
		shift: uint8(len(f.split)), depth: uint8(p.depth), mask: 1<<len(p.tests) - 1,
		cells: int32(len(f.cells)), numbers: int32(len(p.cells)), value: int32(len(f.value))})
	f.conditions = append(f.conditions, path...)
	f.cells = append(f.cells, p.cells...)
	f.value = append(f.value, p.value...)
	for _, d := range p.tests {
		f.test(d, 0)
	}
}

// test appends a bit.
func (f *flat) test(d *node, child int32) {
	bit, split := len(f.split), d.split
	switch {
	case d.kind != tree.Numeric:
		f.others = append(f.others, outcome{d, bit, child})
		split = math.NaN() // no value is less: the bit is 0 until others set it
	case d.missing == 0:
		f.first |= 1 << bit
	}
	f.split, f.column = append(f.split, split), append(f.column, d.column)
}

// flatGroup is the number of trees whose entries are looked up together.
const flatGroup = 8

// Entries is the memory of AddRow.
type Entries struct {
	at    []int // by part: where its entry begins
	total float64
}

// AddRow adds the cells of the index to phi, cell after cell of a score, for a row of values by
// column. PrepareRow of all games must have reported true. The entries of several trees are read
// before any is added: their memory is fetched together, which takes as long as one alone.
func AddRow(games []*Game, phi, row []float64, cells int, s *Entries) {
	missing := slices.ContainsFunc(row, func(x float64) bool { return x != x })
	for len(games) > 0 {
		group := games[:min(flatGroup, len(games))]
		games = games[len(group):]
		s.at = s.at[:0]
		for _, g := range group {
			s.at = g.flat.entries(s.at, g.flat.word(row, missing))
		}
		at := s.at
		for _, g := range group {
			for i, e := range at[:len(g.flat.parts)] {
				entry := g.flat.value[e:][:int(g.flat.parts[i].numbers)*g.flat.width]
				if len(entry) > 0 {
					s.total += entry[0] + entry[len(entry)-1]
				}
			}
			at = at[len(g.flat.parts):]
		}
		at = s.at
		for _, g := range group {
			g.flat.add(phi, at, cells)
			at = at[len(g.flat.parts):]
		}
	}
}

// word returns the outcomes of all tests. missing reports whether the row has missing values.
func (f *flat) word(row []float64, missing bool) uint64 {
	word := uint64(0)
	column := f.column[:len(f.split)]
	for i, split := range f.split {
		bit := uint64(0)
		if row[column[i]] <= split {
			bit = 1
		}
		word |= bit << (i & 63)
	}
	if missing {
		for left := f.first; left != 0; left &= left - 1 {
			i := bits.TrailingZeros64(left)
			if x := row[column[i]]; x != x {
				word |= 1 << i
			}
		}
	}
	for i := range f.others {
		if o := &f.others[i]; o.next(row[o.column]) == o.child {
			word |= 1 << o.bit
		}
	}
	return word
}

// entries appends the place of each part's entry for a row.
func (f *flat) entries(at []int, word uint64) []int {
	for i := range f.parts {
		p := &f.parts[i]
		index := word >> (p.shift & 63) & p.mask << (p.depth & 63)
		for j, c := range f.conditions[p.conditions:][:p.depth] {
			bit := uint64(0)
			if (word^c.want)&c.mask == 0 {
				bit = 1
			}
			index |= bit << (j & 63)
		}
		at = append(at, int(p.value)+int(index)*f.width*int(p.numbers))
	}
	return at
}

// add adds the entries of the parts to the cells of a row.
func (f *flat) add(phi []float64, at []int, cells int) {
	for i := range f.parts {
		p := &f.parts[i]
		to := f.cells[p.cells:][:p.numbers]
		for k := range f.width {
			entry := f.value[at[i]+k*len(to):][:len(to)]
			of := phi[(f.output+k)*cells:][:cells]
			for j, cell := range to {
				of[cell] += entry[j]
			}
		}
	}
}

package shapley

import (
	"math"
	"slices"

	"github.com/coppice-ml/coppice/internal/hugepage"
	"github.com/coppice-ml/coppice/tree"
)

// flatWords is the largest number of words of outcomes.
const flatWords = 8

// outcomes are the bits of all tests of a tree, for a row.
type outcomes [flatWords]uint64

// flat explains single rows by the tables of a tabled, which stand one after the other. Outcomes of
// tests are bits, those of a part in one word.
type flat struct {
	split      []float64 // by bit: of numbers
	column     []int32
	first      []int32   // bits of numbers whose missing values go to the first child
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

// condition is what a player of a path requires of a word: the bits in mask are those of want.
type condition struct {
	mask, want uint64
	word, slot uint8
}

// flatPart is a part. Its tests are consecutive bits of a word.
type flatPart struct {
	mask              uint64
	conditions, cells int32 // first
	value             int32 // place of its table
	numbers, required int32 // cells and conditions
	word, shift       uint8
	depth             uint8 // players of the path
}

// newFlat makes the tables of a tree, nil if it has too many tests.
func newFlat(g *games) *flat {
	f := &flat{width: g.width, output: int(g.output)}
	f.lay(newTabled(g, g.index.bits()).root, nil)
	if len(f.split) > 64*flatWords {
		return nil
	}
	return f
}

// lay appends the parts below a branch. path has the conditions of the players above.
func (f *flat) lay(b *branch, path []condition) {
	if b.part != nil {
		f.part(b.part, path)
		return
	}
	bit := len(f.split)
	for c := range b.children {
		if c == 0 || b.kind == tree.ByCode {
			f.test(b.node, int32(c))
		}
	}
	for c, child := range b.children {
		if b.kind == tree.ByCode {
			f.lay(child, require(path, bit+c, 1, b.slot))
		} else {
			f.lay(child, require(path, bit, uint64(1-c), b.slot))
		}
	}
}

// require returns conditions with one more, that a bit has a value.
func require(path []condition, bit int, value uint64, slot int) []condition {
	below := slices.Clone(path)
	word, mask := uint8(bit/64), uint64(1)<<(bit%64)
	for i := range below {
		if c := &below[i]; c.word == word && int(c.slot) == slot {
			c.mask, c.want = c.mask|mask, c.want|value<<(bit%64)
			return below
		}
	}
	return append(below, condition{mask, value << (bit % 64), word, uint8(slot)})
}

// part appends a part.
func (f *flat) part(p *part, path []condition) {
	for len(f.split)%64+len(p.tests) > 64 { // the tests have one word
		f.split, f.column = append(f.split, math.NaN()), append(f.column, 0)
	}
	bit := len(f.split)
	f.parts = append(f.parts, flatPart{conditions: int32(len(f.conditions)),
		required: int32(len(path)), word: uint8(bit / 64), shift: uint8(bit % 64),
		depth: uint8(p.depth), mask: 1<<len(p.tests) - 1, cells: int32(len(f.cells)),
		numbers: int32(len(p.cells)), value: int32(len(f.value))})
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
		f.first = append(f.first, int32(bit))
	}
	f.split, f.column = append(f.split, split), append(f.column, d.column)
}

// Pack moves the tables of AddRow into one piece of memory, of large pages: entries are read at
// random.
func Pack(games []*Game) {
	numbers := 0
	for _, g := range games {
		numbers += len(g.flat.value)
	}
	all := hugepage.Slice[float64](numbers)
	for _, g := range games {
		n := copy(all, g.flat.value)
		g.flat.value, all = all[:n:n], all[n:]
	}
}

// flatGroup is the number of trees whose entries are looked up together.
const flatGroup = 8

// Entries is the memory of AddRow.
type Entries struct {
	words outcomes
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
			g.flat.outcomes(&s.words, row, missing)
			s.at = g.flat.entries(s.at, &s.words)
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

// outcomes finds the outcomes of all tests. missing reports whether the row has missing values.
func (f *flat) outcomes(words *outcomes, row []float64, missing bool) {
	column := f.column[:len(f.split)]
	for from := 0; from < len(column); from += 64 {
		word := uint64(0)
		for i := from; i < min(from+64, len(column)); i++ {
			bit := uint64(0)
			if row[column[i]] <= f.split[i] {
				bit = 1
			}
			word |= bit << (i & 63)
		}
		words[from/64] = word
	}
	if missing {
		for _, i := range f.first {
			if x := row[column[i]]; x != x {
				words[i/64] |= 1 << (i & 63)
			}
		}
	}
	for i := range f.others {
		if o := &f.others[i]; o.next(row[o.column]) == o.child {
			words[o.bit/64] |= 1 << (o.bit & 63)
		}
	}
}

// entries appends the place of each part's entry for a row.
func (f *flat) entries(at []int, words *outcomes) []int {
	for i := range f.parts {
		p := &f.parts[i]
		index := uint64(1)<<(p.depth&63) - 1
		for _, c := range f.conditions[p.conditions:][:p.required] {
			unmet := uint64(0)
			if (words[c.word%flatWords]^c.want)&c.mask != 0 {
				unmet = 1
			}
			index &^= unmet << (c.slot & 63)
		}
		index |= words[p.word%flatWords] >> (p.shift & 63) & p.mask << (p.depth & 63)
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

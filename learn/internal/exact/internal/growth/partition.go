package growth

import (
	"slices"

	"github.com/coppice-ml/coppice/learn/internal/exact/internal/sorting"
	"github.com/coppice-ml/coppice/tree"
)

// Partition puts the rows of a node that go first before the others, stably:
//
//	rows   | 2 3 5 7 8 9 |        3, 7 and 8 go first
//	after  | 3 7 8 | 2 5 9 |
//
// Each row is written to both places and one pointer moves: there is no branch to mispredict.
type Partition struct {
	rest []uint32 // the rows that go last
	goes []uint8  // codesGo
}

// Scratch returns memory for the rows that go last. The result is valid until the next call.
func (p *Partition) Scratch(rows int) []uint32 {
	if cap(p.rest) < rows {
		p.rest = make([]uint32, rows, sorting.WithSlack(rows))
	}
	return p.rest[:rows]
}

// ByBits puts the rows of a set first and returns their number.
func (p *Partition) ByBits(first RowSet, rows []uint32) int {
	rest := p.Scratch(len(rows))
	n, m := 0, 0
	for _, pos := range rows {
		rows[n], rest[m] = pos, pos
		bit := int(first[pos>>6] >> (pos & 63) & 1)
		n += bit
		m += 1 - bit
	}
	copy(rows[n:], rest[:m])
	return n
}

// ByCodes puts the rows whose category goes first before the others and returns their number.
func (p *Partition) ByCodes(code []uint32, levels int, b *Split, rows []uint32) int {
	goes, last := p.CodesGo(b, levels), uint32(levels)
	rest := p.Scratch(len(rows))
	n, m := 0, 0
	for _, row := range rows {
		rows[n], rest[m] = row, row
		first := int(goes[min(code[row], last)])
		n += first
		m += 1 - first
	}
	copy(rows[n:], rest[:m])
	return n
}

// CodesGo returns, by code, 1 where a set of categories sends rows first; the last is for missing
// values. The result is valid until the next call.
func (p *Partition) CodesGo(b *Split, levels int) []uint8 {
	p.goes = slices.Grow(p.goes[:0], levels+1)[:levels+1]
	for code := range p.goes {
		p.goes[code] = 0
		if tree.InSet(b.Set, uint32(code)) == (b.Kind == tree.SetFirst) {
			p.goes[code] = 1
		}
	}
	p.goes[levels] = 0
	if b.MissingFirst() {
		p.goes[levels] = 1
	}
	return p.goes
}

// ByBytes puts the rows of a column of few values that a split sends first before the others and
// returns their number.
func (p *Partition) ByBytes(c sorting.Bytes, b *Split, rows []uint32) int {
	var goes [sorting.FewValues + 1]uint8
	for rank := range c.Values {
		if uint32(rank) <= b.Rank {
			goes[rank] = 1
		}
	}
	if b.MissingFirst() {
		goes[c.Values] = 1
	}
	rest, few := p.Scratch(len(rows)), c.Rank
	n, m := 0, 0
	for _, row := range rows {
		rows[n], rest[m] = row, row
		first := int(goes[few[row]])
		n += first
		m += 1 - first
	}
	copy(rows[n:], rest[:m])
	return n
}

// RowSet is a bit set of positions.
type RowSet []uint64

// NewRowSet returns an empty set of so many positions.
func NewRowSet(rows int) RowSet { return make(RowSet, (rows+63)/64) }

// Set sets whether a row is in the set.
func (r RowSet) Set(pos uint32, in bool) {
	bit := uint64(0)
	if in {
		bit = 1
	}
	word := &r[pos>>6]
	*word = *word&^(1<<(pos&63)) | bit<<(pos&63)
}

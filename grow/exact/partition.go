package exact

import (
	"slices"

	"github.com/coppice-ml/coppice/tree"
)

// partitionRows marks which rows of a node go first and splits its segment of rows, stably:
//
//	rows   | 2 3 5 7 8 9 |        first = {3, 7, 8}
//	after  | 3 7 8 | 2 5 9 |
//
// It returns the length of the first.
func (g *grower) partitionRows(nd *node) int {
	g.markFirst(nd)
	return g.firstAhead(nd.list)
}

// firstAhead puts the rows marked first before the others and returns their number. It writes each row to both places
// and moves one pointer, as partitionOrder does.
func (g *grower) firstAhead(rows []uint32) int {
	rest := g.room(len(rows))
	n, m := 0, 0
	for _, pos := range rows {
		rows[n], rest[m] = pos, pos
		bit := int(g.first[pos>>6] >> (pos & 63) & 1)
		n += bit
		m += 1 - bit
	}
	copy(rows[n:], rest[:m])
	return n
}

// room returns memory for the rows that go last. The result is valid until the next call.
func (g *grower) room(rows int) []uint32 {
	if cap(g.rest) < rows {
		g.rest = make([]uint32, rows, rows+rows/bagsDiffer)
	}
	return g.rest[:rows]
}

// mark sets whether a row goes first.
func (g *grower) mark(pos uint32, first bool) {
	bit := uint64(0)
	if first {
		bit = 1
	}
	word := &g.first[pos>>6]
	*word = *word&^(1<<(pos&63)) | bit<<(pos&63)
}

// markFirst sets the bit of each row of the node by its best split.
func (g *grower) markFirst(nd *node) {
	b := &nd.best
	missingFirst := b.missingFirst()
	if g.side != nil {
		for _, pos := range nd.list {
			g.mark(pos, g.side[pos] == toFirst)
		}
		return
	}
	if b.kind == tree.Oblique || b.kind == tree.Sphere {
		g.markDirection(nd, missingFirst)
		return
	}
	c := &g.columns[b.feature]
	if b.kind == tree.Cut && c.tabled(len(nd.list)) {
		g.markTabled(nd, missingFirst)
		return
	}
	if b.kind == tree.Cut && c.key == nil {
		for _, e := range c.order[nd.lo:nd.hi] {
			rank := e.Key >> g.shift
			g.mark(e.Pos, rank <= b.rank || rank == g.missing && missingFirst)
		}
		return
	}
	if b.kind == tree.Cut {
		for _, pos := range nd.list {
			rank := c.key[pos] >> g.shift
			g.mark(pos, rank <= b.rank || rank == g.missing && missingFirst)
		}
		return
	}
	levels := uint32(g.prepared.columns[b.feature].levels)
	goes := g.codesGo(b, int(levels))
	for _, pos := range nd.list {
		g.mark(pos, goes[min(c.code[pos], levels)] == 1)
	}
}

// codesGo returns, by code, 1 where a set of categories sends rows first; the last is for missing values. The result is valid until
// the next call.
func (g *grower) codesGo(b *split, levels int) []uint8 {
	g.goes = slices.Grow(g.goes[:0], levels+1)[:levels+1]
	for code := range g.goes {
		g.goes[code] = 0
		if tree.InSet(b.set, uint32(code)) == (b.kind == tree.SetFirst) {
			g.goes[code] = 1
		}
	}
	g.goes[levels] = 0
	if b.missingFirst() {
		g.goes[levels] = 1
	}
	return g.goes
}

// partCodes puts the rows of a node whose category goes first before the others, in order, and returns their number.
func (g *grower) partCodes(code []uint32, b *split, levels int, rows []uint32) int {
	goes, last := g.codesGo(b, levels), uint32(levels)
	rest := g.room(len(rows))
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

// partitionOrder splits the segment of one column in the same way; entries that go last wait in the scanner's
// spare memory.
func (g *grower) partitionOrder(s *scanner, column, lo, hi int) {
	if g.columns[column].code != nil {
		return
	}
	order := g.columns[column].order[lo:hi]
	spare := s.second(len(order))
	n, m := 0, 0
	for _, e := range order {
		// Both places are written and one pointer moves: no branch to mispredict. order[n] is never ahead of
		// the entry that is read.
		order[n] = e
		spare[m] = e
		bit := int(g.first[e.Pos>>6] >> (e.Pos & 63) & 1)
		n += bit
		m += 1 - bit
	}
	copy(order[n:], spare[:m])
}

package exact

import (
	"github.com/coppice-ml/coppice/grow"
	"github.com/coppice-ml/coppice/tree"
)

// Columns with few distinct values need no sorted order in large nodes: a table of class counts by rank, filled in the
// order of the rows, holds all that a cut is judged by.
//
//	rank         0   1   2   missing
//	class 0      5   0   2   1
//	class 1      1   3   0   0
//
// A node that is small against the table is scanned in sorted order, which is made when the rows come to such a node.

// tableCells is the largest table, in counters, that pays. It is below 2^16: places in it are kept in 16 bits.
const tableCells = 1 << 10

// rowsPerCell is how many rows a node needs for each counter of a table to be counted into it.
const rowsPerCell = 2

// tabulate gives a column its places in a table, if it may be counted, and reports whether it does. Counting is for rows
// that all have weight 1, and for splits that are judged on all rows of a node.
func (w *working) tabulate(c *column, pop *grow.Population, place []int32, shift uint) bool {
	cells := (len(c.values) + 1) << shift
	if cells > tableCells || len(pop.Rows) < rowsPerCell*cells {
		return false
	}
	w.from = rowsPerCell * cells
	w.cell = make([]uint16, len(pop.Rows))
	for _, e := range c.sorted {
		pos := e.Pos
		if place != nil {
			at := place[pos]
			if at < 0 {
				continue
			}
			pos = uint32(at)
		}
		w.cell[pos] = uint16(min(e.Key, uint32(len(c.values)))<<shift | pop.Class[pos])
	}
	w.order = make([]entry, len(pop.Rows))
	return true
}

// tabled reports whether a node of so many rows is counted in a column.
func (w *working) tabled(rows int) bool { return w.from > 0 && rows >= w.from }

// scanTable is scanOrder for a node that is counted.
func (s *scanner) scanTable(nd *node, feature int) split {
	g := s.g
	values := g.prepared.columns[feature].values
	stride := 1 << g.shift
	size := 2 * (len(values) + 1) * stride
	if cap(s.groups.counts) < size {
		s.groups.counts = make([]uint32, size)
	}
	counts := s.groups.counts[:size]
	if c := &g.columns[feature]; c.few != nil {
		counts = s.countFew(counts[:size/2], c.few, nd.list)
	} else {
		counts = tally(counts, c.cell, nd.list)
	}
	s.forget()
	missingRows := 0
	for j, n := range counts[len(values)*stride:][:g.width] {
		if n > 0 {
			s.missing[j], s.stale = float64(n), true
			missingRows += int(n)
		}
	}
	missingRows = s.begin(nd, missingRows)
	clear(s.prefix)
	s.ranks = s.ranks[:0]
	rows := 0
	for rank := range values {
		line, n := counts[rank*stride:][:g.width], uint32(0)
		for _, v := range line {
			n += v
		}
		if n == 0 {
			continue
		}
		if rows > 0 {
			s.offerBoth(s.prefix, rows, missingRows, len(s.ranks))
		}
		for j, v := range line {
			s.prefix[j] += float64(v)
		}
		rows += int(n)
		s.ranks = append(s.ranks, uint32(rank))
	}
	if len(s.ranks) == 0 || len(s.ranks) == 1 && missingRows == 0 {
		return split{feature: -1, constant: true}
	}
	if missingRows > 0 {
		s.offer(s.prefix, rows, mark{len(s.ranks), tree.MissingLast})
	}
	s.judge()
	return s.cutSplit(func(i int) uint32 { return s.ranks[i] }, len(s.ranks), missingRows)
}

// sortSegment puts the rows of a segment into a column's order: a table counts the ranks, and the rows, which are ascending,
// go to their places one after the other.
func (g *grower) sortSegment(s *scanner, column int, list []uint32, lo int) {
	w := &g.columns[column]
	ranks := len(g.prepared.columns[column].values) + 1
	if cap(s.counts) < ranks {
		s.counts = make([]uint32, ranks)
	}
	counts := s.counts[:ranks]
	clear(counts)
	for _, pos := range list {
		counts[w.cell[pos]>>g.shift]++
	}
	at := uint32(0)
	for i, n := range counts {
		counts[i] = at
		at += n
	}
	order := w.order[lo : lo+len(list)]
	last, mask := uint32(ranks-1), uint32(1)<<g.shift-1
	for _, pos := range list {
		cell := uint32(w.cell[pos])
		rank := cell >> g.shift
		key := cell
		if rank == last {
			key = g.missing<<g.shift | cell&mask
		}
		order[counts[rank]] = entry{Key: key, Pos: pos}
		counts[rank]++
	}
}

// markTabled is markFirst for a cut of a column in which the node was counted.
func (g *grower) markTabled(nd *node, missingFirst bool) {
	w := &g.columns[nd.best.feature]
	last := uint32(len(g.prepared.columns[nd.best.feature].values))
	for _, pos := range nd.list {
		rank := uint32(w.cell[pos]) >> g.shift
		g.mark(pos, rank != last && rank <= nd.best.rank || rank == last && missingFirst)
	}
}

// cutSplit turns the best mark into a cut between two of the ranks that the node has; rank gives the i-th of n. Missing
// values that the node did not see go to the heavier child.
func (s *scanner) cutSplit(rank func(i int) uint32, n, missingRows int) split {
	if s.best.at == noMark {
		return split{feature: -1}
	}
	below := rank(s.best.at - 1)
	b := split{gain: s.gain, per: s.per, kind: tree.Cut, rank: below, next: missingRank, missing: s.best.missing}
	if s.best.at < n {
		b.next = rank(s.best.at)
	}
	s.place(&b, missingRows)
	return b
}

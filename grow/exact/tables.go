package exact

import (
	"github.com/coppice-ml/coppice/grow/exact/internal/sorting"
	"github.com/coppice-ml/coppice/tree"
)

// Columns with few distinct values need no sorted order in large nodes: a table of class counts by
// rank, filled in the order of the rows, holds all that a cut is judged by.
//
//	rank         0   1   2   missing
//	class 0      5   0   2   1
//	class 1      1   3   0   0
//
// A node that is small against the table is scanned in sorted order, which is made when the rows
// come to such a node.

// tableCells is the largest table, in counters, that pays. It is below 2^16: places in it are kept
// in 16 bits.
const tableCells = 1 << 10

// rowsPerCell is how many rows a node needs for each counter of a table to be counted into it.
const rowsPerCell = 2

// tabled is a column that large nodes are counted in.
type tabled struct {
	few sorting.Bytes // ranks by position; unused where there are cells
	// by position, where all rows weigh 1: place in the table; nil = ranks and classes are looked
	// up
	cell   []uint16
	from   int // rows from which a node is counted; 0 = none is
	values int // distinct values
}

// newTabled sets the number of rows from which a node is counted.
func newTabled(values int, shift uint) tabled {
	c := tabled{values: values}
	if cells := (values + 1) << shift; cells <= tableCells {
		c.from = rowsPerCell * cells
	}
	return c
}

// counts reports whether a node of so many rows is counted.
func (c *tabled) counts(rows int) bool { return c.from > 0 && rows >= c.from }

// scanTable is scanOrder for a node that is counted.
func (s *scanner) scanTable(nd *node, c *tabled) split {
	t := s.t
	values, stride := c.values, 1<<t.shift
	size := 2 * (values + 1) * stride
	if cap(s.groups.counts) < size {
		s.groups.counts = make([]uint32, size)
	}
	counts := s.groups.counts[:size]
	if c.cell == nil {
		counts = s.countBytes(counts[:size/2], c.few.Rank, nd.list)
	} else {
		counts = countCells(counts, c.cell, nd.list)
	}
	s.forget()
	missingRows := 0
	for j, n := range counts[values*stride:][:t.width] {
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
		line, n := counts[rank*stride:][:t.width], uint32(0)
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

// countBytes counts the classes of each rank.
func (s *scanner) countBytes(counts []uint32, few []uint8, rows []uint32) []uint32 {
	clear(counts)
	class, count, shift := s.t.pop.Class, s.t.pop.Count, s.t.shift
	if count == nil {
		for _, row := range rows {
			counts[uint32(few[row])<<shift|class[row]]++
		}
		return counts
	}
	for _, row := range rows {
		counts[uint32(few[row])<<shift|class[row]] += count[row]
	}
	return counts
}

// cutSplit turns the best mark into a cut between two of the ranks that the node has; rank gives
// the i-th of n. Missing values that the node did not see go to the heavier child.
func (s *scanner) cutSplit(rank func(i int) uint32, n, missingRows int) split {
	if s.best.at == noMark {
		return split{feature: -1}
	}
	below := rank(s.best.at - 1)
	b := split{gain: s.gain, per: s.per, kind: tree.Cut, rank: below, next: sorting.MissingRank, missing: s.best.missing}
	if s.best.at < n {
		b.next = rank(s.best.at)
	}
	s.place(&b, missingRows)
	return b
}

package scan

import (
	"github.com/coppice-ml/coppice/learn/internal/exact/internal/growth"
	"github.com/coppice-ml/coppice/learn/internal/exact/internal/sorting"
	"github.com/coppice-ml/coppice/tree"
)

// Columns with few distinct values need no sorted order in large nodes: a table of class counts by
// rank, filled in the order of the rows, holds all that a split point is judged by.
//
//	rank         0   1   2   missing
//	class 0      5   0   2   1
//	class 1      1   3   0   0
//
// A node that is small against the table is scanned in sorted order, which is made when the rows
// come to such a node.

// TableCells is the largest table, in counters, that is worth its clearing. It is below 2^16:
// places in it are kept in 16 bits.
const TableCells = 1 << 10

// RowsPerCell is how many rows a node needs for each counter of a table to be counted into it.
const RowsPerCell = 2

// Tabled is a column that large nodes are counted in.
type Tabled struct {
	Few sorting.Bytes // ranks by position; unused where there are cells
	// by position, where all rows weigh 1: place in the table; nil = ranks and classes are looked
	// up
	Cell   []uint16
	from   int // rows from which a node is counted; 0 = none is
	values int // distinct values
}

// NewTabled sets the number of rows from which a node is counted.
func NewTabled(values int, shift uint) Tabled {
	c := Tabled{values: values}
	if cells := (values + 1) << shift; cells <= TableCells {
		c.from = RowsPerCell * cells
	}
	return c
}

// Counts reports whether a node of so many rows is counted.
func (c *Tabled) Counts(rows int) bool { return c.from > 0 && rows >= c.from }

// ScanTable is ScanOrder for a node that is counted.
func (s *Scanner) ScanTable(nd *growth.Node, c *Tabled) growth.Split {
	t := s.Task
	values, stride := c.values, 1<<t.Shift
	size := 2 * (values + 1) * stride
	if cap(s.cells) < size {
		s.cells = make([]uint32, size)
	}
	counts := s.cells[:size]
	if c.Cell == nil {
		counts = s.countBytes(counts[:size/2], c.Few.Rank, nd.Rows)
	} else {
		counts = countCells(counts, c.Cell, nd.Rows)
	}
	s.ClearMissing()
	missingRows := 0
	for j, n := range counts[values*stride:][:t.Width] {
		if n > 0 {
			s.Missing[j], s.Stale = float64(n), true
			missingRows += int(n)
		}
	}
	missingRows = s.Begin(nd, missingRows)
	clear(s.Prefix)
	s.ranks = s.ranks[:0]
	rows := 0
	for rank := range values {
		line, n := counts[rank*stride:][:t.Width], uint32(0)
		for _, v := range line {
			n += v
		}
		if n == 0 {
			continue
		}
		if rows > 0 {
			s.OfferBoth(s.Prefix, rows, missingRows, len(s.ranks))
		}
		for j, v := range line {
			s.Prefix[j] += float64(v)
		}
		rows += int(n)
		s.ranks = append(s.ranks, uint32(rank))
	}
	if len(s.ranks) == 0 || len(s.ranks) == 1 && missingRows == 0 {
		return growth.Split{Feature: -1, Constant: true}
	}
	if missingRows > 0 {
		s.Offer(s.Prefix, rows, Mark{len(s.ranks), tree.MissingLast})
	}
	s.Decide()
	return s.NumericSplit(func(i int) uint32 { return s.ranks[i] }, len(s.ranks), missingRows)
}

// countBytes counts the classes of each rank.
func (s *Scanner) countBytes(counts []uint32, few []uint8, rows []uint32) []uint32 {
	clear(counts)
	class, count, shift := s.Task.Pop.Class, s.Task.Pop.Count, s.Task.Shift
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

package hist

import (
	"slices"

	"github.com/coppice-ml/coppice/internal/bins"
	"github.com/coppice-ml/coppice/internal/kernel"
)

// sides writes, by code of the group of a split's column in a matrix, 0 for those that go to the
// first child and 1 for the others.
func (s *split) sides(m *bins.Matrix, side []uint8) []uint8 {
	c := &m.Columns[s.column]
	codes := m.Groups[c.Group].Codes
	side = resize(side, max(codes, 256))
	toBin := func(b int) uint8 {
		switch {
		case b == c.Values:
			if s.missing {
				return 0
			}
			return 1
		case s.set == nil && b <= s.bin:
			return 0
		}
		return 1
	}
	for code := range codes {
		side[code] = toBin(c.Bin(code))
	}
	for _, b := range s.set {
		side[codeOf(c, int(b))] = 0
	}
	return side
}

// codeOf returns the code of a bin in its column's group. Columns of categories are never bundled,
// so that every bin has one.
func codeOf(c *bins.Column, bin int) int { return int(c.First) + bin }

// partition puts the rows of a leaf that go to the first child before the others, both in their
// order, and returns the first row of the last child.
func (r *Grower) partition(l *open, w *worker) int32 {
	w.side = l.split.sides(r.m, w.side)
	rows := r.order[l.begin:l.end]
	if len(w.rows) < len(rows) {
		w.rows = make([]int32, len(rows))
	}
	return l.begin + int32(partitionRange(r.m, l.split.column, w.side, rows, w.rows))
}

// partRange partitions rows of a matrix by the sides of a column's codes, and returns how many go
// to the first child.
func partitionRange(m *bins.Matrix, column int, side []uint8, rows, spare []int32) int {
	g := &m.Groups[m.Columns[column].Group]
	if g.Narrow != nil {
		return kernel.Part(rows, spare, g.Narrow, side)
	}
	return kernel.Part(rows, spare, g.Wide, side)
}

// partedBlock is the number of rows that are partitioned at once where all workers part a leaf: the
// first cache holds them.
const partitionBlock = 1 << 12

// partTogether is part on all workers: the rows of each block are partitioned in their place, and
// then put together.
//
//	rows     first last | first last | ...     parted by block
//	spare    first first ... last last ...
func (r *Grower) partitionTogether(l *open) int32 {
	w := r.workers[0]
	w.side = l.split.sides(r.m, w.side)
	rows := r.order[l.begin:l.end]
	if len(w.rows) < len(rows) {
		w.rows = make([]int32, len(rows))
	}
	blocks := (len(rows) + partitionBlock - 1) / partitionBlock
	firsts := make([]int, blocks+1) // of a block; then of all blocks before one
	r.each(blocks, func(i int, own *worker) {
		if len(own.rows) < partitionBlock {
			own.rows = make([]int32, partitionBlock)
		}
		lo, hi := i*partitionBlock, min(len(rows), (i+1)*partitionBlock)
		firsts[i+1] = partitionRange(r.m, l.split.column, w.side, rows[lo:hi], own.rows)
	})
	for i := range blocks {
		firsts[i+1] += firsts[i]
	}
	n, spare := firsts[blocks], w.rows[:len(rows)]
	r.each(blocks, func(i int, _ *worker) {
		lo, hi := i*partitionBlock, min(len(rows), (i+1)*partitionBlock)
		a := firsts[i]
		mid := lo + firsts[i+1] - a
		copy(spare[a:], rows[lo:mid])
		copy(spare[n+lo-a:], rows[mid:hi])
	})
	if len(rows) == len(r.order) {
		r.order, w.rows = spare, r.order
		return int32(n)
	}
	k := len(r.workers)
	r.each(k, func(i int, _ *worker) {
		lo, hi := span(len(rows), i, k)
		copy(rows[lo:hi], spare[lo:hi])
	})
	return l.begin + int32(n)
}

// join puts the rows of a leaf that was partitioned, and then not split, in ascending order again.
func (r *Grower) join(l *open) {
	if l.first == nil {
		return
	}
	a, b := r.order[l.first.begin:l.first.end], slices.Clone(r.order[l.last.begin:l.last.end])
	out := r.order[l.begin:l.end]
	for n := len(out) - 1; len(b) > 0; n-- {
		if len(a) > 0 && a[len(a)-1] > b[len(b)-1] {
			out[n], a = a[len(a)-1], a[:len(a)-1]
		} else {
			out[n], b = b[len(b)-1], b[:len(b)-1]
		}
	}
}

package hist

import (
	"slices"
	"sync/atomic"

	"github.com/coppice-ml/coppice/learn/gbm/internal/bins"
)

// rowOrder is the rows of a tree, those of a leaf together and in ascending order.
type rowOrder struct {
	rows []int32
	// the mark of the leaf of each row of the matrix, -1 of rows that are not the tree's; nil where
	// nothing looks at it. Rows of listed columns are found in leaves by it
	leaf  []int32
	marks atomic.Int32 // given out
	spare []int32      // memory of leaf
	other []int32      // memory of gather
}

// begin sets the rows of a tree: from ... to-1 of those that are given, ascending and distinct; nil
// = of all. The row base of the matrix gets the number 0.
func (o *rowOrder) begin(rows []int32, from, to, base int32, workers team) {
	if rows != nil {
		o.rows = append(o.rows[:0], rows[from:to]...)
		shift(o.rows, -base)
		return
	}
	all := int(to - from)
	o.rows = resize(o.rows, all)
	workers.each(blocksOf(all), func(i int, _ *worker) {
		lo, hi := i*block, min(all, (i+1)*block)
		for j := range o.rows[lo:hi] {
			o.rows[lo+j] = from - base + int32(lo+j)
		}
	})
}

// markAll gives the rows of the tree, of so many of the matrix, the mark of the root, 0.
func (o *rowOrder) markAll(all int) {
	o.spare = resize(o.spare, all)
	o.leaf = o.spare
	o.marks.Store(0)
	for r := range o.leaf {
		o.leaf[r] = -1
	}
	for _, r := range o.rows {
		o.leaf[r] = 0
	}
}

// mark gives the rows of the smaller child of a leaf a mark of its own. The other child has that of
// the leaf. Meanwhile other workers may look whether these rows are in their leaves.
func (o *rowOrder) mark(l *open) {
	if o.leaf == nil {
		return
	}
	small, large := l.bySize()
	small.mark, large.mark = o.marks.Add(1), l.mark
	for _, r := range o.of(small) {
		atomic.StoreInt32(&o.leaf[r], small.mark)
	}
}

// of returns the rows of a leaf.
func (o *rowOrder) of(l *open) []int32 { return o.rows[l.begin:l.end] }

// partition puts the rows of a leaf that go to the first child before the others, both in their
// order, and returns the first row of the last child.
func (o *rowOrder) partition(l *open, m *bins.Matrix, w *worker) int32 {
	w.side = l.split.sides(m, w.side)
	rows := o.of(l)
	if len(w.rows) < len(rows) {
		w.rows = make([]int32, len(rows))
	}
	return l.begin + int32(partitionRange(m, l.split.column, w.side, rows, w.rows))
}

// partitionBlock is the number of rows that are partitioned at once where all workers partition a
// leaf: the first cache holds them.
const partitionBlock = 1 << 12

// partitionTogether is partition on all workers: the rows of each block are partitioned in their
// place, and then put together.
//
//	rows     first last | first last | ...     partitioned by block
//	spare    first first ... last last ...
func (o *rowOrder) partitionTogether(l *open, m *bins.Matrix, workers team) int32 {
	w := workers[0]
	w.side = l.split.sides(m, w.side)
	rows := o.of(l)
	if len(w.rows) < len(rows) {
		w.rows = make([]int32, len(rows))
	}
	blocks := (len(rows) + partitionBlock - 1) / partitionBlock
	firsts := make([]int, blocks+1) // of a block; then of all blocks before one
	workers.each(blocks, func(i int, own *worker) {
		if len(own.rows) < partitionBlock {
			own.rows = make([]int32, partitionBlock)
		}
		lo, hi := i*partitionBlock, min(len(rows), (i+1)*partitionBlock)
		firsts[i+1] = partitionRange(m, l.split.column, w.side, rows[lo:hi], own.rows)
	})
	for i := range blocks {
		firsts[i+1] += firsts[i]
	}
	n, spare := firsts[blocks], w.rows[:len(rows)]
	workers.each(blocks, func(i int, _ *worker) {
		lo, hi := i*partitionBlock, min(len(rows), (i+1)*partitionBlock)
		a := firsts[i]
		mid := lo + firsts[i+1] - a
		copy(spare[a:], rows[lo:mid])
		copy(spare[n+lo-a:], rows[mid:hi])
	})
	if len(rows) == len(o.rows) {
		o.rows, w.rows = spare, o.rows
		return int32(n)
	}
	k := len(workers)
	workers.each(k, func(i int, _ *worker) {
		lo, hi := span(len(rows), i, k)
		copy(rows[lo:hi], spare[lo:hi])
	})
	return l.begin + int32(n)
}

// join puts the rows of a leaf that was partitioned, and then not split, in ascending order again.
// So may those below it have been.
func (o *rowOrder) join(l *open) {
	if l.first == nil {
		return
	}
	o.join(l.first)
	o.join(l.last)
	a, b := o.of(l.first), slices.Clone(o.of(l.last))
	out := o.of(l)
	for n := len(out) - 1; len(b) > 0; n-- {
		if len(a) > 0 && a[len(a)-1] > b[len(b)-1] {
			out[n], a = a[len(a)-1], a[:len(a)-1]
		} else {
			out[n], b = b[len(b)-1], b[:len(b)-1]
		}
	}
}

// partitionRange partitions rows of a matrix by the sides of a column's codes, and returns how many
// go to the first child.
func partitionRange(m *bins.Matrix, column int, side []uint8, rows, spare []int32) int {
	group, first, done := m.Columns[column].Group, 0, 0
	for i := range m.Blocks {
		of, own := &m.Blocks[i], m.RowsIn(i, rows)
		shift(own, -of.First)
		n := partitionCodes(&of.Codes[group], own, spare, side)
		shift(own, of.First)
		if lasts := rows[first:done]; len(lasts) > 0 { // those of the blocks before go behind
			lasts = spare[:copy(spare, lasts)]
			copy(rows[first:], own[:n])
			copy(rows[first+n:], lasts)
		}
		first, done = first+n, done+len(own)
	}
	return first
}

// shift adds a number to all rows.
func shift(rows []int32, by int32) {
	if by == 0 {
		return
	}
	for i := range rows {
		rows[i] += by
	}
}

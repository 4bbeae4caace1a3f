package hist

import (
	"slices"

	"github.com/coppice-ml/coppice/internal/kernel"
	"github.com/coppice-ml/coppice/learn/gbm/internal/bins"
)

// rowOrder is the rows of a tree, those of a leaf together and in ascending order.
type rowOrder struct {
	rows  []int32
	other []int32 // memory of gather
	// memory of grown.leafOf
	leafOf []int32
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

// chunk is consecutive rows of a leaf, in one block of a stored matrix.
type chunk struct {
	leaf   int // its number in the walk
	lo, hi int // in rowOrder.rows
	first  int // how many of them go to the first child, once they are partitioned
}

// partitionBlock is the number of rows that are partitioned at once where all workers partition a
// leaf: the first cache holds them.
const partitionBlock = 1 << 12

// partitionTogether is partition on all workers: the rows of each block are partitioned in their
// place, and then put together.
func (o *rowOrder) partitionTogether(l *open, m *bins.Matrix, workers team) int32 {
	w := workers[0]
	w.side = l.split.sides(m, w.side)
	var chunks []chunk
	for lo := int(l.begin); lo < int(l.end); lo += partitionBlock {
		chunks = append(chunks, chunk{lo: lo, hi: min(int(l.end), lo+partitionBlock)})
	}
	workers.each(len(chunks), func(i int, own *worker) {
		if len(own.rows) < partitionBlock {
			own.rows = make([]int32, partitionBlock)
		}
		c := &chunks[i]
		c.first = partitionRange(m, l.split.column, w.side, o.rows[c.lo:c.hi], own.rows)
	})
	o.gather([]*open{l}, [][]chunk{chunks}, workers)
	return l.middle(chunks)
}

// middle returns the first row of the last child of a leaf, whose chunks were partitioned.
func (l *open) middle(chunks []chunk) int32 {
	mid := int(l.begin)
	for i := range chunks {
		mid += chunks[i].first
	}
	return int32(mid)
}

// gather puts the rows of leaves together that go to the same child, of which the chunks were
// partitioned. A leaf's rows stay where the leaf's are.
//
//	rows     first last | first last | ...     partitioned by chunk
//	other    first first ... last last ...
func (o *rowOrder) gather(leaves []*open, parts [][]chunk, workers team) {
	type move struct {
		chunk
		to, toLast int
	}
	var moves []move
	rows := 0
	for i, l := range leaves {
		first, last := int(l.begin), int(l.middle(parts[i]))
		for _, c := range parts[i] {
			moves = append(moves, move{c, first, last})
			first += c.first
			last += c.hi - c.lo - c.first
			rows += c.hi - c.lo
		}
	}
	o.other = resize(o.other, len(o.rows))
	workers.each(len(moves), func(i int, _ *worker) {
		c := &moves[i]
		copy(o.other[c.to:], o.rows[c.lo:c.lo+c.first])
		copy(o.other[c.toLast:], o.rows[c.lo+c.first:c.hi])
	})
	if rows == len(o.rows) {
		o.rows, o.other = o.other, o.rows
		return
	}
	workers.each(len(moves), func(i int, _ *worker) {
		c := &moves[i]
		copy(o.rows[c.lo:c.hi], o.other[c.lo:c.hi])
	})
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
		n := partitionIn(of, group, own, spare, side)
		if lasts := rows[first:done]; len(lasts) > 0 { // those of the blocks before go behind
			lasts = spare[:copy(spare, lasts)]
			copy(rows[first:], own[:n])
			copy(rows[first+n:], lasts)
		}
		first, done = first+n, done+len(own)
	}
	return first
}

// partitionIn partitions rows of the matrix that a block has by the sides of a group's codes.
func partitionIn(of *bins.Block, group int32, rows, spare []int32, side []uint8) int {
	shift(rows, -of.First)
	n := partitionCodes(&of.Codes[group], rows, spare, side)
	shift(rows, of.First)
	return n
}

// partitionCodes partitions rows of a block, numbered by it, by the sides of their codes.
func partitionCodes(codes *bins.Codes, rows, spare []int32, side []uint8) int {
	switch {
	case codes.Narrow != nil:
		return kernel.Partition(rows, spare, codes.Narrow, side)
	case codes.List != nil:
		return partitionListed(rows, spare, codes.List, side)
	}
	return kernel.Partition(rows, spare, codes.Wide, side)
}

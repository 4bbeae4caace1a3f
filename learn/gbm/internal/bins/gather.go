package bins

import (
	"context"
	"slices"

	"github.com/coppice-ml/coppice/internal/hugepage"
	"github.com/coppice-ml/coppice/internal/parallel"
)

// Gather returns a matrix of some rows of a stored one, ascending, with the codes of its groups
// that are not out in memory. So a tree of few of the rows reads the file once, whatever its number
// of leaves. It returns nil if the codes take more memory than the store has, of which blocks that
// stay are released. Codes are made in the memory of spare, a matrix that Gather made and that is
// not used any more; nil: there is none.
//
//	rows of the file      0 1 2 3 | 4 5 6 7 | ...
//	gathered              1 3 4             rows 0, 1, 2 of the matrix
func (m *Matrix) Gather(
	ctx context.Context, rows []int32, spare *Matrix, workers int,
) (*Matrix, error) {
	g := *m
	g.Store, g.Rows, g.Least, g.Sums = nil, rows, nil, nil
	bytes := int64(len(rows)) * int64(g.Stride)
	var columns []int32
	for i := range g.Groups {
		if group := &g.Groups[i]; !group.Out {
			columns = append(columns, group.Columns[0])
			if bytes += int64(len(rows)); group.Wide() {
				bytes += int64(len(rows))
			}
		}
	}
	if bytes > m.Store.Memory {
		return nil, nil
	}
	if m.Store.held+bytes > m.Store.Memory {
		m.forget()
	}
	b := g.allocateGathered(columns, spare)
	at := 0 // rows that were gathered
	need := Need{Columns: columns, Skip: func(i int) bool { return len(m.RowsIn(i, rows)) == 0 }}
	err := m.Walk(ctx, need, workers, func(i int, of *Block) error {
		some := m.RowsIn(i, rows)
		chunks := (len(some) + gatherRows - 1) / gatherRows
		err := parallel.EachUntil(ctx, workers, len(columns)*chunks, func(_, task int) {
			group, lo := m.Columns[columns[task/chunks]].Group, task%chunks*gatherRows
			to, from := &b.Codes[group], &of.Codes[group]
			own := some[lo:min(lo+gatherRows, len(some))]
			if to.Narrow != nil {
				gather(to.Narrow[at+lo:], from.Narrow, own, of.First)
			} else {
				gather(to.Wide[at+lo:], from.Wide, own, of.First)
			}
		})
		at += len(some)
		return err
	})
	if err != nil {
		return nil, err
	}
	var packed []Block
	if spare != nil {
		packed = spare.Blocks
	}
	g.makePacked(packed)
	return &g, g.pack(ctx, workers)
}

// gatherRows is the number of rows of a column that a worker gathers at once.
const gatherRows = 1 << 15

// gather sets dst to the codes of rows, of which the first code is that of row first.
func gather[T uint8 | uint16](dst, codes []T, rows []int32, first int32) {
	dst = dst[:len(rows)]
	for i, r := range rows {
		dst[i] = codes[r-first]
	}
}

// allocateGathered makes the one block of a gathered matrix, of groups by one column of each, in
// the memory of another one if it is enough.
func (m *Matrix) allocateGathered(columns []int32, spare *Matrix) *Block {
	n := len(m.Rows)
	pitch := (n+63)&^63 + 64 // of columns: aligned, and not at the same place of the cache
	m.Blocks = []Block{{Rows: n, Codes: make([]Codes, len(m.Groups))}}
	b := &m.Blocks[0]
	m.gathered = nil
	if spare != nil {
		m.gathered = spare.gathered
	}
	if cap(m.gathered) < len(columns)*pitch {
		m.gathered = hugepage.Make(len(columns) * pitch)
	}
	left := m.gathered[:cap(m.gathered)]
	for _, c := range columns {
		group := m.Columns[c].Group
		if m.Groups[group].Wide() {
			b.Codes[group].Wide = make([]uint16, n)
			continue
		}
		b.Codes[group].Narrow, left = slices.Clip(left[:n]), left[pitch:]
	}
	return b
}

package bins

import (
	"context"

	"github.com/coppice-ml/coppice/data"
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
	for i := range g.Groups {
		switch group := &g.Groups[i]; {
		case group.Out:
		case group.Wide():
			bytes += 2 * int64(len(rows))
		default:
			bytes += int64(len(rows))
		}
	}
	if bytes > m.Store.Memory {
		return nil, nil
	}
	if m.Store.held+bytes > m.Store.Memory {
		m.forget()
	}
	var memory []uint8
	var packed []Block
	if spare != nil {
		memory, packed = spare.gathered, spare.Blocks
	}
	var err error
	if g.Blocks, g.gathered, err = m.gather(ctx, rows, memory, workers); err != nil {
		return nil, err
	}
	g.makePacked(packed)
	return &g, g.pack(ctx, workers)
}

// inMemory returns a stored matrix with its codes in memory, as one block.
func (m *Matrix) inMemory(ctx context.Context, workers int) (*Matrix, error) {
	g := *m
	g.Store = nil
	var err error
	g.Blocks, _, err = m.gather(ctx, data.AllRows(m.Len()), nil, workers)
	return &g, err
}

// gatherRows is the number of rows of a column that a worker gathers at once.
const gatherRows = 1 << 15

// gather reads the codes of some rows, of the groups that are not out, into one block. Those of
// narrow groups are in memory that it returns.
func (m *Matrix) gather(
	ctx context.Context, rows []int32, memory []uint8, workers int,
) ([]Block, []uint8, error) {
	b, memory := m.allocate(len(rows), memory)
	var columns []int32
	for i := range m.Groups {
		if !m.Groups[i].Out {
			columns = append(columns, m.Groups[i].Columns[0])
		}
	}
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
				pick(to.Narrow[at+lo:], from.Narrow, own, of.First)
			} else {
				pick(to.Wide[at+lo:], from.Wide, own, of.First)
			}
		})
		at += len(some)
		return err
	})
	return []Block{b}, memory, err
}

// pick sets dst to the codes of rows, which ascend, and of which the first code is that of row
// first.
func pick[T uint8 | uint16](dst, codes []T, rows []int32, first int32) {
	if n := len(rows); n > 0 && int(rows[n-1]-rows[0]) == n-1 {
		copy(dst, codes[rows[0]-first:][:n])
		return
	}
	dst = dst[:len(rows)]
	for i, r := range rows {
		dst[i] = codes[r-first]
	}
}

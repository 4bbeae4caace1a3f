package hist

import (
	"context"

	"github.com/coppice-ml/coppice/internal/invariant"
	"github.com/coppice-ml/coppice/learn/gbm/internal/bins"
)

// A stored matrix has its codes in a file. What the engine needs of them it gathers, so that it
// reads the file once for as many leaves as possible. A walk goes over the blocks. All workers
// take chunks of the rows that leaves have in a block:
//
//	leaf        | a                  | b      |
//	rows        | ... | of the block | .. | of the block | ..
//	chunks            | 1 | 2 | 3 |       | 4 |
//
// Words are added up in any order, so each worker has histograms of its own. Pairs are added up in
// the order of the rows, by one worker for each leaf.

// chunkRows is the number of rows that a worker takes at once.
const chunkRows = 1 << 14

// walker walks over the blocks with the rows of some leaves.
type walker struct {
	*inputs
	rows   *rowOrder
	leaves []*open
	chunks []chunk // of the block that is read
}

// walk calls f for the chunks of each block, with the worker that does it, and then
// done with all chunks of the block. whole: a leaf's rows in a block are one chunk.
func (w *walker) walk(
	ctx context.Context, need bins.Need, whole bool, f func(b *bins.Block, c *chunk, by *worker),
	done func(chunks []chunk),
) error {
	m := w.tables.m
	need.Skip = func(i int) bool { return !w.in(i) }
	walked := 0
	err := m.Walk(ctx, need, len(w.team), func(i int, b *bins.Block) error {
		w.cut(i, whole)
		if invariant.On {
			for _, c := range w.chunks {
				walked += c.hi - c.lo
			}
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		w.team.each(len(w.chunks), func(k int, by *worker) { f(b, &w.chunks[k], by) })
		if done != nil {
			done(w.chunks)
		}
		return nil
	})
	if invariant.On && err == nil {
		w.checkWalked(walked)
	}
	return err
}

// in reports whether a leaf has rows in a block.
func (w *walker) in(block int) bool {
	for _, l := range w.leaves {
		if len(w.tables.m.RowsIn(block, w.rows.of(l))) > 0 {
			return true
		}
	}
	return false
}

// cut makes the chunks of a block.
func (w *walker) cut(block int, whole bool) {
	m := w.tables.m
	b := &m.Blocks[block]
	w.chunks = w.chunks[:0]
	for k, l := range w.leaves {
		rows := w.rows.of(l)
		from := int(l.begin) + below(rows, b.First)
		to := from + len(m.RowsIn(block, rows))
		for from < to {
			end := min(from+chunkRows, to)
			if whole {
				end = to
			}
			w.chunks = append(w.chunks, chunk{leaf: k, lo: from, hi: end})
			from = end
		}
	}
}

// checkWalked checks that the blocks that were walked had so many rows of the leaves, all of them.
func (w *walker) checkWalked(walked int) {
	all := 0
	for _, l := range w.leaves {
		all += len(w.rows.of(l))
	}
	invariant.Check(walked == all, "blocks had %d rows of %d", walked, all)
}

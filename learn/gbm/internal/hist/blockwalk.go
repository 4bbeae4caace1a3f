package hist

import (
	"cmp"
	"context"

	"github.com/coppice-ml/coppice/internal/invariant"
	"github.com/coppice-ml/coppice/internal/kernel"
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

// chunk is consecutive rows of a leaf in one block.
type chunk struct {
	leaf   int // its number in the walk
	lo, hi int // in rowOrder.rows
	first  int // how many of them go to the first child, once they are partitioned
}

// walker walks over the blocks with the rows of some leaves.
type walker struct {
	e      *engine
	leaves []*open
	chunks []chunk // of the block that is read
}

// stored reports whether the codes that the tree reads are in a file.
func (e *engine) stored() bool { return e.tables.m.Store != nil }

// walk calls f for the chunks of each block, with the number of the worker that does it, and then
// done with all chunks of the block. whole: a leaf's rows in a block are one chunk.
func (w *walker) walk(
	ctx context.Context, need bins.Need, whole bool, f func(b *bins.Block, c *chunk, by int),
	done func(chunks []chunk),
) error {
	m := w.e.tables.m
	need.Skip = func(i int) bool { return !w.in(i) }
	walked := 0
	err := m.Walk(ctx, need, len(w.e.team), func(i int, b *bins.Block) error {
		w.cut(i, whole)
		if invariant.On {
			for _, c := range w.chunks {
				walked += c.hi - c.lo
			}
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		w.e.team.eachNumbered(len(w.chunks), func(k, by int) { f(b, &w.chunks[k], by) })
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
		if len(w.e.tables.m.RowsIn(block, w.e.rows.of(l))) > 0 {
			return true
		}
	}
	return false
}

// cut makes the chunks of a block.
func (w *walker) cut(block int, whole bool) {
	m := w.e.tables.m
	b := &m.Blocks[block]
	w.chunks = w.chunks[:0]
	for k, l := range w.leaves {
		rows := w.e.rows.of(l)
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

// addStored adds the sums of rows of a block to their cells. Their numbers are the block's own.
func (b *builder) addStored(h *histogram, of *bins.Block, local []int32) {
	m, l := b.tables.m, &b.tables.lay
	for k := range b.sums {
		s := &b.sums[k]
		if b.pool.double {
			a := kernel.AddPairs{Cells: h.pairsOf(k), Blocks: l.blocks, Wide: l.wide,
				Codes: of.Packed, Stride: m.Stride, Pairs: s.pairs[2*of.First:]}
			a.Rows(local)
			continue
		}
		a := kernel.AddPacked{Cells: h.words(k), Blocks: l.blocks, Unused: l.unused,
			Wide: l.wide, Codes: of.Packed, Stride: m.Stride, Words: s.packed[of.First:]}
		a.Rows(local)
	}
}

// partials are the histograms of leaves while their rows are added up, by leaf and worker.
type partials struct {
	b  *builder
	of [][]*histogram
}

func (b *builder) partials(leaves int) *partials {
	p := &partials{b, make([][]*histogram, leaves)}
	for i := range p.of {
		p.of[i] = make([]*histogram, len(b.team))
	}
	return p
}

// at returns the histogram of a leaf that a worker adds to.
func (p *partials) at(leaf, worker int) *histogram {
	if p.b.pool.double {
		worker = 0 // one worker adds at a time
	}
	h := p.of[leaf][worker]
	if h == nil {
		h = p.b.take()
		clear(h.packed)
		clear(h.pairs)
		p.of[leaf][worker] = h
	}
	return h
}

// finish returns the histogram of all rows of a leaf.
func (p *partials) finish(leaf int) *histogram {
	h := p.at(leaf, 0)
	for _, o := range p.of[leaf][1:] {
		if o != nil {
			h.plus(o)
			p.b.pool.give(o)
		}
	}
	if !p.b.pool.double {
		for k := range p.b.sums {
			p.b.splitJoints(h, k)
		}
	}
	return h
}

// release takes the histograms back, after an error.
func (p *partials) release() {
	for _, of := range p.of {
		for _, h := range of {
			if h != nil {
				p.b.pool.give(h)
			}
		}
	}
}

// fillStored gives leaves their histograms, from their rows.
func (e *engine) fillStored(ctx context.Context, leaves []*open) error {
	for len(leaves) > 0 {
		n := min(len(leaves), e.mostTogether())
		if err := e.fillSome(ctx, leaves[:n]); err != nil {
			return err
		}
		leaves = leaves[n:]
	}
	return nil
}

// mostTogether returns how many leaves may have histograms of all workers at a time.
func (e *engine) mostTogether() int {
	return max(1, memory/2/max(1, e.hist.pool.size*len(e.team)))
}

func (e *engine) fillSome(ctx context.Context, leaves []*open) error {
	w, p := &walker{e: e, leaves: leaves}, e.hist.partials(len(leaves))
	err := w.walk(ctx, bins.Need{Packed: true}, e.hist.pool.double,
		func(b *bins.Block, c *chunk, by int) {
			own := e.team[by]
			own.local = resize(own.local, c.hi-c.lo)
			for i, r := range e.rows.rows[c.lo:c.hi] {
				own.local[i] = r - b.First
			}
			e.hist.addStored(p.at(c.leaf, by), b, own.local)
		}, nil)
	if err != nil {
		p.release()
		return err
	}
	for k, l := range leaves {
		l.hist = p.finish(k)
	}
	return nil
}

// restore makes the histogram of a leaf whose own was not kept, on all workers.
func (e *engine) restore(l *open) {
	switch {
	case !e.stored():
		e.hist.restore(l, &e.rows, e.hist.fillTogether)
	case l.hist == nil:
		if err := e.fillStored(e.ctx, []*open{l}); err != nil {
			e.fault = cmp.Or(e.fault, err)
			l.hist = e.hist.take()
		}
	}
}

// countAhead counts rows of leaves by bin of all columns where each of their splits requires it.
func (e *engine) countAhead(leaves []*open, columns []int32) {
	if !e.stored() || e.c.MinLeaf <= 1 {
		return
	}
	for _, l := range leaves {
		l.wanted = columns
	}
	if err := e.countStored(e.ctx, leaves); err != nil {
		e.fault = cmp.Or(e.fault, err)
	}
}

// Err returns the first error of reading a matrix whose codes are in a file, nil for all others.
// Methods that return none leave their results incomplete after it.
func (e *engine) Err() error { return e.fault }

// countStored counts the rows of leaves by bin of the columns that they want counted.
func (e *engine) countStored(ctx context.Context, leaves []*open) error {
	var columns []int32
	for _, l := range leaves {
		columns = append(columns, l.wanted...)
		if l.counts == nil {
			l.counts = map[int32][]int32{}
		}
		for _, c := range l.wanted {
			l.counts[c] = make([]int32, e.tables.m.Columns[c].Bins())
		}
	}
	w := &walker{e: e, leaves: leaves}
	err := w.walk(ctx, bins.Need{Columns: columns}, true, func(b *bins.Block, c *chunk, _ int) {
		l := leaves[c.leaf]
		for _, k := range l.wanted {
			column, counts := &e.tables.m.Columns[k], l.counts[k]
			codes := b.Codes[column.Group]
			for _, r := range e.rows.rows[c.lo:c.hi] {
				counts[column.Bin(codes.At(r-b.First))]++
			}
		}
	}, nil)
	for _, l := range leaves {
		l.wanted = nil
	}
	return err
}

// countsOf returns the counted rows of a leaf by bin of a column. Where they were not counted it
// notes that they are wanted, and returns zeros: no split has rows enough then, and the leaf is
// searched again.
func (e *engine) countsOf(dst []int32, column int32, l *open) []int32 {
	dst = resize(dst, e.tables.m.Columns[column].Bins())
	e.wanting.Lock()
	defer e.wanting.Unlock()
	if counts := l.counts[column]; counts != nil {
		copy(dst, counts)
		return dst
	}
	l.wanted = append(l.wanted, column)
	clear(dst)
	return dst
}

package hist

import (
	"context"
	"math"

	"github.com/coppice-ml/coppice/internal/invariant"
	"github.com/coppice-ml/coppice/internal/kernel"
	"github.com/coppice-ml/coppice/learn/gbm/internal/bins"
)

// builder makes the histograms of leaves: of the codes that the tree reads, and of the sums of its
// derivatives.
type builder struct {
	*inputs
	rows *rowOrder
	pool pool
	// rows that a listed column needs away from its most frequent bin to split a leaf
	leastAway int32
}

func newBuilder(in *inputs, rows *rowOrder) *builder {
	b := &builder{inputs: in, rows: rows, leastAway: in.c.leastAway(),
		pool: pool{budget: memory, lends: mostSpare}}
	if in.c.Policy == Symmetric && len(in.sums) == 1 {
		b.pool.budget = math.MaxInt // every level reads the histograms of all leaves
	}
	return b
}

// beginTree prepares for a tree of so many leaves at most.
func (b *builder) beginTree(leaves int) {
	double := b.sums[0].double
	cells, bytes := b.tables.lay.cells, 8
	if double {
		cells, bytes = b.tables.cells, 16
	}
	b.pool.begin(double, bytes*cells*len(b.sums), leaves)
}

// take returns a histogram that is not in use, of any content.
func (b *builder) take() *histogram { return b.pool.take(&b.tables.lay, len(b.sums)) }

// filler makes h the histogram of some rows.
type filler func(h *histogram, rows []int32)

// fill is a filler on the worker that calls.
func (b *builder) fill(h *histogram, rows []int32) {
	for k := range b.sums {
		b.fillOutput(h, k, rows)
	}
}

// fillOutput is fill for one output.
func (b *builder) fillOutput(h *histogram, output int, rows []int32) {
	if b.pool.double {
		clear(h.pairsOf(output))
	} else {
		clear(h.words(output))
	}
	b.addOutput(h, output, rows)
	b.splitJoints(h, output)
}

// add adds the sums of some rows to their cells, words not to those of the groups of joints.
func (b *builder) add(h *histogram, rows []int32) {
	for k := range b.sums {
		b.addOutput(h, k, rows)
	}
}

func (b *builder) addOutput(h *histogram, output int, rows []int32) {
	b.addCodes(h, output, rows)
	b.addLists(h, output, rows)
}

// addCodes adds the sums of some rows to the cells of all columns that are not listed.
func (b *builder) addCodes(h *histogram, output int, rows []int32) {
	m := b.tables.m
	for i := range m.Blocks {
		of := &m.Blocks[i]
		b.addBlockOutput(h, output, of, of.Local(m.RowsIn(i, rows)))
	}
}

// addBlock is add for rows of a block of a stored matrix, which has no lists. Their numbers are the
// block's own.
func (b *builder) addBlock(h *histogram, of *bins.Block, local []int32) {
	for k := range b.sums {
		b.addBlockOutput(h, k, of, local)
	}
}

func (b *builder) addBlockOutput(h *histogram, output int, of *bins.Block, local []int32) {
	m, l, s := b.tables.m, &b.tables.lay, &b.sums[output]
	if b.pool.double {
		a := kernel.AddPairs{Cells: h.pairsOf(output), Blocks: l.blocks, Wide: l.wide,
			Codes: of.Packed, Stride: m.Stride, Pairs: s.pairs[2*of.First:]}
		a.Rows(local)
		return
	}
	a := kernel.AddPacked{Cells: h.words(output), Blocks: l.blocks, Unused: l.unused,
		Wide: l.wide, Codes: of.Packed, Stride: m.Stride, Words: s.packed[of.First:]}
	a.Rows(local)
}

// addLists adds the sums of some rows to the cells of the listed columns.
func (b *builder) addLists(h *histogram, output int, rows []int32) {
	l, s := &b.tables.lay, &b.sums[output]
	by := kernel.Moves{Column: l.listed.column, By: h.moved}
	b.eachList(rows, func(a kernel.AddLists, first int32, own []int32) {
		if b.pool.double {
			a.Pairs(h.pairsOf(output)[2*l.lists:], s.pairs[2*first:], own)
			return
		}
		a.Cells, a.Words = h.words(output)[l.lists:], s.packed[first:]
		if h.few() {
			a.Moved(&by, own)
		} else {
			a.Rows(own)
		}
	})
}

// eachList calls f for the lists of each block, with its first row and those of the rows that are
// in it.
func (b *builder) eachList(rows []int32, f func(a kernel.AddLists, first int32, own []int32)) {
	m := b.tables.m
	for i := range m.Blocks {
		if of := &m.Blocks[i]; len(of.Lists.Places) > 0 {
			f(kernel.AddLists{Start: of.Lists.Start, Places: of.Lists.Places}, of.First,
				of.Local(m.RowsIn(i, rows)))
		}
	}
}

// splitJoints adds up the words of the groups of joints, whose cells are 0. Of pairs there are no
// joints.
func (b *builder) splitJoints(h *histogram, output int) {
	l := &b.tables.lay
	for i := range l.joints {
		l.joints[i].split(h.words(output))
	}
}

// plus adds the histograms of other rows to h, which is complete with them, and takes them back.
func (b *builder) plus(h *histogram, partials []*histogram) {
	for _, p := range partials {
		h.plus(p)
		b.pool.give(p)
	}
	for k := range b.sums {
		b.splitJoints(h, k)
	}
}

// together is the number of rows, times outputs, from which on a leaf keeps all workers busy, and
// togetherLists that of the places which its rows list.
const (
	together      = 1 << 15
	togetherLists = 1 << 19
)

// keepsAllBusy reports whether all workers together are faster with a leaf of some rows than one.
func (b *builder) keepsAllBusy(rows int) bool {
	outputs := len(b.sums)
	return len(b.team) > 1 && (rows*outputs >= together ||
		float64(rows*outputs)*b.tables.lay.listed.places >= togetherLists)
}

// fillTogether is a filler on all workers of all ranks. Pairs of several ranks are added by one
// after the other.
func (b *builder) fillTogether(h *histogram, rows []int32) {
	switch {
	case b.pool.double && b.ranks.several():
		clear(h.pairs)
		b.ranks.inOrder(h.pairs, func() { b.add(h, rows) })
	default:
		b.fillOwn(h, rows)
		b.ranks.words(h.packed)
	}
}

// fillOwn is a filler on all workers. Outputs are added side by side. Of one output words are added
// by ranges of the rows, since the order of their sums does not matter; pairs by columns.
func (b *builder) fillOwn(h *histogram, rows []int32) {
	switch {
	case !b.keepsAllBusy(len(rows)):
		b.fill(h, rows)
	case len(b.sums) > 1:
		b.team.each(len(b.sums), func(k int, _ *worker) { b.fillOutput(h, k, rows) })
	case b.pool.double:
		b.fillByColumns(h, rows)
	default:
		b.fillByRows(h, rows)
	}
}

// fillByColumns adds pairs, of one output, each worker those of some columns.
func (b *builder) fillByColumns(h *histogram, all []int32) {
	m, l := b.tables.m, &b.tables.lay
	clear(h.pairs)
	for k := range m.Blocks {
		of := &m.Blocks[k]
		pairs, rows := b.sums[0].pairs[2*of.First:], of.Local(m.RowsIn(k, all))
		n := min(len(b.team), len(l.blocks))
		b.team.each(n, func(i int, _ *worker) {
			lo, hi := span(len(l.blocks), i, n)
			a := kernel.AddPairs{Cells: h.pairs, Blocks: l.blocks[lo:hi],
				Codes: of.Packed[kernel.ColumnsPerBlock*lo:], Stride: m.Stride, Pairs: pairs}
			a.Rows(rows)
		})
		b.team.each(len(m.Groups), func(i int, _ *worker) {
			if g := &m.Groups[i]; g.Wide() && !g.Out {
				kernel.AddPairCodes(h.pairs[2*l.at[i]:], pairs, of.Codes[i].Wide, rows)
			}
		})
	}
	b.addLists(h, 0, all)
}

// fillByRows adds words, each worker those of some rows.
func (b *builder) fillByRows(h *histogram, rows []int32) {
	k := len(b.team)
	partials := make([]*histogram, k)
	partials[0] = h
	for i := 1; i < k; i++ {
		partials[i] = b.take()
	}
	b.team.each(k, func(i int, _ *worker) {
		lo, hi := span(len(rows), i, k)
		clear(partials[i].packed)
		b.add(partials[i], rows[lo:hi])
	})
	b.plus(h, partials[1:])
}

// fillChildren makes the histogram of the smaller child from its rows, and in the memory of the
// parent's that of the other. Where the parent's was not kept both are made from rows. split
// reports whether the smaller child may be split.
func (b *builder) fillChildren(l *open, split bool, fill filler) {
	if invariant.On {
		defer func() { b.checkGroups(l.first); b.checkGroups(l.last) }()
	}
	small, large := l.bySize()
	if l.hist != nil && b.mayBeFew(small.len()) {
		b.fillFew(l, split)
		return
	}
	small.hist = b.take()
	fill(small.hist, b.rows.of(small))
	if l.hist == nil {
		large.hist = b.take()
		fill(large.hist, b.rows.of(large))
		return
	}
	large.hist, l.hist = l.hist, nil
	large.hist.subtract(small.hist)
}

// restore makes the histogram of a leaf whose own was not kept, on all workers.
func (b *builder) restore(ctx context.Context, l *open) error {
	if l.hist != nil {
		return nil
	}
	return b.fillLeaves(ctx, []*open{l})
}

// release takes the histogram of a leaf back.
func (b *builder) release(l *open) {
	if l.hist != nil {
		b.pool.give(l.hist)
		l.hist = nil
	}
}

// fillMoved makes the histogram of a leaf, of one output, whose rows have moved to this rank.
func (b *builder) fillMoved(l *open) {
	v, lay := l.moved.rows, &b.tables.lay
	l.hist = b.take()
	clear(l.hist.packed)
	a := kernel.AddPacked{Cells: l.hist.packed, Blocks: lay.blocks, Unused: lay.unused,
		Wide: lay.wide, Codes: v.codes, Stride: v.stride, Words: v.words}
	a.Rows(v.order[l.moved.lo:l.moved.hi])
	b.splitJoints(l.hist, 0)
}

// checkGroups checks that the words of each group of columns add up to those of the leaf: each row
// has one code in a group. The leaf has its sums from the split above, the cells theirs from rows
// or from a difference, so that this compares both. Listed columns have no cell for most rows; sums
// of float64 depend on their order; and of several ranks each has the cells of some columns.
func (b *builder) checkGroups(l *open) {
	if l.hist == nil || b.pool.double || b.ranks.several() {
		return
	}
	for k := range b.sums {
		words, want := l.hist.words(k), l.outputs[k].sum.word()
		for i := range b.tables.m.Groups {
			g := &b.tables.m.Groups[i]
			if g.Out || g.Listed {
				continue
			}
			sum := int64(0)
			for _, w := range words[b.tables.lay.at[i]:][:g.Codes] {
				sum += w
			}
			invariant.Check(sum == want, "group %d of a leaf adds up to %x of %x", i, sum, want)
		}
	}
}

// Package hist owns the engine that grows trees on histograms of gradients: on columns in bins, by
// the second-order gain of Chen and Guestrin (2016), equation 7. The order in which leaves are
// split is a policy; all else is shared.
//
//	gradients -> fixed-point words ----+
//	                                   v
//	rows of a leaf ---------> histogram of its rows -> best split by each column -> best split
//	      ^                            |                                                |
//	      |             sibling = parent - the smaller child                            |
//	      +--- rows of two children, in place <------------- sides of codes <-----------+
//
// A tree is a function of the matrix, the gradients, the Config and a seed: sums are exact or in a
// fixed order, and what is sampled at random is sampled from streams named by places in the tree.
package hist

import (
	"context"
	"errors"
	"sync"

	"github.com/coppice-ml/coppice/internal/bins"
	"github.com/coppice-ml/coppice/internal/parallel"
	"github.com/coppice-ml/coppice/internal/rng"
)

// Grower grows trees, one after the other, on one matrix. It keeps the memory that a tree needs. It
// is not safe for concurrent use; any number of growers may share a matrix.
type Grower struct {
	whole *bins.Matrix
	cells int // of a histogram of all its columns
	c     Config
	least float64 // gain of a split while a tree grows

	// Of the tree that grows.
	seed   uint64
	m      *bins.Matrix // whole, or no more of it than the tree's columns
	lay    layout       // of its histograms
	codes  []uint8      // memory for its rows
	sums   sums
	scales []scale // of the last tree of each output
	turn   int     // output
	order  []int32 // the tree's rows, those of a leaf together
	ofTree []int32 // columns

	pool    sync.Mutex
	free    []*histogram // not in use
	double  bool         // the kind of those
	used    int          // those in use
	budget  int          // bytes that they may take
	workers []*worker
}

// worker is memory of one goroutine.
type worker struct {
	scan  scanner
	side  []uint8
	rows  []int32
	gains []float64

	next   []int32 // by leaf, in Grower.order: its first row that a visit has not come to
	others []int32 // rows that are not the tree's
	listed []uint8

	derived []float64 // a portion of gradients and one of hessians
	words   []int64   // a portion
}

// NewGrower returns a grower of trees on a matrix.
func NewGrower(m *bins.Matrix, c Config) *Grower {
	r := &Grower{c: c, least: c.leastGain(), budget: memory, scales: make([]scale, max(1, c.Outputs))}
	r.setWhole(m)
	for range parallel.Workers(c.Workers) {
		w := &worker{}
		w.scan.r = r
		r.workers = append(r.workers, w)
	}
	return r
}

// ErrNotFinite reports that a tree cannot be grown on derivatives that have overflowed.
var ErrNotFinite = errors.New("gradients or hessians are not finite")

// Grow grows a tree on some rows of the matrix, ascending and distinct; nil = all. They must stay
// as they are until the tree's values are added to scores. Gradients g and hessians h are by row of
// the matrix. What is sampled at random comes from the stream of seed. On a cancelled context it
// returns ctx.Err(), and ErrNotFinite where a gradient or hessian of the rows, their sum, or the
// square of it, is infinite or no number.
func (r *Grower) Grow(ctx context.Context, g, h []float64, rows []int32, seed uint64) (*Grown, error) {
	return r.growOn(ctx, &source{g: g, h: h, rows: rows, n: len(g)}, seed)
}

// GrowDerived is Grow with derivatives that are worked out by parts of the rows and not kept.
func (r *Grower) GrowDerived(ctx context.Context, f Derive, rows []int32, seed uint64) (*Grown, error) {
	return r.growOn(ctx, &source{derive: f, rows: rows, n: r.m.Len()}, seed)
}

func (r *Grower) growOn(ctx context.Context, d *source, seed uint64) (*Grown, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	r.seed = seed
	r.sums.scale = r.scales[r.turn]
	r.sums.take(d, r.c.Double, r)
	r.scales[r.turn], r.turn = r.sums.scale, (r.turn+1)%len(r.scales)
	if !r.sums.finite() {
		return nil, ErrNotFinite
	}
	r.keep(r.sums.double)
	r.begin(d.rows)
	r.used = 0
	if err := r.drawColumns(ctx); err != nil {
		return nil, err
	}
	root := &open{end: int32(len(r.order)), sum: r.sums.total, limits: free(), key: rng.Seed(seed, forTree)}
	root.value = r.valueOf(root, 0)
	t := newGrown(r, root, d.rows)
	grow := r.grow
	if r.c.Policy == Symmetric {
		grow = r.growLevels
	}
	if err := grow(ctx, t, root); err != nil {
		return nil, err
	}
	t.prune()
	t.finish()
	return t, nil
}

// begin puts the rows of a tree in order.
func (r *Grower) begin(rows []int32) {
	if rows != nil {
		r.order = append(r.order[:0], rows...)
		return
	}
	r.order = resize(r.order, r.m.Len())
	r.each(blocksOf(len(r.order)), func(i int, _ *worker) {
		lo, hi := i*block, min(len(r.order), (i+1)*block)
		for j := range r.order[lo:hi] {
			r.order[lo+j] = int32(lo + j)
		}
	})
}

// keep keeps histograms for the sums of a tree: of pairs, or of words.
func (r *Grower) keep(double bool) {
	if r.double != double {
		r.free, r.double = nil, double
	}
	if double && len(r.whole.Joints) > 0 {
		r.setWhole(r.whole.Unbundled())
	}
}

// setWhole sets the matrix that trees are grown on.
func (r *Grower) setWhole(m *bins.Matrix) {
	r.whole = m
	r.look(m)
	r.cells = r.lay.cells
}

// look makes a matrix what the tree sees.
func (r *Grower) look(m *bins.Matrix) { r.m, r.lay = m, lay(m) }

// valueOf returns the value of a leaf, given its parent's.
func (r *Grower) valueOf(l *open, parent float64) float64 {
	u := &r.sums
	t := terms{l1: r.c.L1, l2: r.c.L2 + l.l2, step: r.c.MaxDeltaStep, smooth: r.c.PathSmooth}
	return t.value(pair{l.sum.g * u.unitG, l.sum.h * u.unitH}, l.limits, float64(l.len()), parent)
}

// keepHistograms reports whether a child of a leaf may be split. Where none may, no histogram is
// needed any more.
func (r *Grower) keepHistograms(l *open) bool {
	if !l.final && (r.mayBeSplit(l.first) || r.mayBeSplit(l.last)) {
		return true
	}
	r.release(l)
	l.first.split, l.last.split = none(), none()
	return false
}

// partRows partitions the rows of a leaf and makes its children.
func (r *Grower) partitionRows(l *open, w *worker) { r.children(l, r.partition(l, w)) }

// children makes the children of a leaf whose rows were partitioned at mid.
func (r *Grower) children(l *open, mid int32) {
	a := &open{begin: l.begin, end: mid, depth: l.depth + 1, node: -1, limits: l.limits, path: l.path, sum: l.split.first}
	b := &open{begin: mid, end: l.end, depth: l.depth + 1, node: -1, limits: l.limits, path: l.path, sum: l.sum.minus(l.split.first)}
	a.key, b.key = rng.Seed(l.key, forChild, 0), rng.Seed(l.key, forChild, 1)
	a.l2, a.among = r.penalty(&l.split), l.able
	b.l2, b.among = a.l2, l.able
	if r.c.Interactions != nil {
		a.path = withColumn(l.path, l.split.column)
		b.path = a.path
	}
	r.bound(l, a, b)
	l.first, l.last = a, b
}

// bound gives children their values, and the limits that keep a monotone column's sides apart: no
// value below the first child may pass the middle of the two, nor one below the last (Chen and
// Guestrin's implementation does the same).
func (r *Grower) bound(l, a, b *open) {
	a.value, b.value = r.valueOf(a, l.value), r.valueOf(b, l.value)
	sign := r.sign(l.split.column)
	if sign == 0 {
		return
	}
	mid := float64(a.value/2) + float64(b.value/2)
	if sign > 0 {
		a.limits.upper, b.limits.lower = mid, mid
	} else {
		a.limits.lower, b.limits.upper = mid, mid
	}
	// With the rows counted exactly, smoothed values may have come to stand the other way round.
	a.value, b.value = a.limits.clamp(a.value), b.limits.clamp(b.value)
}

// sign returns the monotone constraint of a column.
func (r *Grower) sign(column int) int8 {
	if r.c.Monotone == nil {
		return 0
	}
	return r.c.Monotone[column]
}

// mayBeSplit reports whether it is worth looking for a split of a leaf.
func (r *Grower) mayBeSplit(l *open) bool {
	return l.len() >= 2*max(1, r.c.MinLeaf) && (r.c.Depth == 0 || int(l.depth) < r.c.Depth)
}

// fillChildren makes the histogram of the smaller child from its rows, and in the memory of the
// parent's that of the other. Where the parent's was not kept both are made from rows.
func (r *Grower) fillChildren(l *open, fill func(h *histogram, rows []int32)) {
	small, large := l.bySize()
	small.hist = r.histogram()
	fill(small.hist, r.order[small.begin:small.end])
	if l.hist == nil {
		large.hist = r.histogram()
		fill(large.hist, r.order[large.begin:large.end])
		return
	}
	large.hist, l.hist = l.hist, nil
	large.hist.subtract(small.hist)
}

// memory is the number of bytes that the histograms of open leaves may take. Leaves beyond them are
// open without one.
const memory = 256 << 20

// search finds the best split of a leaf. Where there is none its histogram is free for others.
func (r *Grower) search(l *open, w *worker) {
	l.split = none()
	if r.mayBeSplit(l) {
		w.scan.begin(l)
		for _, c := range r.columns(l) {
			s := w.scan.scan(int(c), &l.split)
			r.able(l, &s, c)
			if s.better(&l.split) {
				l.split = s
			}
		}
	}
	r.settle(l)
}

// settle frees the histogram of a leaf that is not split, or that there is no room for until it is.
// Differences of float64 are not what is added up from rows: so that trees do not depend on the
// order of workers, there either all are kept or none.
func (r *Grower) settle(l *open) {
	if l.split.column < 0 || r.crowded() {
		r.release(l)
	}
}

// crowded reports whether the histograms in use take all the memory that they may.
func (r *Grower) crowded() bool {
	if r.sums.double {
		leaves := r.c.mostLeaves(len(r.order))
		return 16*r.cells*leaves > r.budget
	}
	r.pool.Lock()
	defer r.pool.Unlock()
	return r.used*8*r.lay.cells > r.budget
}

// mostLeaves returns how many leaves a tree of some rows can have.
func (c *Config) mostLeaves(rows int) int {
	if c.Leaves > 0 {
		rows = min(rows, c.Leaves)
	}
	if c.Depth > 0 && c.Depth < 31 {
		rows = min(rows, 1<<c.Depth)
	}
	return rows
}

// histogram returns one that is not in use.
func (r *Grower) histogram() *histogram {
	r.pool.Lock()
	defer r.pool.Unlock()
	if n := len(r.free); n > 0 {
		h := r.free[n-1]
		r.free = r.free[:n-1]
		r.used++
		r.lay.fit(h, r.sums.double)
		return h
	}
	r.used++
	return r.lay.new(r.sums.double)
}

// give takes a histogram back.
func (r *Grower) give(h *histogram) {
	r.pool.Lock()
	defer r.pool.Unlock()
	r.free = append(r.free, h)
	r.used--
}

// release gives the histogram of a leaf back.
func (r *Grower) release(l *open) {
	if l.hist != nil {
		r.give(l.hist)
		l.hist = nil
	}
}

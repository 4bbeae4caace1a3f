package hist

import (
	"context"
	"errors"

	"github.com/coppice-ml/coppice/internal/bins"
	"github.com/coppice-ml/coppice/internal/rng"
)

// VectorGrower grows trees whose leaves hold a value for each of several outputs, so that all share
// their splits: what a split gains is the sum of what it gains for each output (Zhang & Jung 2020,
// "GBDT-MO"; XGBoost's multi_output_tree). Weights of children, as for MinChildWeight, are means
// over the outputs. It is used as a Grower is, but that no column may be monotone.
type VectorGrower struct {
	r       *Grower // its rows, columns and workers; it grows nothing itself
	outputs int
	sums    []sums // by output
	floor   float64
	least   float64 // bounds of the mean hessian of a single row
	most    float64
	free    [][]*histogram // by output; not in use
	used    int            // those in use, of all outputs counted as one
	scans   []*vectorScanner
}

// several is what a leaf has for each output.
type several struct {
	sum   []pair // in the caller's units
	value []float64
	hist  []*histogram
}

// NewVectorGrower returns a grower of trees on a matrix for some outputs, at least one.
func NewVectorGrower(m *bins.Matrix, c Config, outputs int) *VectorGrower {
	v := &VectorGrower{r: NewGrower(m, c), outputs: outputs, sums: make([]sums, outputs)}
	for range v.r.workers {
		v.scans = append(v.scans, newVectorScanner(v))
	}
	return v
}

// Grow grows a tree on some rows of the matrix, ascending and distinct; nil = all. Gradients g and
// hessians h are output-major: those of output k by row of the matrix from k times the number of
// rows on. What is sampled at random comes from the stream of seed. On a cancelled context it
// returns ctx.Err().
func (v *VectorGrower) Grow(ctx context.Context, g, h []float64, rows []int32, seed uint64) (*VectorGrown, error) {
	r := v.r
	if r.c.Monotone != nil {
		return nil, errors.New("trees of several outputs grow without monotone columns")
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	r.seed = seed
	v.take(g, h, rows)
	v.used = 0
	r.begin(rows)
	if err := r.drawColumns(ctx); err != nil {
		return nil, err
	}
	root := &open{end: int32(len(r.order)), key: rng.Seed(seed, forTree), several: &several{hist: v.histograms()}}
	for k := range v.sums {
		u := &v.sums[k]
		root.several.sum = append(root.several.sum, pair{float64(u.total.g * u.unitG), float64(u.total.h * u.unitH)})
	}
	v.setValues(root, make([]float64, v.outputs))
	t := &VectorGrown{v: v, grown: newGrown(r, root, rows)}
	v.fill(root)
	grow := v.growOpen
	if r.c.Policy == Symmetric {
		grow = v.growLevels
	}
	if err := grow(ctx, t, root); err != nil {
		return nil, err
	}
	t.grown.prune()
	t.finish()
	return t, nil
}

// growOpen grows a tree by splitting one open leaf after the other.
func (v *VectorGrower) growOpen(ctx context.Context, t *VectorGrown, root *open) error {
	r := v.r
	v.search(root)
	q := newQueue(r.c.Policy)
	push := func(l *open) {
		if l.split.column >= 0 {
			q.push(l)
		}
	}
	push(root)
	for leaves := 1; r.c.Leaves == 0 || leaves < r.c.Leaves; leaves++ {
		l := q.pop()
		if l == nil {
			break
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		v.expand(l)
		t.grown.commit(l)
		push(l.first)
		push(l.last)
	}
	for l := q.pop(); l != nil; l = q.pop() {
		v.release(l)
	}
	return nil
}

// take makes the sums of all outputs, of one kind.
func (v *VectorGrower) take(g, h []float64, rows []int32) {
	r := v.r
	n, double := r.m.Len(), r.c.Double
	for k := 0; k < v.outputs; k++ {
		u := &v.sums[k]
		u.take(&source{g: g[k*n : (k+1)*n], h: h[k*n : (k+1)*n], rows: rows, n: n}, double, r)
		if u.double && !double {
			double, k = true, -1 // from the first on again
		}
	}
	if r.double != double {
		v.free = nil
	}
	r.keep(double)
	v.floor, v.least, v.most = 0, 0, 0
	mean := 1 / float64(v.outputs)
	for k := range v.sums {
		u := &v.sums[k]
		v.floor += float64(u.floor() * u.unitH * mean)
		v.least += float64(u.least * u.unitH * mean)
		v.most += float64(u.most * u.unitH * mean)
	}
}

// expand partitions the rows of a leaf and finds the best splits of its children.
func (v *VectorGrower) expand(l *open) {
	if v.children(l) {
		v.search(l.first)
		v.search(l.last)
	}
}

// children partitions the rows of a leaf and makes its children, with their histograms if any of
// them may be split, as it reports.
func (v *VectorGrower) children(l *open) bool {
	r := v.r
	v.restore(l)
	first := v.scans[0].sumsOf(l)
	mid := int32(0)
	if l.len() < together {
		mid = r.partition(l, r.workers[0])
	} else {
		mid = r.partitionTogether(l)
	}
	a := &open{begin: l.begin, end: mid, depth: l.depth + 1, node: -1, path: l.path, several: &several{sum: first}}
	b := &open{begin: mid, end: l.end, depth: l.depth + 1, node: -1, path: l.path, several: &several{}}
	for k, s := range l.several.sum {
		b.several.sum = append(b.several.sum, s.minus(first[k]))
	}
	a.key, b.key = rng.Seed(l.key, forChild, 0), rng.Seed(l.key, forChild, 1)
	if r.c.Interactions != nil {
		a.path = withColumn(l.path, l.split.column)
		b.path = a.path
	}
	v.setValues(a, l.several.value)
	v.setValues(b, l.several.value)
	l.first, l.last = a, b
	if !r.mayBeSplit(a) && !r.mayBeSplit(b) {
		v.release(l)
		a.split, b.split = none(), none()
		return false
	}
	small, large := l.bySize()
	small.several.hist = v.histograms()
	v.fill(small)
	large.several.hist, l.several.hist = l.several.hist, nil
	r.each(v.outputs, func(k int, _ *worker) { large.several.hist[k].subtract(small.several.hist[k]) })
	return true
}

// terms holds the regularisation, in the caller's units.
func (v *VectorGrower) terms() terms {
	c := &v.r.c
	return terms{l1: c.L1, l2: c.L2, step: c.MaxDeltaStep, smooth: c.PathSmooth}
}

// setValues gives a leaf its values, given its parent's.
func (v *VectorGrower) setValues(l *open, parent []float64) {
	t := v.terms()
	for k, s := range l.several.sum {
		l.several.value = append(l.several.value, t.value(s, free(), float64(l.len()), parent[k]))
	}
}

// fill makes the histograms of a leaf, those of the outputs at once.
func (v *VectorGrower) fill(l *open) {
	r := v.r
	rows := r.order[l.begin:l.end]
	r.each(v.outputs, func(k int, _ *worker) { l.several.hist[k].fill(r.m, &r.lay, &v.sums[k], rows) })
}

// search finds the best split of a leaf, each worker looking at some columns. Where there is none
// its histograms are free for others.
func (v *VectorGrower) search(l *open) {
	r := v.r
	l.split = none()
	if r.mayBeSplit(l) {
		columns := r.columns(l)
		found := make([]split, len(columns))
		k := min(len(v.scans), len(columns))
		r.each(k, func(i int, _ *worker) {
			s := v.scans[i]
			s.begin(l)
			for j := i; j < len(columns); j += k {
				found[j] = s.scan(int(columns[j]))
			}
		})
		for i := range found {
			if found[i].better(&l.split) {
				l.split = found[i]
			}
		}
	}
	if l.split.column < 0 || v.crowded() {
		v.release(l)
	}
}

// crowded is Grower.crowded for the histograms of all outputs.
func (v *VectorGrower) crowded() bool {
	r := v.r
	if r.double {
		return 16*r.cells*v.outputs*r.c.mostLeaves(len(r.order)) > r.budget
	}
	return v.used*8*r.lay.cells*v.outputs > r.budget
}

// histograms returns some that are not in use.
func (v *VectorGrower) histograms() []*histogram {
	v.used++
	if n := len(v.free); n > 0 {
		h := v.free[n-1]
		v.free = v.free[:n-1]
		for _, of := range h {
			v.r.lay.fit(of, v.r.double)
		}
		return h
	}
	h := make([]*histogram, v.outputs)
	for k := range h {
		h[k] = v.r.lay.new(v.r.double)
	}
	return h
}

// release gives the histograms of a leaf back.
func (v *VectorGrower) release(l *open) {
	if h := l.several.hist; h != nil {
		v.free = append(v.free, h)
		v.used--
		l.several.hist = nil
	}
}

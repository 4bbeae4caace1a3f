package hist

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"
	"sync"

	"github.com/coppice-ml/coppice/internal/invariant"
	"github.com/coppice-ml/coppice/internal/parallel"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/learn/gbm/internal/bins"
)

// engine grows trees of one output or of several, one after the other, on one matrix. It keeps the
// memory that a tree needs. What differs by the number of outputs is in the finders of its workers.
type engine struct {
	c        Config
	least    float64 // gain of a split while a tree grows
	seed     uint64
	noise    float64 // standard deviation of what is added to the scores of levels
	sums     []sums  // by output
	tables   tables
	columns  featureSampler
	rows     rowOrder
	hist     builder
	team     team
	ranks    exchange
	owners   owners
	leafOf   []int32 // memory of grown.leafOf
	expected float64 // see leafWorkers.leastGain; of the tree before
	// units of Config.Weight, see scaleOfWeights; 0: rows weigh the same
	weightScale float64
	rootOf      func(h *histogram) // makes the histogram of the root; nil: its rows are added

	// Of a stored matrix.
	ctx     context.Context // of the last tree, whose scores are looked up by it
	fault   error           // the first one of reading where no method returns it: see Err
	wanting sync.Mutex      // of open.wanted
}

// finder finds splits of a leaf by one column after the other. Each worker has its own.
type finder interface {
	// begin prepares for a leaf, which has a histogram.
	begin(l *open)
	// scan returns the best split by a column, in memory that the next scan uses again. A split
	// that is no better than sofar need not be found.
	scan(column int, sofar *split) *split
	// eachSplitPoint calls f for every split of the leaf by a column that is allowed, one category
	// against the rest, or in Order. The bin of a split is its place among these.
	eachSplitPoint(column int, f func(found *split))
	// sumsOfFirst returns the sums of the first child of a leaf that has a split, by output. If it
	// needs a histogram that was not kept, it fills one.
	sumsOfFirst(l *open, fill filler) []pair
}

// newEngine makes an engine for some outputs. find makes the finder of a worker.
func newEngine(m *bins.Matrix, c Config, outputs int, find func(e *engine) finder) *engine {
	e := &engine{c: c, least: c.leastGain(), sums: make([]sums, outputs)}
	if c.Policy == LeafWise && c.Leaves > 0 {
		e.expected = math.Inf(1) // there is no tree before
	}
	if e.ranks = newExchange(c.Ranks, m.Len()); m.Store != nil {
		e.ranks = noExchange{} // its trees are grown by each rank
	}
	e.owners.portion = portionRows
	e.tables.setWhole(e.ranks.part(m))
	if c.Unseen {
		e.weightScale = scaleOfWeights(m, c.Weight)
	}
	e.columns = featureSampler{c: &e.c, inherit: c.Conventions == LightGBM && c.Policy != Symmetric}
	for range parallel.Workers(c.Workers) {
		e.team = append(e.team, &worker{find: find(e)})
	}
	e.hist = builder{tables: &e.tables, sums: e.sums, team: e.team, ranks: e.ranks,
		pool: pool{budget: memory, lends: mostSpare}, leastAway: e.c.leastAway()}
	if c.Policy == Symmetric && outputs == 1 {
		e.hist.pool.budget = math.MaxInt // every level reads the histograms of all leaves
	}
	return e
}

// ErrNotFinite reports that a tree cannot be grown on derivatives that have overflowed.
var ErrNotFinite = errors.New("gradients or hessians are not finite")

// grow grows a tree on some rows of the matrix, nil = all, with the derivatives of each output.
func (e *engine) grow(
	ctx context.Context, from []source, rows []int32, seed uint64,
) (*grown, error) {
	if err := e.begin(ctx, seed); err != nil {
		return nil, err
	}
	makeSums(e.sums, from, e.c.Double, e.team, e.ranks)
	if err := e.ranks.failed(); err != nil {
		return nil, err
	}
	for k := range e.sums {
		if !e.sums[k].finite() {
			return nil, ErrNotFinite
		}
	}
	return e.growOnSums(ctx, rows)
}

// begin prepares for a tree.
func (e *engine) begin(ctx context.Context, seed uint64) error {
	if err := cmp.Or(ctx.Err(), e.fault); err != nil {
		return err
	}
	e.ctx, e.seed = ctx, seed
	e.ranks.begin(ctx)
	return nil
}

// growOnSums is grow once the sums have the derivatives.
func (e *engine) growOnSums(ctx context.Context, rows []int32) (*grown, error) {
	if e.sums[0].double {
		e.tables.withoutJoints()
	}
	all := lenOr(rows, e.tables.whole.Len())
	lo, hi := e.ranks.own(rows, all)
	base, _ := e.ranks.own(nil, e.tables.whole.Len())
	e.rows.begin(rows, lo, hi, base, e.team)
	if e.rows.leaf = nil; len(e.tables.lay.listed.at) > 0 && e.c.MinLeaf > 1 {
		e.rows.markAll(e.tables.whole.Len())
	}
	e.columns.begin(len(e.tables.whole.Columns), e.seed)
	if err := e.tables.choose(ctx, e.columns.ofTree, all, len(e.team)); err != nil {
		return nil, err
	}
	root := newRoot(all, len(e.rows.rows), e.sums, e.seed)
	e.setValues(root, nil)
	t := &grown{e: e, nodes: []*open{root}, rows: rows, own: rows, base: base}
	if rows != nil && e.ranks.several() {
		t.own = slices.Clone(e.rows.rows)
	}
	if err := e.growFrom(ctx, t, all); err != nil {
		return nil, err
	}
	if e.ranks.several() && !e.c.OwnRows {
		t.joinRanks()
	}
	return t, e.ranks.failed()
}

// growFrom grows a tree of so many rows that has a root. Its leaves then list their rows in
// ascending order.
func (e *engine) growFrom(ctx context.Context, t *grown, rows int) error {
	gathered, err := e.tables.gather(ctx, t.rows, len(e.team))
	if err != nil {
		return err
	}
	if gathered {
		e.gather(t.rows)
		defer e.scatter(t.rows)
	}
	e.hist.begin(e.c.mostLeaves(rows))
	e.owners.begin(e, rows)
	if err := e.fillRoot(ctx, t.nodes[0]); err != nil {
		return err
	}
	if err := cmp.Or(e.policy()(ctx, e, t), e.fault); err != nil {
		return err
	}
	e.hist.pool.rest()
	t.prune()
	t.joinLeaves()
	return t.placeUnseen(ctx)
}

// gather numbers the tree's rows, and what is added up of them, as those of a gathered matrix.
//
//	drawn rows     1 3 4 9 ...      words and rows of the matrix
//	gathered       0 1 2 3 ...      while the tree grows
func (e *engine) gather(rows []int32) {
	e.rows.begin(nil, 0, int32(len(rows)), 0, e.team)
	for k := range e.sums {
		e.sums[k].gather(rows, e.team)
	}
}

// scatter undoes gather. The rows of a leaf keep their order.
func (e *engine) scatter(rows []int32) {
	e.tables.scatter()
	all := e.rows.rows
	e.team.each(blocksOf(len(all)), func(i int, _ *worker) {
		own := all[i*block : min(len(all), (i+1)*block)]
		for j, r := range own {
			own[j] = rows[r]
		}
	})
	for k := range e.sums {
		e.sums[k].scatter()
	}
}

// fillRoot makes the histogram of the root.
func (e *engine) fillRoot(ctx context.Context, root *open) error {
	if e.stored() {
		return e.fillStored(ctx, []*open{root})
	}
	root.hist = e.hist.take()
	if e.rootOf != nil {
		e.rootOf(root.hist)
		return nil
	}
	if e.owners.several() {
		e.hist.fillOwn(root.hist, e.rows.rows)
		e.share([]*histogram{root.hist}, nil)()
		return e.ranks.failed()
	}
	e.hist.fillTogether(root.hist, e.rows.rows)
	if !e.ranks.several() { // of the other ranks' rows it is not known
		root.hist.away = append(root.hist.away, e.tables.lay.listed.away...)
	}
	return nil
}

// policy returns what splits the leaves of a tree that has a root.
func (e *engine) policy() func(ctx context.Context, e *engine, t *grown) error {
	switch {
	case e.c.Policy == Symmetric:
		return growLevels
	case e.stored() || e.owners.several():
		return growBatches
	case e.ranks.several():
		return growInTurn
	}
	return growOpen
}

// setValues gives a leaf its values, given the leaf above, nil for the root.
func (e *engine) setValues(l, above *open) {
	t := terms{l1: e.c.L1, l2: e.c.L2 + l.l2, step: e.c.MaxDeltaStep, smooth: e.c.PathSmooth}
	for k := range l.outputs {
		parent, u := 0.0, &e.sums[k]
		if above != nil {
			parent = above.outputs[k].value
		}
		s := &l.outputs[k]
		s.value = t.value(pair{float64(s.sum.g * u.unitG), float64(s.sum.h * u.unitH)}, l.limits,
			float64(l.len()), parent)
	}
}

// splitOne splits a leaf on one worker: it partitions its rows and makes its children. They get
// histograms, by fill, if one of them may be split, as it reports.
func (e *engine) splitOne(l *open, w *worker, fill filler) bool {
	first := w.find.sumsOfFirst(l, fill)
	return e.children(l, e.rows.partition(l, e.tables.m, w), first, fill)
}

// splitTogether is splitOne on all workers. Few rows are moved by a listed column.
func (e *engine) splitTogether(l *open) bool {
	if e.tables.m.Columns[l.split.column].Listed {
		return e.splitOne(l, e.team[0], e.hist.fillTogether)
	}
	first := e.team[0].find.sumsOfFirst(l, e.hist.fillTogether)
	return e.children(l, e.rows.partitionTogether(l, e.tables.m, e.team), first,
		e.hist.fillTogether)
}

// children makes the children of a leaf whose rows were partitioned at mid.
func (e *engine) children(l *open, mid int32, first []pair, fill filler) bool {
	rows := [1]int32{mid - l.begin}
	e.ranks.counts(rows[:])
	if !e.descend(l, mid, rows[0], first) {
		return false
	}
	small, _ := l.bySize()
	e.hist.fillChildren(l, &e.rows, e.c.mayBeSplit(small), fill)
	return true
}

// descend is children without their histograms. The first child has so many rows, of all ranks. It
// reports whether the children need histograms.
func (e *engine) descend(l *open, mid, rows int32, first []pair) bool {
	l.makeChildren(mid, rows, first)
	if invariant.On {
		e.checkChildren(l)
	}
	e.rows.mark(l)
	e.note(l)
	a, b := l.first, l.last
	a.l2 = e.l2Below(&l.split)
	b.l2 = a.l2
	if e.c.Interactions != nil {
		a.path = withColumn(l.path, l.split.column)
		b.path = a.path
	}
	if l.split.inName && e.c.Conventions != CatBoost {
		e.keep(l, a, b)
	} else {
		e.bound(l, a, b)
	}
	if l.final || !e.c.mayBeSplit(a) && !e.c.mayBeSplit(b) {
		e.hist.pool.release(l)
		a.split, b.split = none(), none()
		return false
	}
	l.grows = true
	return true
}

// bound gives children their values, and the limits that keep the sides of a monotone column in
// order: no value below the first child may pass the middle of the two, nor one below the last
// (Chen and Guestrin's implementation does the same).
func (e *engine) bound(l, a, b *open) {
	e.setValues(a, l)
	e.setValues(b, l)
	sign := e.c.sign(l.split.column)
	if sign == 0 {
		return
	}
	first, last := &a.outputs[0].value, &b.outputs[0].value
	mid := float64(*first/2) + float64(*last/2)
	if sign > 0 {
		a.limits.upper, b.limits.lower = mid, mid
	} else {
		a.limits.lower, b.limits.upper = mid, mid
	}
	// With the rows counted exactly, smoothed values may have come to stand the other way round.
	*first, *last = a.limits.clamp(*first), b.limits.clamp(*last)
}

// keep gives children the value of a leaf that is split in name, and limits that keep the sides of
// a monotone column in order.
func (e *engine) keep(l, a, b *open) {
	for k := range l.outputs {
		a.outputs[k].value, b.outputs[k].value = l.outputs[k].value, l.outputs[k].value
	}
	a.basis, b.basis = l.basis, l.basis
	switch sign, mid := e.c.sign(l.split.column), l.outputs[0].value; {
	case sign > 0:
		a.limits.upper, b.limits.lower = mid, mid
	case sign < 0:
		a.limits.lower, b.limits.upper = mid, mid
	}
}

// search finds the best split of a leaf on one worker. Where there is none its histogram is free
// for others.
func (e *engine) search(l *open, w *worker) {
	e.find(l, w)
	e.settle(l)
}

// find is search that keeps the histogram.
func (e *engine) find(l *open, w *worker) {
	l.split, l.able = none(), l.able[:0]
	if e.c.mayBeSplit(l) {
		w.find.begin(l)
		for _, c := range e.columnsOf(l) {
			if e.splits(l, c) {
				e.take(l, w.find.scan(int(c), &l.split))
			}
		}
	}
}

// searchTogether is search on all workers, each looking at some columns.
func (e *engine) searchTogether(l *open) {
	if l.hist != nil && l.hist.few() || e.ranks.several() {
		e.search(l, e.team[0])
		return
	}
	e.findTogether(l)
	e.settle(l)
}

// findTogether is searchTogether that keeps the histogram.
func (e *engine) findTogether(l *open) {
	l.split, l.able = none(), l.able[:0]
	if e.c.mayBeSplit(l) {
		columns := e.columnsOf(l)
		able := make([]bool, len(columns))
		for _, w := range e.team {
			w.looking, w.best = nil, none()
		}
		each := columnsEach(len(columns))
		e.team.each((len(columns)+each-1)/each, func(i int, w *worker) {
			e.look(l, columns, able, i*each, min(len(columns), (i+1)*each), w)
		})
		e.takeAll(l, columns, able)
	}
}

// columnsEach returns how many columns a worker looks at before it takes others.
func columnsEach(columns int) int { return 1 + min(columns/256, 63) }

// look makes the best split by the columns from ... to-1 of some that of a worker, unless it has a
// better one of the leaf. It reports by place which of them are able to split the leaf.
func (e *engine) look(l *open, columns []int32, able []bool, from, to int, w *worker) {
	if w.looking != l {
		w.find.begin(l)
		w.looking = l
	}
	for k, c := range columns[from:to] {
		if !e.splits(l, c) {
			continue
		}
		found := w.find.scan(int(c), &w.best)
		able[from+k] = found.column >= 0
		if found.better(&w.best) {
			w.best = *found
		}
	}
}

// takeAll takes the best split of all workers.
func (e *engine) takeAll(l *open, columns []int32, able []bool) {
	for _, w := range e.team {
		if w.best.better(&l.split) {
			l.split = w.best
		}
	}
	e.inherit(l, columns, able)
}

// inherit notes which of the columns that were looked at may split the leaves below a leaf.
func (e *engine) inherit(l *open, columns []int32, able []bool) {
	if !e.columns.inherit {
		return
	}
	for k, is := range able {
		if is {
			l.able = append(l.able, columns[k])
		}
	}
}

// take takes a split that was found by a column if it is better than those before it.
func (e *engine) take(l *open, found *split) {
	if e.columns.inherit && found.column >= 0 {
		l.able = append(l.able, int32(found.column))
	}
	if found.better(&l.split) {
		l.split = *found
	}
}

// settle frees the histogram of a leaf that is not split, or for which memory is short until it is.
func (e *engine) settle(l *open) {
	if l.split.column < 0 || e.hist.pool.crowded() {
		e.hist.pool.release(l)
	}
}

// finish turns the gain of a split that was found into the caller's units: scale is what a unit of
// gains is worth, base the score of the leaf. The split is none if it gains too little.
func (e *engine) finish(best *split, base, scale float64) {
	if best.column < 0 {
		return
	}
	dust := math.Abs(base) * 1e-12 // of rounding, where scores are subtracted
	if !(best.gain > dust) {
		*best = none()
		return
	}
	best.gain *= scale
	e.c.weigh(best)
	if !(best.gain > 0) || best.gain < e.least {
		*best = none()
	}
}

// stream returns the random stream of a leaf and a column.
func (e *engine) stream(l *open, column int) *rng.Stream {
	return rng.New(e.seed, forSplitPoint, l.key, uint64(column))
}

package hist

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/coppice-ml/coppice/learn/gbm/internal/bins"
)

// engine grows trees of one output or of several, one after the other, on one matrix. It keeps the
// memory that a tree needs. What differs by the number of outputs is in the finders of its workers.
type engine struct {
	*growth
}

// newEngine makes an engine for some outputs. find makes the finder of a worker.
func newEngine(m *bins.Matrix, c Config, outputs int, find func(columnScan) finder) *engine {
	return &engine{growth: newGrowth(m, c, outputs, find)}
}

// ErrNotFinite reports that a tree cannot be grown on derivatives that have overflowed.
var ErrNotFinite = errors.New("gradients or hessians are not finite")

// Err returns the first error of reading a matrix whose codes are in a file, nil for all others.
// Methods that return none leave their results incomplete after it.
func (e *engine) Err() error { return e.fault }

// growTree grows a tree with the derivatives of each output.
func (e *engine) growTree(ctx context.Context, from *source, seed uint64) (*grown, error) {
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
	return e.growOnSums(ctx, from.rows)
}

// growOnSums is growTree on some rows of the matrix, nil = all, once the sums have the derivatives.
func (e *engine) growOnSums(ctx context.Context, rows []int32) (*grown, error) {
	if e.sums[0].double {
		e.tables.withoutJoints()
	}
	all := lenOr(rows, e.tables.whole.Len())
	lo, hi := e.ranks.own(rows)
	base, _ := e.ranks.own(nil)
	e.rows.begin(rows, lo, hi, base, e.team)
	columns := &e.find.columns
	columns.begin(len(e.tables.whole.Columns), e.seed)
	if err := e.tables.choose(ctx, columns.ofTree, all, len(e.team)); err != nil {
		return nil, err
	}
	root := newRoot(all, len(e.rows.rows), e.sums, e.seed)
	e.split.setValues(root, nil)
	t := &grown{branches: e.newBranches(root), in: e.inputs, order: e.rows,
		counter: e.find.counter, memory: e.memory, rows: rows, own: rows, base: base}
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
	if err := cmp.Or(e.grow(ctx, &t.branches, rows), e.fault); err != nil {
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

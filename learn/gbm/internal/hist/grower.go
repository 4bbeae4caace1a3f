package hist

import (
	"context"
	"errors"
	"slices"

	"github.com/coppice-ml/coppice/learn/gbm/internal/bins"
)

// Grower grows trees, one after the other, on one matrix. It keeps the memory that a tree needs. It
// is not safe for concurrent use; any number of growers may share a matrix.
type Grower struct {
	*engine
	last []lastTree // of each output that gets trees by turns
	turn int        // output
	all  team
}

// lastTree is what the next tree of an output starts from.
type lastTree struct {
	scale    scale
	expected float64 // see growth
}

// NewGrower returns a grower of trees on a matrix.
func NewGrower(m *bins.Matrix, c Config) *Grower { return newGrower(newEngine(m, c, 1, newScanner)) }

// NewVectorGrower returns a grower of trees on a matrix whose leaves hold a value for each of some
// outputs, at least one, so that all share their splits: what a split gains is the sum of what it
// gains for each output (Zhang & Jung 2020, "GBDT-MO"; XGBoost's multi_output_tree). Weights of
// children, as for MinChildWeight, are means over the outputs. No column may be monotone, and
// Compatibility and Outputs have no meaning.
func NewVectorGrower(m *bins.Matrix, c Config, outputs int) *Grower {
	c.Compatibility, c.Outputs = Compatibility{}, 0
	return newGrower(newEngine(m, c, outputs, newVectorScanner))
}

func newGrower(e *engine) *Grower {
	return &Grower{engine: e, all: e.team,
		last: slices.Repeat([]lastTree{{expected: e.expected}}, max(1, e.c.Outputs))}
}

// Next states the output of the next tree, where outputs do not take turns, and how many workers
// grow it: at most those of the Config. The tree depends on neither.
func (r *Grower) Next(output, workers int) {
	r.turn = output
	r.team = r.all[:max(1, min(workers, len(r.all)))]
}

// Grow grows a tree on some rows of the matrix, ascending and distinct; nil = all. They must stay
// as they are until the tree's values are added to scores. Gradients g and hessians h are by row of
// the matrix, of several outputs those of one after the other. What is sampled at random comes from
// the stream of seed. On a cancelled context it returns ctx.Err(), and ErrNotFinite where a
// gradient or hessian of the rows, their sum, or the square of it, is infinite or no number. It
// returns an error if a tree of several outputs has monotone columns.
func (r *Grower) Grow(
	ctx context.Context, g, h []float64, rows []int32, seed uint64,
) (*Grown, error) {
	if len(r.sums) > 1 && r.c.Monotone != nil {
		return nil, errors.New("trees of several outputs grow without monotone columns")
	}
	return r.growOn(ctx, source{outputs: len(r.sums), g: g, h: h, rows: rows,
		n: r.tables.whole.Len()}, seed)
}

// GrowDerived is Grow of one output with derivatives that are computed some rows at a time and not
// kept.
func (r *Grower) GrowDerived(
	ctx context.Context, f Derive, rows []int32, seed uint64,
) (*Grown, error) {
	return r.growOn(ctx, source{outputs: 1, derive: f, rows: rows, n: r.tables.m.Len()}, seed)
}

func (r *Grower) growOn(ctx context.Context, from source, seed uint64) (*Grown, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	last := &r.last[r.turn]
	r.sums[0].scale, r.expected = last.scale, last.expected
	t, err := r.growTree(ctx, &from, seed)
	last.scale, last.expected = r.sums[0].scale, r.expected
	r.turn = (r.turn + 1) % len(r.last)
	if err != nil {
		return nil, err
	}
	return newGrown(t), nil
}

// OwnRows returns the rows of the matrix that this rank has: from ... to-1.
func (r *Grower) OwnRows() (from, to int) {
	a, b := r.ranks.own(nil)
	return int(a), int(b)
}

// SetNoise makes the next trees, symmetric ones, add normal numbers of some standard deviation to
// the scores by which the columns of a level are compared; 0 = none.
func (r *Grower) SetNoise(deviation float64) { r.noise = deviation }

package hist

import (
	"context"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn/gbm/internal/bins"
	"github.com/coppice-ml/coppice/tree"
)

// Grower grows trees, one after the other, on one matrix. It keeps the memory that a tree needs. It
// is not safe for concurrent use; any number of growers may share a matrix.
type Grower struct {
	*engine
	last []lastTree // of each output
	turn int        // output
	all  team
}

// lastTree is what the next tree of an output starts from.
type lastTree struct {
	scale    scale
	expected float64 // see engine
}

// NewGrower returns a grower of trees on a matrix.
func NewGrower(m *bins.Matrix, c Config) *Grower {
	e := newEngine(m, c, 1, newScanner)
	return &Grower{engine: e, all: e.team,
		last: slices.Repeat([]lastTree{{expected: e.expected}}, max(1, c.Outputs))}
}

// Next states the output of the next tree, where outputs do not take turns, and how many workers
// grow it: at most those of the Config. The tree depends on neither.
func (r *Grower) Next(output, workers int) {
	r.turn = output
	r.team = r.all[:max(1, min(workers, len(r.all)))]
}

// Grow grows a tree on some rows of the matrix, ascending and distinct; nil = all. They must stay
// as they are until the tree's values are added to scores. Gradients g and hessians h are by row of
// the matrix. What is sampled at random comes from the stream of seed. On a cancelled context it
// returns ctx.Err(), and ErrNotFinite where a gradient or hessian of the rows, their sum, or the
// square of it, is infinite or no number.
func (r *Grower) Grow(
	ctx context.Context, g, h []float64, rows []int32, seed uint64,
) (*Grown, error) {
	return r.growOn(ctx, source{outputs: 1, g: g, h: h, rows: rows, n: len(g)}, seed)
}

// GrowDerived is Grow with derivatives that are computed some rows at a time and not kept.
func (r *Grower) GrowDerived(
	ctx context.Context, f Derive, rows []int32, seed uint64,
) (*Grown, error) {
	derive := func(g, h []float64, _, from, to int) { f(g[:to-from], h[:to-from], from, to) }
	return r.growOn(ctx, source{outputs: 1, derive: derive, rows: rows, n: r.tables.m.Len()}, seed)
}

// GrowOutput is Grow for an output whose words are fixed, on the rows that these are of.
// Growers of the same matrix may grow trees of several outputs at the same time.
func (r *Grower) GrowOutput(
	ctx context.Context, of *Outputs, output int, seed uint64,
) (*Grown, error) {
	if err := r.begin(ctx, seed); err != nil {
		return nil, err
	}
	of.put(&r.sums[0], output)
	if of.roots != nil {
		r.rootOf = func(h *histogram) { of.roots.put(h, &r.tables.lay, r.tables.m, output) }
		defer func() { r.rootOf = nil }()
	}
	t, err := r.growOnSums(ctx, of.rows)
	if err != nil {
		return nil, err
	}
	return newGrown(t), nil
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

// Leaf is one leaf of a grown tree.
type Leaf struct {
	Node int32 // its number in the tree
	// the rows of the matrix that it was grown on, ascending; valid until the grower's next tree.
	// With Config.OwnRows they count from the first one of Grower.OwnRows
	Rows []int32
	// Basis is the rows that Value is computed of, as Rows in any order: these, or in a symmetric
	// tree those of a node above that was split in name
	Basis []int32
	G, H  float64 // sums of the gradients and hessians of Rows
	// the Newton step -G/(H+L2), with the penalties and limits of the Config. May be changed before
	// Tree and Add
	Value float64

	// Lower and Upper are limits of Value that keep Columns.Monotone; infinite where there are
	// none.
	Lower, Upper float64

	// Constant and Terms are the equation that Grown.FitLinear gives to rows without missing
	// values. No terms: the leaf has a Value only.
	Constant float64
	Terms    []tree.Term
}

// Grown is a tree that has just been grown, whose leaves may still be given other values.
type Grown struct {
	Leaves []Leaf // in the order of their nodes

	*grown
	frame *data.Frame // of FitLinear; nil before it
}

func newGrown(of *grown) *Grown {
	t := &Grown{grown: of}
	of.leaves(func(n int32, l *open) {
		g, h := of.sums(l, 0)
		t.Leaves = append(t.Leaves,
			Leaf{Node: n, Rows: of.order.of(l), Basis: of.order.of(l.basis), G: g, H: h,
				Value: l.outputs[0].value,
				Lower: l.limits.lower, Upper: l.limits.upper})
	})
	return t
}

// Tree returns the tree with all values of leaves times shrink, the learning rate. Its nodes store
// how many rows they were grown on, the sum of their hessians, as Weight, and what their splits
// gain.
func (t *Grown) Tree(shrink float64) (*tree.Tree, error) {
	b := t.builder(tree.Scalar)
	for _, l := range t.Leaves {
		b.SetValue(l.Node, []float64{l.Value * shrink})
		constant, terms := l.equation(shrink)
		b.SetLinear(l.Node, constant, terms)
	}
	return b.Build()
}

// Add adds the value of each row's leaf times shrink to raw, one score per row of the matrix: for
// all rows among, ascending, which hold those that the tree was grown on; nil = all of the matrix.
func (t *Grown) Add(raw []float64, among []int32, shrink float64) {
	if t.frame != nil {
		t.addEquations(raw, among, shrink)
		return
	}
	t.add(nil, raw, among, shrink)
}

// AddTo is Add for all rows of another matrix of the same columns, which bins.Encode makes. Leaves
// have no equations.
func (t *Grown) AddTo(m *bins.Matrix, raw []float64, shrink float64) { t.add(m, raw, nil, shrink) }

func (t *Grown) add(to *bins.Matrix, raw []float64, among []int32, shrink float64) {
	value := make([][]float64, len(t.nodes))
	for _, l := range t.Leaves {
		value[l.Node] = []float64{l.Value}
	}
	t.addValues(to, raw, len(raw), among, value, shrink)
}

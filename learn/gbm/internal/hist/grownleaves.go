package hist

import (
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn/gbm/internal/bins"
	"github.com/coppice-ml/coppice/tree"
)

// Grown is a tree that has just been grown, whose leaves may still be given other values.
type Grown struct {
	Leaves []Leaf // in the order of their nodes

	*grown
	frame *data.Frame // of FitLinear; nil before it
}

func newGrown(of *grown) *Grown {
	t, k, m := &Grown{grown: of}, len(of.in.sums), of.memory
	leaves := len(of.split) + 1
	t.Leaves, m.values = slices.Grow(m.leaves[:0], leaves), resize(m.values, 3*k*leaves)
	values := m.values
	of.leaves(func(n int32, l *open) {
		leaf := Leaf{Node: n, Rows: of.order.of(l), Basis: of.order.of(l.basis), G: values[:k:k],
			H: values[k : 2*k : 2*k], Value: values[2*k : 3*k : 3*k], Lower: l.limits.lower,
			Upper: l.limits.upper}
		values = values[3*k:]
		for o := range l.outputs {
			leaf.G[o], leaf.H[o] = of.sums(l, o)
			leaf.Value[o] = l.outputs[o].value
		}
		t.Leaves = append(t.Leaves, leaf)
	})
	return t
}

// Release lets the grower's next tree have the memory of this one, of which nothing may be used any
// more.
func (t *Grown) Release() {
	m := t.memory
	m.used, m.nodes, m.split, m.leaves = 0, t.nodes, t.split, t.Leaves
	t.in.spare = m
}

// Tree returns the tree with all values of leaves times shrink, the learning rate: a tree.Vector
// where there are several outputs. Its nodes store how many rows they were grown on, the mean over
// the outputs of the sums of their hessians, as Weight, and what their splits gain.
func (t *Grown) Tree(shrink float64) (*tree.Tree, error) {
	kind := tree.Scalar
	if len(t.in.sums) > 1 {
		kind = tree.Vector
	}
	b := t.builder(kind)
	value := make([]float64, len(t.in.sums))
	for i := range t.Leaves {
		l := &t.Leaves[i]
		for k, v := range l.Value {
			value[k] = float64(v * shrink)
		}
		b.SetValue(l.Node, value)
		if len(l.Terms) > 0 {
			constant, terms := l.equation(shrink)
			b.SetLinear(l.Node, constant, terms)
		}
	}
	return b.Build()
}

// Add adds the values of each row's leaf times shrink to raw, one score per output and row of the
// matrix, those of one output after the other: for all rows among, ascending, which hold those that
// the tree was grown on; nil = all of the matrix.
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
	index := t.indexes()
	first, n := 0, len(raw)/len(t.in.sums)
	if to == nil && t.leafOf == nil { // rows are numbered as this rank does
		first = int(t.base)
	}
	t.reach(to, among, func(leaf int32, rows []int32) {
		for k, v := range t.Leaves[index[leaf]].Value {
			to, v := raw[k*n+first:(k+1)*n], float64(v*shrink)
			for _, r := range rows {
				to[r] += v
			}
		}
	})
}

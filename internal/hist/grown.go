package hist

import (
	"math"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/bins"
	"github.com/coppice-ml/coppice/tree"
)

// Leaf is one leaf of a grown tree.
type Leaf struct {
	Node int32 // its number in the tree
	// the rows of the matrix that it was grown on, ascending; valid until the grower's next tree
	Rows []int32
	G, H float64 // sums of their gradients and hessians
	// the Newton step -G/(H+L2), with the penalties and limits of the Config. May be changed before
	// Tree and Add
	Value float64

	// Lower and Upper are limits of Value that keep Config.Monotone; infinite where there are none.
	Lower, Upper float64

	// Constant and Terms are the equation that Grown.FitLinear gives to rows without gaps; no
	// terms: Value is all there is.
	Constant float64
	Terms    []tree.Term
}

// Grown is a tree that has just been grown, whose leaves may still be given other values.
type Grown struct {
	Leaves []Leaf // in the order of their nodes, once Grow has returned

	r     *Grower
	nodes []*open     // by number
	split []*open     // those that were split, in that order, which numbers their children
	frame *data.Frame // of FitLinear; nil before it
	rows  []int32     // of the tree, as they were given; nil = all of the matrix
}

func newGrown(r *Grower, root *open, rows []int32) *Grown {
	return &Grown{r: r, nodes: []*open{root}, rows: rows}
}

// commit numbers the children of a leaf that is split.
func (t *Grown) commit(l *open) {
	l.first.node, l.last.node = int32(len(t.nodes)), int32(len(t.nodes)+1)
	t.nodes = append(t.nodes, l.first, l.last)
	t.split = append(t.split, l)
}

// inner reports whether a node was split.
func (t *Grown) inner(l *open) bool { return l.first != nil && l.first.node > 0 }

// finish lists the leaves.
func (t *Grown) finish() {
	u := &t.r.sums
	for n, l := range t.nodes {
		if t.inner(l) {
			continue
		}
		t.r.join(l)
		t.Leaves = append(t.Leaves, Leaf{Node: int32(n), Rows: t.r.order[l.begin:l.end], G: l.sum.g * u.unitG, H: l.sum.h * u.unitH,
			Value: l.value, Lower: l.limits.lower, Upper: l.limits.upper})
	}
}

// Tree returns the tree with all values of leaves times shrink, the learning rate. Its nodes know
// how many rows they were grown on, the sum of their hessians, as Weight, and what their splits
// gain.
func (t *Grown) Tree(shrink float64) (*tree.Tree, error) {
	b := tree.NewBuilder(tree.Scalar, 1, true)
	for _, l := range t.split {
		b.Split(l.node, t.r.describe(&l.split))
	}
	for n, l := range t.nodes {
		b.SetStats(int32(n), l.len(), max(0, l.sum.h*t.r.sums.unitH), 0)
	}
	for _, l := range t.Leaves {
		b.SetValue(l.Node, []float64{l.Value * shrink})
		constant, terms := l.equation(shrink)
		b.SetLinear(l.Node, constant, terms)
	}
	return b.Build()
}

// describe returns a split as trees have it.
func (r *Grower) describe(s *split) tree.Split {
	c := &r.m.Columns[s.column]
	d := tree.Split{Kind: tree.Numeric, Feature: c.Feature, Gain: s.gain, Missing: tree.MissingLast}
	if s.missing {
		d.Missing = tree.MissingFirst
	}
	switch {
	case s.set != nil:
		d.Kind = tree.SetFirst
		d.Set = codes(c, s.set)
	case r.c.Values != nil:
		d.SplitPoint = s.splitPoint
	case s.bin == c.Values-1:
		d.SplitPoint = math.Inf(1)
	default:
		d.SplitPoint = c.SplitPoints[s.bin]
	}
	return d
}

// codes returns the set of the dictionary's codes of some bins.
func codes(c *bins.Column, set []int32) []uint64 {
	var words []uint64
	for _, b := range set {
		code := c.Code[b]
		for int(code>>6) >= len(words) {
			words = append(words, 0)
		}
		words[code>>6] |= 1 << (code & 63)
	}
	return words
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
	value := make([]float64, len(t.nodes))
	for _, l := range t.Leaves {
		value[l.Node] = float64(l.Value * shrink)
	}
	t.reach(to, among, func(leaf int32, rows []int32) {
		v := value[leaf]
		for _, r := range rows {
			raw[r] += v
		}
	})
}

package hist

import (
	"github.com/coppice-ml/coppice/internal/invariant"
	"github.com/coppice-ml/coppice/tree"
)

// grown is a tree that has been grown: nodes without values of leaves that may still change.
type grown struct {
	e     *engine
	nodes []*open // by number
	split []*open // those that were split, in that order, which numbers their children
	rows  []int32 // of the tree, as they were given; nil = all of the matrix
	// those of rows that this rank has, numbered from base on, while the tree grows
	own  []int32
	base int32
	// the leaf of each row of the matrix, of a tree that several ranks have grown; nil before they
	// have joined, and of one rank
	leafOf []int32
}

// commit numbers the children of a leaf that is split.
func (t *grown) commit(l *open) {
	l.first.node, l.last.node = int32(len(t.nodes)), int32(len(t.nodes)+1)
	t.nodes = append(t.nodes, l.first, l.last)
	t.split = append(t.split, l)
}

// inner reports whether a node was split.
func (t *grown) inner(l *open) bool { return l.first != nil && l.first.node > 0 }

// prune removes branches by Regularization.GammaBottom. From the last split to the first, one whose
// children are leaves and that gains less than Gamma becomes a leaf. So a split of little gain
// stays above a branch that stays. The others are numbered again, in the order in which they were
// made.
func (t *grown) prune() {
	c := &t.e.c
	if !c.GammaBottom || c.Policy == Symmetric || c.Gamma == 0 {
		return
	}
	for i := len(t.split) - 1; i >= 0; i-- {
		l := t.split[i]
		if t.inner(l.first) || t.inner(l.last) || l.split.gain >= c.Gamma {
			continue
		}
		t.e.rows.join(l)
		l.first, l.last = nil, nil
	}
	made := t.split
	t.nodes, t.split = t.nodes[:1], nil
	for _, l := range made {
		if l.first != nil {
			t.commit(l)
		}
	}
}

// leaves calls f for every leaf, in the order of their nodes.
func (t *grown) leaves(f func(node int32, l *open)) {
	for n, l := range t.nodes {
		if !t.inner(l) {
			f(int32(n), l)
		}
	}
}

// joinLeaves puts the rows of all leaves in ascending order: some were partitioned to be tried.
func (t *grown) joinLeaves() {
	t.leaves(func(_ int32, l *open) { t.e.rows.join(l) })
	if invariant.On {
		t.checkLeaves()
	}
}

// sums returns the sums of an output in the caller's units.
func (t *grown) sums(l *open, output int) (g, h float64) {
	s, u := l.outputs[output].sum, &t.e.sums[output]
	return float64(s.g * u.unitG), float64(s.h * u.unitH)
}

// builder returns a tree of the splits and of the statistics of nodes: their rows, and the mean
// over the outputs of the sums of their hessians as weight.
func (t *grown) builder(leaf tree.LeafKind) *tree.Builder {
	outputs := len(t.e.sums)
	b := tree.NewBuilder(leaf, outputs, true)
	for _, l := range t.split {
		b.Split(l.node, l.split.describe(t.e.tables.m, t.e.c.Values != nil))
	}
	for n, l := range t.nodes {
		weight := 0.0
		for k := range outputs {
			_, h := t.sums(l, k)
			weight += h
		}
		b.SetStats(int32(n), l.len(), max(0, weight/float64(outputs)), 0)
	}
	return b
}

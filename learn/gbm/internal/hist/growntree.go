package hist

import (
	"slices"

	"github.com/coppice-ml/coppice/internal/invariant"
	"github.com/coppice-ml/coppice/tree"
)

// grown is a tree that has been grown: nodes without values of leaves that may still change.
type grown struct {
	branches
	in      *inputs
	order   *rowOrder
	counter *rowCounter
	memory  *treeMemory
	rows    []int32 // of the tree, as they were given; nil = all of the matrix
	// those of rows that this rank has, numbered from base on, while the tree grows
	own  []int32
	base int32
	// the leaf of each row of the matrix, of a tree that several ranks have grown; nil before they
	// have joined, and of one rank
	leafOf []int32
}

// prune removes branches by Regularization.GammaBottom. From the last split to the first, one whose
// children are leaves and that gains less than Gamma becomes a leaf. So a split of little gain
// stays above a branch that stays. The others are numbered again, in the order in which they were
// made.
func (t *grown) prune() {
	c := &t.in.c
	if !c.GammaBottom || c.Policy == Symmetric || c.Gamma == 0 {
		return
	}
	for i := len(t.split) - 1; i >= 0; i-- {
		l := t.split[i]
		if t.inner(l.first) || t.inner(l.last) || l.split.gain >= c.Gamma {
			continue
		}
		t.order.join(l)
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

// joinLeaves puts the rows of all leaves in ascending order: some were partitioned to be tried.
func (t *grown) joinLeaves() {
	t.leaves(func(_ int32, l *open) { t.order.join(l) })
	if invariant.On {
		t.checkLeaves()
	}
}

// sums returns the sums of an output in the caller's units.
func (t *grown) sums(l *open, output int) (g, h float64) {
	s, u := l.outputs[output].sum, &t.in.sums[output]
	return float64(s.g * u.unitG), float64(s.h * u.unitH)
}

// builder returns a tree of the splits and of the statistics of nodes: their rows, and the mean
// over the outputs of the sums of their hessians as weight.
func (t *grown) builder(leaf tree.LeafKind) *tree.Builder {
	outputs := len(t.in.sums)
	b := tree.NewBuilder(leaf, outputs, true)
	m, words, most := t.in.tables.m, 0, 0
	for _, l := range t.split {
		n := l.split.words(m)
		words, most = words+n, max(most, n)
	}
	b.Reserve(len(t.nodes), words)
	set := make([]uint64, most) // the builder copies it
	for _, l := range t.split {
		b.Split(l.node, l.split.describe(m, t.in.c.Values != nil, set))
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

// checkLeaves checks that the leaves of a tree have all its rows, in ascending order.
func (t *grown) checkLeaves() {
	sum := 0
	t.leaves(func(node int32, l *open) {
		rows := t.order.of(l)
		invariant.Check(slices.IsSorted(rows), "rows of leaf %d do not ascend", node)
		sum += len(rows)
	})
	if !t.in.ranks.several() {
		invariant.Check(sum == len(t.order.rows), "leaves have %d rows of %d", sum, len(t.order.rows))
	}
}

// Package prune owns the pruning of finished trees: each method is an operation that takes a tree and returns a
// smaller one. A pruned tree shares nothing with the tree it came from.
package prune

import (
	"errors"
	"slices"

	"github.com/coppice-ml/coppice/tree"
)

// ErrNoStats is returned for a tree whose training statistics were dropped: without them the cost of a node is
// unknown.
var ErrNoStats = errors.New("the tree carries no training statistics to prune by")

// TrainingError returns the cost of every node if it were a leaf, as a share of the weight of all rows: the weight
// of the misclassified rows for class counts (Breiman et al. 1984, section 3.2), else the sum of squared distances
// from the mean.
func TrainingError(t *tree.Tree) ([]float64, error) {
	if t.Leaf.Kind != tree.Counts {
		return Impurity(t)
	}
	if t.Leaf.Slot != nil {
		return nil, ErrNoStats
	}
	cost := make([]float64, t.Len())
	total := sum(t.Value(0))
	for n := range cost {
		v := t.Value(int32(n))
		cost[n] = (sum(v) - slices.Max(v)) / total
	}
	return cost, nil
}

// Impurity returns the impurity of every node times its share of the weight: the cost that scikit-learn prunes by.
func Impurity(t *tree.Tree) ([]float64, error) {
	if t.Stats == nil {
		return nil, ErrNoStats
	}
	cost := make([]float64, t.Len())
	for n := range cost {
		cost[n] = t.Stats.Impurity[n] * (t.Stats.Weight[n] / t.Stats.Weight[0])
	}
	return cost, nil
}

func sum(v []float64) float64 {
	s := 0.0
	for _, x := range v {
		s += x
	}
	return s
}

// Collapse returns the tree in which the first node with stop[node] on every way down from the root is a leaf.
// Nodes keep their order; their numbers close up:
//
//	before  0 -> 1 2, 1 -> 3 4, 2 -> 5 6      stop = {1}
//	after   0 -> 1 2,           2 -> 3 4
func Collapse(t *tree.Tree, stop []bool) (*tree.Tree, error) {
	if t.Leaf.Slot != nil {
		return nil, errors.New("inner nodes have no values to become leaves with")
	}
	b := tree.NewBuilder(t.Leaf.Kind, t.Leaf.Width, t.Stats != nil)
	type pair struct{ from, to int32 }
	todo := []pair{{0, 0}}
	// Breadth first: children are numbered when their parent is reached, so the order of siblings groups is that of
	// their parents and children stay contiguous.
	for i := 0; i < len(todo); i++ {
		n, m := todo[i].from, todo[i].to
		b.SetValue(m, t.Value(n))
		if s := t.Stats; s != nil {
			b.SetStats(m, int(s.Rows[n]), s.Weight[n], s.Impurity[n])
		}
		if t.Share != nil {
			b.SetShare(m, t.Share[n])
		}
		if t.Kind[n] == tree.Leaf || stop[n] {
			continue
		}
		first := b.Split(m, t.SplitOf(n))
		for c := range t.Arity[n] {
			todo = append(todo, pair{t.Child[n] + c, first + c})
		}
	}
	return b.Build()
}

// Package prune owns the pruning of finished trees: each method is an operation that takes a tree
// and returns a smaller one. A pruned tree has nothing in common with the tree it came from. Nodes
// are compared by their plain values; those that have equations (tree.Linear) keep them.
//
//	NewPath, MaxLeaves       minimal cost-complexity pruning (Breiman et al. 1984)
//	ReducedError             reduced-error pruning by a validation set (Quinlan 1987)
//	Pessimistic[Raise]       error-based pruning of C4.5, without and with subtree raising (Quinlan 1993)
//	Pessimistic1987          pessimistic-error pruning (Quinlan 1987)
//	MinimumError             minimum-error pruning (Niblett & Bratko 1986, Cestnik & Bratko 1991)
//	CollapseUseless          splits without fewer training errors, which C4.5 drops before it prunes
package prune

import (
	"errors"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/tree"
)

// ErrNoStats is returned for a tree whose training statistics were dropped: without them the cost
// of a node is unknown.
var ErrNoStats = errors.New("the tree carries no training statistics to prune by")

// ErrNotClasses is returned by the methods that estimate errors from class counts, for a tree that
// has none.
var ErrNotClasses = errors.New("the tree does not predict classes, which this pruning method needs")

// rounding is the difference, as a fraction of the root's cost, up to which two costs are the same:
// fractions of rows do not sum to whole ones exactly.
const rounding = 1e-12

// TrainingError returns the cost of every node if it were a leaf, as a fraction of the weight of
// all rows: the weight of the misclassified rows for class counts (Breiman et al. 1984, section
// 3.2), else the sum of squared distances from the mean.
func TrainingError(t *tree.Tree) ([]float64, error) {
	if t.Leaf.Kind != tree.Counts {
		return Impurity(t)
	}
	counts, err := classes(t)
	if err != nil {
		return nil, err
	}
	cost, total := make([]float64, t.Len()), sum(counts[0])
	for n, c := range counts {
		cost[n] = wrong(c) / total
	}
	return cost, nil
}

// ExpectedCost is TrainingError where wrong labels have costs: the cost of the label that each node
// would have as a leaf, which is the one that costs least there (Breiman et al. 1984, section 4.4),
// per unit of weight of all rows. It is for class counts only.
func ExpectedCost(t *tree.Tree, costs data.Costs) ([]float64, error) {
	counts, err := classes(t)
	if err != nil {
		return nil, err
	}
	cost, total := make([]float64, t.Len()), sum(counts[0])
	for n, c := range counts {
		cost[n] = costs.Expected(c, costs.Label(c)) / total
	}
	return cost, nil
}

// Impurity returns the impurity of every node times its fraction of the weight: the cost that
// scikit-learn prunes by. It is ErrNoStats for trees whose statistics are gains alone, as those of
// gradient boosting and of forests.
func Impurity(t *tree.Tree) ([]float64, error) {
	if t.Stats == nil || len(t.Stats.Impurity) < t.Len() || t.Stats.Impurity[0] == 0 &&
		t.Stats.Gain[0] > 0 {
		return nil, ErrNoStats
	}
	cost := make([]float64, t.Len())
	for n := range cost {
		cost[n] = t.Stats.Impurity[n] * (t.Stats.Weight[n] / t.Stats.Weight[0])
	}
	return cost, nil
}

// classes returns the weight of each class at each node. A node that no training row reached has
// only zeros, whatever value it predicts with.
func classes(t *tree.Tree) ([][]float64, error) {
	switch {
	case t.Leaf.Kind != tree.Counts:
		return nil, ErrNotClasses
	case !t.Leaf.InnerValues():
		return nil, ErrNoStats
	}
	counts := make([][]float64, t.Len())
	none := make([]float64, t.Leaf.Width)
	for n := range counts {
		counts[n] = t.Value(int32(n))
		if s := t.Stats; s != nil && s.Weight[n] == 0 || s == nil && n > 0 && t.Fraction != nil &&
			t.Fraction[n] == 0 {
			counts[n] = none
		}
	}
	return counts, nil
}

// wrong returns the weight of the rows that are not of the class of greatest weight.
func wrong(counts []float64) float64 { return sum(counts) - slices.Max(counts) }

// stopping returns the weight of each class among the rows that end at an inner node, nil where
// none can: what a MissingStop node has more than its children.
func stopping(t *tree.Tree, counts [][]float64, n int32) []float64 {
	if t.Kind(n) == tree.Leaf || t.Missing(n) != tree.MissingStop {
		return nil
	}
	rest := slices.Clone(counts[n])
	for c := t.Child(n); c < t.Child(n)+t.Arity(n); c++ {
		for k, w := range counts[c] {
			rest[k] = max(0, rest[k]-w)
		}
	}
	return rest
}

// bottomUp decides, children before parents, which nodes become leaves: those that cost no more
// than what is left below them, plus slack. leaf[n] is the cost of node n as a leaf. ended[n] is
// the amount of it that is caused by rows which end at inner node n; nil if none do.
func bottomUp(t *tree.Tree, leaf, ended []float64, slack float64) []bool {
	stop := make([]bool, t.Len())
	below := make([]float64, t.Len())
	for n := int32(t.Len()) - 1; n >= 0; n-- {
		if t.Kind(n) == tree.Leaf {
			below[n] = leaf[n]
			continue
		}
		if ended != nil {
			below[n] = ended[n]
		}
		for c := t.Child(n); c < t.Child(n)+t.Arity(n); c++ {
			below[n] += below[c]
		}
		if leaf[n] <= below[n]+slack {
			stop[n], below[n] = true, leaf[n]
		}
	}
	return stop
}

func sum(v []float64) float64 {
	s := 0.0
	for _, x := range v {
		s += x
	}
	return s
}

// Collapse returns the tree in which the first node with stop[node] on every way down from the root
// is a leaf. Nodes keep their order; their numbers close up:
//
//	before  0 -> 1 2, 1 -> 3 4, 2 -> 5 6      stop = {1}
//	after   0 -> 1 2,           2 -> 3 4
func Collapse(t *tree.Tree, stop []bool) (*tree.Tree, error) {
	if !t.Leaf.InnerValues() {
		return nil, errors.New("inner nodes have no values to become leaves with")
	}
	b := tree.NewBuilder(t.Leaf.Kind, t.Leaf.Width, t.Stats != nil)
	type pair struct{ from, to int32 }
	pairs := []pair{{0, 0}}
	// Breadth first: children are numbered when their parent is reached, so the order of siblings
	// groups is that of their parents and children stay contiguous.
	for i := 0; i < len(pairs); i++ {
		n, m := pairs[i].from, pairs[i].to
		b.CopyValue(m, t, n)
		if s := t.Stats; s != nil {
			b.SetStats(m, int(s.Rows[n]), s.Weight[n], s.Impurity[n])
		}
		if t.Fraction != nil {
			b.SetFraction(m, t.Fraction[n])
		}
		if t.Kind(n) == tree.Leaf || stop[n] {
			continue
		}
		first := b.Split(m, t.SplitOf(n))
		for c := range t.Arity(n) {
			pairs = append(pairs, pair{t.Child(n) + c, first + c})
		}
	}
	return b.Build()
}

package prune

import "github.com/coppice-ml/coppice/tree"

// ReducedError prunes by a validation set (Quinlan 1987): from the bottom up, a node becomes a leaf if that costs no
// more on the validation rows than what is below it. cost[n] is the total cost of predicting with node n's value the
// validation rows that reach it, 0 where none do; so a subtree that no validation row reaches goes.
func ReducedError(t *tree.Tree, cost []float64) (*tree.Tree, error) {
	stop := make([]bool, t.Len())
	below := make([]float64, t.Len())
	for n := t.Len() - 1; n >= 0; n-- {
		if t.Kind[n] == tree.Leaf {
			below[n] = cost[n]
			continue
		}
		for c := t.Child[n]; c < t.Child[n]+t.Arity[n]; c++ {
			below[n] += below[c]
		}
		if cost[n] <= below[n] {
			stop[n], below[n] = true, cost[n]
		}
	}
	return Collapse(t, stop)
}

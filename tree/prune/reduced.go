package prune

import (
	"github.com/coppice-ml/coppice/tree"
)

// ReducedError prunes by a validation set (Quinlan 1987): from the bottom up, a node becomes a leaf if that costs no
// more on the validation rows than what is below it. cost[n] is the total cost of predicting with node n's value the
// validation rows that reach it, or parts of them, 0 where none do; so a subtree that no validation row reaches goes.
// ended[n] is the part of cost[n] that rows cause which end at inner node n (see tree.MissingStop) and never see what is
// below it; nil if none do. Entries of leaves are not looked at.
func ReducedError(t *tree.Tree, cost, ended []float64) (*tree.Tree, error) {
	return Collapse(t, bottomUp(t, cost, ended, float64(rounding*cost[0])))
}

package prune

import (
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/tree"
)

// ReducedError prunes by a validation set (Quinlan 1987): from the bottom up, a node becomes a leaf
// if that costs no more on the validation rows than what is below it. cost[n] is the total cost of
// predicting node n's value for the validation rows, or fractions of rows, that reach it. It is 0
// where none do, so a subtree that no validation row reaches goes. ended[n] is how much of cost[n]
// is caused by rows that end at inner node n (see tree.MissingStop) and do not reach what is below
// it; nil if none do. Entries of leaves are ignored.
func ReducedError(t *tree.Tree, cost, ended []float64) (*tree.Tree, error) {
	return Collapse(t, bottomUp(t, cost, ended, float64(rounding*cost[0])))
}

// ValidationCost returns what ReducedError needs. For every node it is the cost of its value over
// the validation rows, or fractions of rows, that reach it. A second number is the part of it by
// rows that end there although the node is inner. weight gives a row's weight, loss the cost of
// predicting a value for it.
func ValidationCost(
	t *tree.Tree, columns []data.Column, rows []int32, weight func(row int32) float64,
	loss func(value []float64, row int32) float64,
) (cost, ended []float64) {
	cost, ended = make([]float64, t.Len()), make([]float64, t.Len())
	walk := t.Over(columns)
	for _, row := range rows {
		w := weight(row)
		walk.Visit(row, func(n int32, fraction float64, end bool) {
			c := float64(float64(w*fraction) * loss(t.Value(n), row))
			cost[n] += c
			if end {
				ended[n] += c
			}
		})
	}
	return cost, ended
}

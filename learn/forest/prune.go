package forest

import (
	"github.com/coppice-ml/coppice/tree"
	"github.com/coppice-ml/coppice/tree/prune"
)

// pruning prunes trees by the rows out of their bags (reduced-error pruning, Quinlan 1987). For
// classes it minimises the costs of wrong labels, for numbers the criterion's own loss.
type pruning struct{ *setup }

func (p pruning) apply(t *tree.Tree, b *bag) (*tree.Tree, error) {
	var out []int32 // frame rows
	for i, n := range b.count {
		if n == 0 {
			out = append(out, p.pop.Rows[i])
		}
	}
	if len(out) == 0 {
		return t, nil
	}
	cost, ended := prune.ValidationCost(t, p.frame.Columns, out, p.rowWeight, p.loss)
	return prune.ReducedError(t, cost, ended)
}

// loss is the cost of predicting a frame row by a node's value.
func (p pruning) loss(value []float64, row int32) float64 {
	if p.pop.Class != nil {
		return p.costs.Of(int(p.target.Class[row]), p.costs.Label(value))
	}
	return p.config.Criterion.Deviance.Loss(p.target.Y[0][row], value[0])
}

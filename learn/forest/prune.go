package forest

import (
	"github.com/coppice-ml/coppice/tree"
	"github.com/coppice-ml/coppice/tree/prune"
)

// prune cuts a tree back by the rows out of its bag (reduced-error pruning, Quinlan 1987). The
// costs of wrong labels count, and of numbers the criterion's own loss.
func (j *job) prune(t *tree.Tree, count []uint32) (*tree.Tree, error) {
	var out []int32 // frame rows
	for i, n := range count {
		if n == 0 {
			out = append(out, j.pop.Rows[i])
		}
	}
	if len(out) == 0 {
		return t, nil
	}
	cost, ended := prune.ValidationCost(t, j.frame.Columns, out, j.rowWeight, j.loss)
	return prune.ReducedError(t, cost, ended)
}

// loss is what predicting a frame row with a node's value costs.
func (j *job) loss(value []float64, row int32) float64 {
	if j.pop.Class != nil {
		return j.costs.Of(int(j.target.Class[row]), j.costs.Label(value))
	}
	return j.config.Criterion.Deviance.Loss(j.target.Y[0][row], value[0])
}

package loss

import (
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/loss/link"
)

// oneVsAllLoss is a log loss of two classes for each class against all others, an output for each.
// Start values are the log odds of the class frequencies, at most 36 away from 0. The link divides
// the probabilities by their sum.
type oneVsAllLoss struct{ fixed }

// Bind takes labels of classes.
func (l *oneVsAllLoss) Bind(t *data.Target, rows []int32) (Objective, error) {
	c, err := gather(l, t, rows)
	if err != nil {
		return nil, err
	}
	if t.Class == nil || len(t.Classes) == 0 {
		return nil, &LabelError{-1, "loss=one_vs_all needs labels of classes"}
	}
	var y [][]float64
	for k := range t.Classes {
		y = append(y, c.indicators(t, uint32(k)))
	}
	return newRowwise(c, logistic{}, y, link.OneVsAll()), nil
}

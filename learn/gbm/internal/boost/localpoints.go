package boost

import (
	"context"

	"github.com/coppice-ml/coppice/learn/gbm/internal/hist"
	"github.com/coppice-ml/coppice/learn/gbm/internal/table"
)

// localPoints proposes split points anew for each tree: the columns are put in bins by a sketch of
// rows that weigh their second derivatives (Chen and Guestrin 2016, section 3.3). It has a grower
// for each tree, since bins are what a grower is made for.
type localPoints struct {
	setup       *setup
	table       *table.Table
	derivatives *storedDerivatives
}

// newLocalPoints returns nil where split points are those of the table.
func newLocalPoints(s *setup, t *table.Table, d derivatives) *localPoints {
	if stored, ok := d.(*storedDerivatives); ok && s.Config.LocalPoints {
		return &localPoints{s, t, stored}
	}
	return nil
}

// grower returns the grower of a tree of an output.
func (l *localPoints) grower(ctx context.Context, output int) (*hist.Grower, error) {
	train := l.derivatives.train
	n := len(train.Rows)
	h := l.derivatives.h[output*n : (output+1)*n]
	weight := make([]float64, l.table.Frame.Rows())
	for i, row := range train.Rows {
		weight[row] = max(0, h[i])
	}
	m, err := l.setup.Config.Rebin(ctx, l.table, weight, l.setup.Group, l.setup.Job.Workers)
	if err != nil {
		return nil, err
	}
	return hist.NewGrower(m, l.setup.engine(l.table, 0, m)), nil
}

package boost

import (
	"context"

	"github.com/coppice-ml/coppice/learn/gbm/internal/hist"
	"github.com/coppice-ml/coppice/learn/gbm/internal/table"
)

// localPoints proposes split points anew for each tree: the columns are put in bins by a sketch of
// rows that weigh their second derivatives (Chen and Guestrin 2016, section 3.3). It has a grower
// for each tree, since bins are what a grower is made for. A table in blocks is read for each tree.
type localPoints struct {
	setup       *setup
	table       *table.Table
	scores      *scores
	derivatives *storedDerivatives
	weight      []float64 // by row of the frame
}

// newLocalPoints returns nil where split points are those of the table.
func newLocalPoints(s *setup, t *table.Table, sc *scores, d derivatives) *localPoints {
	if stored, ok := d.(*storedDerivatives); ok && s.Config.LocalPoints {
		return &localPoints{s, t, sc, stored, make([]float64, t.Frame.Rows())}
	}
	return nil
}

// grower returns the grower of a tree of an output, which is to be added to the scores before the
// next call.
func (l *localPoints) grower(ctx context.Context, output int) (*hist.Grower, error) {
	train := l.derivatives.train
	n := len(train.Rows)
	h := l.derivatives.h[output*n : (output+1)*n]
	for i, row := range train.Rows {
		l.weight[row] = max(0, h[i])
	}
	m, others, err := l.table.Rebin(ctx, &l.setup.Request, l.weight)
	if err != nil {
		return nil, err
	}
	switch valid := l.scores.follow.(type) { // of a table in blocks
	case *validInBins:
		valid.matrix = others
	case *validOfRanks:
		valid.matrix = others
	}
	return hist.NewGrower(m, l.setup.engine(l.table, 0, m)), nil
}

package cart

import (
	"context"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/grow/exact"
)

// Candidates returns the splits that the learner tries at a node which the given rows reach (nil = all rows), with its
// criterion, min_leaf and class_weight; the limits on the tree do not count.
func (l *Learner) Candidates(ctx context.Context, ds *data.Dataset, rows []int32) (*exact.Candidates, error) {
	if err := l.Params().Validate(); err != nil {
		return nil, err
	}
	cfg, err := l.config(&ds.Target, 1)
	if err != nil {
		return nil, err
	}
	p, err := exact.Prepare(ctx, ds.Frame, data.Distinct(rows), 1)
	if err != nil {
		return nil, err
	}
	if rows == nil {
		rows = p.Rows()
	}
	pop, _, err := l.population(&ds.Target, rows)
	if err != nil {
		return nil, err
	}
	return p.Candidates(ctx, pop, cfg)
}

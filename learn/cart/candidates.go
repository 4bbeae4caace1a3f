package cart

import (
	"context"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/grow"
	"github.com/coppice-ml/coppice/internal/exact"
	"github.com/coppice-ml/coppice/internal/exact/presorted"
	"github.com/coppice-ml/coppice/internal/exact/weighted"
	"github.com/coppice-ml/coppice/tree"
)

// Candidates returns the splits that the learner tries at a node which the given rows reach, nil
// for the root. All parameters apply by which splits are compared, such as criterion, min_leaf and
// missing; class weights follow from all rows of the dataset, as in Fit. The limits on the tree do
// not count.
func (l *Learner) Candidates(ctx context.Context, ds *data.Dataset,
	rows []int32) (*tree.Candidates, error) {
	if err := l.Params().Validate(); err != nil {
		return nil, err
	}
	options, err := l.options(&ds.Target, 1)
	if err != nil {
		return nil, err
	}
	all := data.AllRows(ds.Rows())
	if rows == nil {
		rows = all
	}
	_, classes, err := l.population(&ds.Target, all)
	if err != nil {
		return nil, err
	}
	pop, err := grow.Gather(&ds.Target, rows)
	if err != nil {
		return nil, err
	}
	for _, factors := range [][]float64{classes.factors, classes.prior, classes.dear} {
		pop.Scale(factors)
	}
	if l.missingRule().fractional {
		p, err := weighted.Prepare(ctx, ds.Frame, data.Distinct(rows), 1)
		if err != nil {
			return nil, err
		}
		return p.Candidates(ctx, pop, weighted.Config{Options: options, Chi2: l.Chi2})
	}
	p, err := presorted.Prepare(ctx, ds.Frame, data.Distinct(rows), 1)
	if err != nil {
		return nil, err
	}
	cfg := l.columnConfig(exact.Directions{})
	cfg.Options = options
	return p.Candidates(ctx, pop, cfg)
}

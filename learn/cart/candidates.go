package cart

import (
	"context"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/internal/exact"
	"github.com/coppice-ml/coppice/learn/internal/exact/presorted"
	"github.com/coppice-ml/coppice/learn/internal/exact/weighted"
	"github.com/coppice-ml/coppice/learn/internal/grow"
	"github.com/coppice-ml/coppice/learn/internal/trees"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tree"
)

// Candidates implements learn.SplitLister. All parameters apply by which splits are compared, such
// as criterion, min_leaf and missing; class weights follow from all rows of the training. The
// limits on the tree do not count, and columns are not sampled.
func (l *Learner) Candidates(ctx context.Context, m *model.Ensemble, ds *data.Dataset,
	at learn.TreeNode) (*tree.Candidates, error) {
	if err := l.Params().Validate(); err != nil {
		return nil, err
	}
	options, err := l.options(&ds.Target, 1)
	if err != nil {
		return nil, err
	}
	trained := at.Rows
	if trained == nil {
		trained = data.AllRows(ds.Rows())
	}
	_, classes, err := l.population(&ds.Target, trained)
	if err != nil {
		return nil, err
	}
	t := m.Trees[at.Tree]
	pop, err := trees.Reaching(t, ds, at.Node, trained)
	if err != nil {
		return nil, err
	}
	for _, factors := range [][]float64{classes.factors, classes.prior, classes.dear} {
		pop.Scale(factors)
	}
	c, err := l.tried(ctx, ds.Frame, pop, options)
	if err != nil {
		return nil, err
	}
	c.ByRatio = options.Criterion.Name == "gain_ratio"
	if l.Mtry > 0 && l.Mtry < len(ds.Columns) {
		c.Notes = append(c.Notes, trees.SampledColumns)
	}
	judge := trees.Judge{Frame: ds.Frame, Rows: pop, Criterion: options.Criterion,
		KnownOnly: l.Missing != MissingLearned, Chi2: l.Chi2}
	judge.Describe(c, t, at.Node)
	return c, nil
}

// tried returns the splits that the engine tries on a population.
func (l *Learner) tried(ctx context.Context, f *data.Frame, pop *grow.Population,
	options exact.Options) (*tree.Candidates, error) {
	if l.missingRule().fractional {
		p, err := weighted.Prepare(ctx, f, pop.Rows, 1)
		if err != nil {
			return nil, err
		}
		return p.Candidates(ctx, pop, weighted.Config{Options: options, Chi2: l.Chi2})
	}
	p, err := presorted.Prepare(ctx, f, pop.Rows, 1)
	if err != nil {
		return nil, err
	}
	cfg := l.columnConfig(exact.Directions{})
	cfg.Options = options
	return p.Candidates(ctx, pop, cfg)
}

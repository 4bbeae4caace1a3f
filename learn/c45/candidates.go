package c45

import (
	"context"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/criterion"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/internal/exact/weighted"
	"github.com/coppice-ml/coppice/learn/internal/trees"
	"github.com/coppice-ml/coppice/learn/internal/weighting"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tree"
)

// Candidates lists the splits that are tried at a node of a tree of C4.5 or ID3, which cfg
// describes: see learn.SplitLister.
func candidatesOf(ctx context.Context, m *model.Ensemble, ds *data.Dataset, at learn.TreeNode,
	classWeight data.ClassWeight, cfg weighted.C45) (*tree.Candidates, error) {
	trained := at.Rows
	if trained == nil {
		trained = data.AllRows(ds.Rows())
	}
	all, factors, err := weighting.Gather(&ds.Target, trained, classWeight)
	if err != nil {
		return nil, err
	}
	t := m.Trees[at.Tree]
	pop, err := trees.Reaching(t, ds, at.Node, trained)
	if err != nil {
		return nil, err
	}
	pop.Scale(factors)
	p, err := weighted.Prepare(ctx, ds.Frame, all.Rows, 1)
	if err != nil {
		return nil, err
	}
	c, err := p.CandidatesC45(ctx, all, pop, cfg)
	if err != nil {
		return nil, err
	}
	entropy, _ := criterion.ByName("entropy")
	judge := trees.Judge{Frame: ds.Frame, Rows: pop, Criterion: entropy,
		KnownOnly: true, Chi2: cfg.Chi2}
	judge.Describe(c, t, at.Node)
	return c, nil
}

package forest

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tree"
)

// Fit grows a forest. If the context is cancelled, or the observer returns an error, it returns the trees so far too, those
// that all trees before them are there for; nil if there are none.
func (f *fitter) Fit(ctx context.Context, t *data.Target, given learn.Job) (model.Model, error) {
	j, err := f.begin(t, given)
	if err != nil {
		return nil, err
	}
	var trees []*tree.Tree
	var reports []Report
	err = j.grow(ctx, func(g *grown) {
		j.record(g)
		g.report.Out, g.report.Leaf = nil, nil
		trees, reports = append(trees, g.tree), append(reports, g.report)
	})
	settled := errors.Is(err, errSettled)
	if settled {
		err = nil
	}
	if len(trees) == 0 {
		return nil, err
	}
	m, failed := j.model(trees, reports, settled)
	if failed != nil {
		return nil, failed
	}
	if err == nil {
		err = j.tellOutOfBag()
	}
	return m, err
}

func (j *job) model(trees []*tree.Tree, reports []Report, settled bool) (model.Model, error) {
	params, err := json.Marshal(j.learner.Params())
	if err != nil {
		return nil, err
	}
	found, err := json.Marshal(j.summary(trees, reports, settled))
	if err != nil {
		return nil, err
	}
	m := &model.Ensemble{Trees: trees, Combine: model.Mean, Meta: model.Spec{Schema: j.frame.Schema, Label: j.target.Name,
		Task: j.target.Task, Classes: j.target.Classes, Learner: j.learner.name, Params: params, Summary: found,
		Decision: model.Decision{Costs: j.costs}}}
	return m, m.Validate()
}

// rows returns the number of training rows with multiplicity.
func (j *job) rows() int {
	n := 0
	for i := range j.pop.Rows {
		n += j.pop.Multiplicity(i)
	}
	return n
}

package forest

import (
	"context"
	"errors"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/model"
)

// Fit grows a forest. If the context is cancelled, or the observer returns an error, it returns the
// trees so far too, those that all trees before them are there for; nil if there are none.
func (f *fitter) Fit(ctx context.Context, t *data.Target, given learn.Job) (model.Model, error) {
	j, err := f.begin(t, given)
	if err != nil {
		return nil, err
	}
	err = j.grow(ctx)
	j.series.empty()
	j.counts.empty()
	j.accumulators.scratches.empty()
	settled := errors.Is(err, errSettled)
	if err = learn.UnlessStop(err); settled {
		err = nil
	}
	if len(j.accumulators.trees) == 0 {
		return nil, err
	}
	m, failed := j.model(settled)
	if failed != nil {
		return nil, failed
	}
	if err == nil {
		err = j.reportOutOfBag()
	}
	return m, err
}

func (j *job) model(settled bool) (model.Model, error) {
	m := &model.Ensemble{Trees: j.accumulators.trees, Combine: model.Mean, Meta: model.NewSpec(j.learner.name, j.frame.Schema, j.target)}
	m.Meta.Decision.Costs = j.costs
	if j.learner.Shard != "" {
		m.State = j.state()
	}
	j.keepTargets(m)
	return m, j.accumulators.describe(m, settled)
}

// describe gives a model of the trees its parameters and its summary, and checks it.
func (b *accumulators) describe(m *model.Ensemble, settled bool) error {
	if err := learn.Describe(&m.Meta, b.learner.Params(), b.summary(settled)); err != nil {
		return err
	}
	return m.Validate()
}

package forest

import (
	"context"
	"encoding/json"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tree"
)

// Summary is what training found; it is kept as JSON in the model's Spec.
type Summary struct {
	Rows      int    `json:"rows"` // training rows, with multiplicity
	Criterion string `json:"criterion"`
	Trees     int    `json:"trees"`
	Leaves    int    `json:"leaves"` // of all trees
	Depth     int    `json:"depth"`  // of the deepest tree
}

// Fit grows a forest. If the context is cancelled, or the observer returns an error, it returns the trees so far too, those
// that all trees before them are there for; nil if there are none.
func (f *fitter) Fit(ctx context.Context, t *data.Target, given learn.Job) (model.Model, error) {
	j, err := f.begin(t, given)
	if err != nil {
		return nil, err
	}
	trees, err := j.grow(ctx)
	if len(trees) == 0 {
		return nil, err
	}
	m, failed := j.model(trees)
	if failed != nil {
		return nil, failed
	}
	return m, err
}

func (j *job) model(trees []*tree.Tree) (model.Model, error) {
	params, err := json.Marshal(j.learner.Params())
	if err != nil {
		return nil, err
	}
	found, err := json.Marshal(j.summary(trees))
	if err != nil {
		return nil, err
	}
	m := &model.Ensemble{Trees: trees, Combine: model.Mean, Meta: model.Spec{Schema: j.frame.Schema, Label: j.target.Name,
		Task: j.target.Task, Classes: j.target.Classes, Learner: j.learner.name, Params: params, Summary: found,
		Decision: model.Decision{Costs: j.costs}}}
	return m, m.Validate()
}

func (j *job) summary(trees []*tree.Tree) *Summary {
	s := &Summary{Rows: j.rows(), Criterion: j.config.Criterion.Name, Trees: len(trees)}
	for _, t := range trees {
		s.Leaves += t.NumLeaves()
		s.Depth = max(s.Depth, t.Depth())
	}
	return s
}

// rows returns the number of training rows with multiplicity.
func (j *job) rows() int {
	if j.pop.Count == nil {
		return len(j.pop.Rows)
	}
	n := 0
	for _, c := range j.pop.Count {
		n += int(c)
	}
	return n
}

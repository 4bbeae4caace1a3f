//go:build linux

package main

import (
	"context"
	"fmt"

	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/catalog"
	"github.com/coppice-ml/coppice/model"
)

// ours returns the predictions of a learner of the catalog for the test rows of all rounds. look,
// if not nil, is shown the models.
func (b *bench) ours(
	ctx context.Context, o own, p *problem, trees int, look func(m model.Model) error,
) ([]float64, error) {
	var all []float64
	for i, r := range p.rounds {
		l, err := o.new(p, trees)
		if err == nil {
			err = l.Params().Set(b.set)
		}
		if err != nil {
			return nil, err
		}
		train, test := r.rows(forTraining), r.rows(forTest)
		m, err := fit(ctx, l, p, learn.Job{Rows: train, Seed: b.seed + uint64(i),
			Workers: b.threads, Observe: b.observe})
		if err != nil {
			return nil, err
		}
		if look != nil {
			if err := look(m); err != nil {
				return nil, err
			}
		}
		predictor, err := m.Bind(&p.Schema, model.Options{Workers: b.threads})
		if err != nil {
			return nil, err
		}
		dst := make([]float64, len(test)*p.width())
		if err := predictor.Predict(dst, p.Frame, test); err != nil {
			return nil, err
		}
		all = append(all, dst...)
	}
	return all, nil
}

// new makes the learner for a table.
func (o *own) new(p *problem, trees int) (learn.Learner, error) {
	l, err := catalog.New(o.learner)
	if err != nil {
		return nil, err
	}
	if o.defaults() {
		return l, l.Params().Set(o.set)
	}
	task := p.Target.Task
	set := []string{fmt.Sprint("trees=", trees), fmt.Sprint("mtry=", mtry(len(p.Columns), task)),
		fmt.Sprint("node_size=", o.node(task))}
	return l, l.Params().Set(append(set, o.set...))
}

// fit prepares the training rows alone and fits.
func fit(ctx context.Context, l learn.Learner, p *problem, j learn.Job) (model.Model, error) {
	f, err := l.Prepare(ctx, p.Frame, j.Rows, p.Target.Weight, catalog.Env(j.Workers))
	if err != nil {
		return nil, err
	}
	return f.Fit(ctx, &p.Target, j)
}

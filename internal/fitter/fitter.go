// Package fitter owns the learn.Fitter of learners whose training is one function of their
// parameters and of the table that Prepare made.
package fitter

import (
	"context"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/model"
)

// Fit trains a learner with parameters L on a prepared table T: see learn.Fitter. It must not
// change the parameters or the table, because concurrent calls use both.
type Fit[L, T any] func(l *L, ctx context.Context, table *T, t *data.Target,
	job learn.Job) (model.Model, error)

// New returns a Fitter that calls fit with a copy of the parameters. The caller may change the
// learner afterwards.
func New[L, T any](l *L, table T, fit Fit[L, T]) learn.Fitter {
	return &fitter[L, T]{*l, table, fit}
}

type fitter[L, T any] struct {
	learner L
	table   T
	fit     Fit[L, T]
}

// Fit implements learn.Fitter.
func (f *fitter[L, T]) Fit(
	ctx context.Context, t *data.Target, job learn.Job,
) (model.Model, error) {
	return f.fit(&f.learner, ctx, &f.table, t, job)
}

// Package fitting owns what learners of every kind need to fit. NewFitter makes a learn.Fitter of
// one function, and VectorTable turns rows into numeric vectors. OutOfFold predicts each row by a
// model of the other folds. CheckLabelSizes and CheckWeightSizes refuse what would overflow when it
// is added up. Describe and Model end a Fit.
package fitting

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

// NewFitter returns a Fitter that calls fit with a copy of the parameters. The caller may change
// the learner afterwards.
func NewFitter[L, T any](l *L, table T, fit Fit[L, T]) learn.Fitter {
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

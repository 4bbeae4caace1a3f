// Package fitting owns what learners of every kind need to fit. Frame begins a
// Prepare, NewFitter makes a learn.Fitter of one function, and VectorTable turns rows into numeric
// vectors. OutOfFold predicts each row by a
// model of the other folds. CheckLabelSizes and CheckWeightSizes refuse what would overflow when it
// is added up. Describe and Model end a Fit.
package fitting

import (
	"context"
	"errors"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/param"
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

// Parameterised is a learner of a type L, which has parameters.
type Parameterised[L any] interface {
	*L
	Params() param.Set
}

// Prepared is Prepare of a learner whose table is made by a function of what Frame returns, and
// fitted by another.
func Prepared[L, T any, P Parameterised[L]](
	l P, features data.Features, rows []int32,
	prepare func(f *data.Frame, rows []int32) (T, error), fit Fit[L, T],
) (learn.Fitter, error) {
	f, rows, err := Frame(l.Params(), features, rows)
	if err != nil {
		return nil, err
	}
	table, err := prepare(f, rows)
	if err != nil {
		return nil, err
	}
	return NewFitter(l, table, fit), nil
}

// Frame validates a learner's parameters, and returns the features in memory and the rows to train
// on, ascending and distinct; nil rows, which are all, stay nil. Errors: those of the parameters
// and further faults, of a table that memory does not hold, and of rows that it does not have.
func Frame(
	params param.Set, features data.Features, rows []int32, faults ...error,
) (*data.Frame, []int32, error) {
	if err := errors.Join(append([]error{params.Validate()}, faults...)...); err != nil {
		return nil, nil, err
	}
	f, err := features.InMemory()
	if err != nil {
		return nil, nil, err
	}
	return f, data.Distinct(rows), f.CheckRows(rows)
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

// Package gbm owns the learner gbm: gradient boosting (Friedman 2001) of trees that the histogram
// engine grows by the second-order gain of Chen & Guestrin (2016).
//
//	raw = start of the loss, or the user's start scores
//	for each round:
//	    g, h = derivatives of the loss at raw                 loss
//	    rows = drawn                                          sample
//	    for each output:  tree of -g/h on the rows            internal/hist
//	                      leaves refitted where steps are not Newton's
//	                      raw += learning rate x tree
//	    measure the validation rows; enough rounds without gain end the training
//
// The model is the sum of the trees up to the best round. What is drawn in a round depends on the
// seed and on the round alone, so that training can go on from any round to the same bytes.
package gbm

import (
	"context"
	"errors"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/bins"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/param"
)

// Name is the learner's name in the catalog.
const Name = "gbm"

// New returns the learner with default parameters.
func New() *Learner { return learn.WithDefaults(&Learner{made: true}) }

// Params declares the parameters.
func (l *Learner) Params() param.Set {
	return slices.Concat(l.roundParams(), l.treeParams(), l.columnParams(), l.categoryParams(), l.rowParams(), l.compatParams())
}

// Capabilities implements learn.Learner. Of a validation set early stopping chooses the number of
// rounds; without it the set is evaluated after each round, and no more. For each row and class
// there are raw scores twice, two derivatives, and predictions of the folds that choose the rounds.
func (l *Learner) Capabilities() learn.Capabilities {
	c := learn.Capabilities{
		Tasks:         []data.Task{data.Ranking, data.Survival},
		Task:          l.Loss.Task(),
		Offset:        true,
		Validation:    learn.Monitoring,
		Rounds:        true,
		Resume:        true,
		RowClassBytes: 48,
		Presets:       presets(),
		Compats:       compats(),
		Conflicts:     l.conflicts(),
	}
	if l.EarlyStopping > 0 {
		c.Validation = learn.EarlyStopping
	}
	return c
}

// fitter is a table in bins with the parameters at the time of Prepare.
type fitter struct {
	learner Learner
	frame   *data.Frame
	matrix  *bins.Matrix // without columns where categories are to have target statistics

	// Of one Fit.
	// with the parameters as they were given, where learner has others instead that were chosen
	given  *Learner
	choice *Choice // what was chosen by holding rows back; nil = nothing
	auto   bool    // the validation part says how many rounds there are

	stopped bool // the observer has ended the choice: it is not called again
}

// Prepare puts the given rows in bins.
func (l *Learner) Prepare(ctx context.Context, f *data.Frame, rows []int32, weight []float64, env learn.Env) (learn.Fitter, error) {
	if !l.made {
		return nil, errNotMade
	}
	if err := l.Params().Validate(); err != nil {
		return nil, err
	}
	if err := l.conflicts(); err != nil {
		return nil, err
	}
	if err := f.CheckRows(rows); err != nil {
		return nil, err
	}
	own, err := l.copy()
	if err != nil {
		return nil, err
	}
	own.conventionalSteps()
	rows = f.Chosen(data.Distinct(rows))
	if _, err := own.limits(&f.Schema); err != nil {
		return nil, err
	}
	if own.encodes(f, rows) {
		// columns come with the labels
		return &fitter{learner: own, frame: f, matrix: &bins.Matrix{Rows: rows}}, nil
	}
	m, err := l.bin(ctx, f, rows, weight, nil, nil, nil, env.Workers)
	if err != nil {
		return nil, err
	}
	return &fitter{learner: own, frame: f, matrix: m}, nil
}

var errNotMade = errors.New("gbm: the learner has no defaults: make it by gbm.New, then set fields")

// copy returns the learner with choices of its own, which nobody else can change.
func (l *Learner) copy() (Learner, error) {
	own := *l
	var err error
	if own.Loss, err = l.Loss.Copy(); err != nil {
		return own, err
	}
	if l.Boosting.Dart != nil {
		d := *l.Boosting.Dart
		own.Boosting.Dart = &d
	}
	own.Sampling, err = l.Sampling.copy()
	return own, err
}

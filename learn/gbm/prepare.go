package gbm

import (
	"context"
	"errors"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/gbm/internal/bins"
	"github.com/coppice-ml/coppice/learn/gbm/internal/encode"
	"github.com/coppice-ml/coppice/learn/internal/boosting"
	"github.com/coppice-ml/coppice/ranks"
)

// fitter is a table in bins with the parameters at the time of Prepare. Fits do not change it.
type fitter struct {
	learner Learner
	prepared
}

// prepared is a table in bins.
type prepared struct {
	frame *data.Frame
	// without columns where categories get target statistics, which depend on the labels of a Fit
	matrix *bins.Matrix
	blocks *blocks // has the values, which frame has not; nil: frame has them
	// rows of weight 0 among those given to Prepare, which matrix has not
	weightless int
	// the target's weights have the weights of classes
	classWeighed bool
}

// Prepare puts the given rows in bins.
func (l *Learner) Prepare(ctx context.Context, f *data.Frame, rows []int32, weight []float64,
	env learn.Env) (learn.Fitter, error) {
	return l.PrepareRanks(ctx, f, rows, weight, env, nil)
}

// PrepareRanks implements learn.RankLearner: each rank puts some of the columns in bins.
func (l *Learner) PrepareRanks(ctx context.Context, f *data.Frame, rows []int32, weight []float64,
	env learn.Env, g ranks.Group) (learn.Fitter, error) {
	if err := l.check(); err != nil {
		return nil, err
	}
	if err := f.CheckRows(rows); err != nil {
		return nil, err
	}
	own, c, err := l.forFit(&f.Schema)
	if err != nil {
		return nil, err
	}
	rows = f.Chosen(data.Distinct(rows))
	given := len(rows)
	if c.dropsWeightless() {
		rows = data.WithWeight(weight, rows)
	}
	encodes, err := c.encodes(ctx, encode.InMemory(f), rows)
	if err != nil {
		return nil, err
	}
	if encodes {
		own.sharePermutations()
	}
	if encodes || c.bindsClasses() {
		return &fitter{own, prepared{frame: f, matrix: &bins.Matrix{Rows: rows},
			weightless: given - len(rows)}}, nil
	}
	m, err := c.bin(ctx, binning{from: f, rows: rows, weight: weight, ranks: g}, env.Workers)
	if err != nil {
		return nil, err
	}
	return &fitter{own, prepared{frame: f, matrix: m, weightless: given - len(rows)}}, nil
}

// check returns what is wrong with the parameters, whatever the table.
func (l *Learner) check() error {
	if !l.made {
		return errNotMade
	}
	if err := l.Params().Validate(); err != nil {
		return err
	}
	return l.conflicts()
}

// forFit returns the learner as a Fit on a table of some columns uses it, and its configuration
// where the task is not known yet.
func (l *Learner) forFit(s *data.Schema) (Learner, Config, error) {
	own, err := l.copy()
	if err != nil {
		return own, Config{}, err
	}
	if err := own.conventionalSteps(); err != nil {
		return own, Config{}, err
	}
	c, err := own.config(s)
	return own, c, err
}

var errNotMade = errors.New("gbm: the learner has no defaults: make it by gbm.New, then set fields")

// copy returns the learner with choices of its ownthat no other code can change.
func (l *Learner) copy() (Learner, error) {
	own := *l
	var err error
	if own.Loss, err = boosting.CopyLoss(&l.Loss); err != nil {
		return own, err
	}
	if l.Boosting.Dart != nil {
		d := *l.Boosting.Dart
		own.Boosting.Dart = &d
	}
	if l.Boosting.Ordered != nil {
		o := *l.Boosting.Ordered
		own.Boosting.Ordered = &o
	}
	own.Sampling, err = l.Sampling.copy()
	return own, err
}

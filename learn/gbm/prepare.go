package gbm

import (
	"context"
	"errors"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/gbm/internal/boost"
	"github.com/coppice-ml/coppice/learn/gbm/internal/table"
	"github.com/coppice-ml/coppice/learn/internal/boosting"
	"github.com/coppice-ml/coppice/memory"
)

// fitter is a table in bins with the parameters at the time of Prepare. Fits do not change it.
type fitter struct {
	learner Learner
	table.Prepared
}

// Prepare puts the given rows in bins, of which each rank puts some columns. Features that are read
// in blocks are put in bins by Fit, in a file of its own. The model then has the bytes of one that
// was trained on the same split points in memory. Split points are fitted to a random row of each
// of 200,000 runs of rows. So those of tables of more rows differ from those in memory, which are
// fitted to all rows.
//
// Where the number of rounds is left to the data, a training in blocks chooses it by a hold-out of
// 15 % of the rows, and is not repeated on all rows.
func (l *Learner) Prepare(ctx context.Context, features data.Features, rows []int32,
	weight []float64, env learn.Env) (learn.Fitter, error) {
	if err := l.check(); err != nil {
		return nil, err
	}
	f, err := features.InMemory()
	limited := errors.Is(err, memory.ErrLimit)
	if limited {
		f, err = features.Outline(), nil
	}
	if err != nil {
		return nil, err
	}
	if err := f.CheckRows(rows); err != nil {
		return nil, err
	}
	own, c, err := l.forFit(&f.Schema)
	if err != nil {
		return nil, err
	}
	var inBlocks data.RowSource
	if limited {
		inBlocks = features
		if err := blockConflicts(&c); err != nil {
			return nil, err
		}
	}
	p, encodes, err := table.Prepare(ctx, f, inBlocks, rows, weight, env, &c.Config, c.ClassWeight)
	if err != nil {
		return nil, err
	}
	if encodes {
		own.sharePermutations()
	}
	return &fitter{own, *p}, nil
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
func (l *Learner) forFit(s *data.Schema) (Learner, boost.Config, error) {
	own, err := l.copy()
	if err != nil {
		return own, boost.Config{}, err
	}
	if err := own.conventionalSteps(); err != nil {
		return own, boost.Config{}, err
	}
	c, err := own.config(s)
	return own, c, err
}

var errNotMade = errors.New("gbm: the learner has no defaults: make it by gbm.New, then set fields")

// copy returns the learner with choices of its own that no other code can change.
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

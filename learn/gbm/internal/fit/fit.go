// Package fit carries out a Fit of gbm. It decides what the user left to training, and trains:
//
//	checkTime         are later rows predicted worse?            timeorder.go
//	decide            learning rate, settings, rounds          choose.go
//	  rehearsal       trains candidates for rounds.Race        rehearsal.go, factors.go
//	  roundSearch     trains folds in step for rounds.Search   roundsearch.go
//	decision.train    the final training, which may begin beside the folds: finaltraining.go
//
// Package rounds decides by curves and counted work, and package boost trains. Neither sees the
// other: all that goes from one to the other stands here.
package fit

import (
	"context"
	"errors"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/scratch"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/gbm/internal/boost"
	"github.com/coppice-ml/coppice/learn/gbm/internal/table"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/model/training"
)

// Fit trains a model on prepared rows by a configuration, in which what the user left to training
// is not decided yet. A table that is read in blocks gets a file for its codes. If the context is
// cancelled, or the observer returns an error, it returns the rounds so far too; nil if there are
// none.
func Fit(ctx context.Context, f *table.Prepared, c boost.Config, t *data.Target,
	job learn.Job) (m model.Model, err error) {
	if f.Blocks == nil {
		return chooseAndTrain(ctx, f, c, t, job)
	}
	file, err := scratch.Create(f.Env.Scratch)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	return chooseAndTrain(ctx, f.WithFile(file), c, t, job)
}

// chooseAndTrain is fit of a table that has its file.
func chooseAndTrain(ctx context.Context, f *table.Prepared, c boost.Config, t *data.Target,
	job learn.Job) (model.Model, error) {
	job, weightless := f.DropWeightless(&c.Config, t, job)
	f, t, err := f.WeighClasses(ctx, &c.Config, c.ClassWeight, t, job)
	if err != nil {
		return nil, err
	}
	job, state, err := reopen(&c, job)
	if err != nil {
		return nil, err
	}
	check, f := checkTime(f, c, t, job)
	var order *training.TimeOrder
	if f.Blocks == nil {
		if order, err = check.found(ctx); err != nil {
			return nil, err
		}
	}
	p, err := decide(ctx, f, c, t, job, state)
	if short := (*interrupted)(nil); errors.As(err, &short) {
		return short.model, short.cause
	}
	if err != nil {
		return nil, err
	}
	if p.stopped {
		job.Observe = nil
	}
	p.Weightless, p.TimeOrder = weightless, order
	b, err := p.train(ctx, t, job)
	if b == nil {
		return nil, err
	}
	if err == nil {
		err = b.ReportHoldOut(ctx, &job)
	}
	if b.Rounds() == 0 && err != nil {
		return nil, err
	}
	if err == nil && f.Blocks != nil { // whose rows the training read
		order, err = check.found(ctx)
		b.SetTimeOrder(order)
	}
	m, failed := b.Finish()
	if failed != nil {
		return nil, failed
	}
	p.correct(m)
	b.ReportFitted(&job)
	return m, err
}

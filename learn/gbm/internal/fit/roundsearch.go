package fit

import (
	"context"
	"errors"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/parallel"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/gbm/internal/boost"
	"github.com/coppice-ml/coppice/learn/gbm/internal/rounds"
	"github.com/coppice-ml/coppice/learn/internal/boosting"
	"github.com/coppice-ml/coppice/learn/internal/fitting"
	"github.com/coppice-ml/coppice/model"
	report "github.com/coppice-ml/coppice/model/training"
)

// roundSearch trains on all folds in step, to find the round at which their mean metric is best.
type roundSearch struct {
	rounds.Search
	config    *boost.Config
	job       learn.Job
	target    *data.Target
	rehearsal *report.Rehearsal // before it; nil: there was none
	trainings []*boost.Fold
	final     *finalTraining // the final training beside them; nil: it follows
	rate      float64        // the learning rate of the folds
	resumed   bool           // the trees of the first rounds are not there
	stopped   bool           // by the observer

	// where they are to be corrected: the scores of each fold's hold-out rows after the best round,
	// nil where that is before a checkpoint, which has the corrections that follow from them
	corrected bool
	best      [][]float64
	known     report.Correction
}

// interrupted is the error of a choice that was cancelled, with the model so far, nil if there is
// none.
type interrupted struct {
	model model.Model
	cause error
}

func (e *interrupted) Error() string { return e.cause.Error() }

// Round implements rounds.Stepper. The final training goes on beside the folds.
func (r *roundSearch) Round(ctx context.Context) ([]float64, bool, error) {
	r.hold()
	values, errs := make([]float64, len(r.trainings)), make([]error, len(r.trainings))
	tasks := len(r.trainings)
	if r.final != nil {
		tasks++
	}
	parallel.Each(parallel.Workers(r.job.Workers), tasks, func(_, i int) {
		if i -= tasks - len(r.trainings); i < 0 { // the longest one first
			r.final.train(ctx, r.Best)
			return
		}
		values[i], errs[i] = r.trainings[i].Round(ctx, len(r.Means)+1)
	})
	for _, err := range errs { // one is enough: the others tend to be the same
		if err != nil {
			return nil, false, err
		}
	}
	return values, r.exhausted(), nil
}

// Observe implements rounds.Stepper: it reports a round to the observer of the job.
func (r *roundSearch) Observe(ctx context.Context, n int, mean float64) error {
	if r.job.Observe == nil {
		return nil
	}
	metric := learn.Metric{Set: "hold-out", Name: r.first().Metric, Value: mean}
	round := learn.Round{Stage: "choose rounds", N: n, Metrics: []learn.Metric{metric},
		Checkpoint: func() (*learn.Checkpoint, error) {
			for _, b := range r.trainings {
				if err := b.Complete(ctx); err != nil {
					return nil, err
				}
			}
			return r.checkpoint()
		}}
	if r.config.Dropout != nil || r.ahead() {
		round.Checkpoint = nil
	}
	err := r.job.Observe(round)
	r.stopped = errors.Is(err, learn.Stop)
	return err
}

// run searches until the mean does not improve any more, or the observer ends the search.
func (r *roundSearch) run(ctx context.Context) error {
	err := r.Search.Run(ctx, r)
	r.hold()
	if r.stopped {
		err = fitting.UnlessStop(err)
	}
	for i, b := range r.trainings {
		missing := r.best != nil && r.best[i] == nil
		if err == nil && missing {
			err = b.Return(ctx, r.Best)
			r.best[i] = slices.Clone(b.ValidationSet().Raw)
		}
		if n := len(r.Means); err == nil && (missing || b.Ahead(n)) {
			err = b.Return(ctx, n)
		}
	}
	return err
}

// ahead reports whether a fold that a rehearsal began has more rounds than the search. There is no
// checkpoint then, since a training that resumes from it would not have the trees of these.
func (r *roundSearch) ahead() bool {
	return slices.ContainsFunc(r.trainings, func(b *boost.Fold) bool { return b.Ahead(len(r.Means)) })
}

// first returns the curve of the first metric of the first fold.
func (r *roundSearch) first() *report.LearningCurve { return r.trainings[0].FirstCurve() }

// Curves implements rounds.Stepper, by the first metric.
func (r *roundSearch) Curves() [][]float64 {
	all := make([][]float64, len(r.trainings))
	for i, b := range r.trainings {
		all[i] = b.FirstCurve().Values
	}
	return all
}

// valid returns the validation sets of the folds.
func (r *roundSearch) valid() []*boosting.Set {
	sets := make([]*boosting.Set, len(r.trainings))
	for i, b := range r.trainings {
		sets[i] = b.ValidationSet()
	}
	return sets
}

// exhausted reports whether nothing is left to be split in any fold after the next round.
func (r *roundSearch) exhausted() bool {
	for _, b := range r.trainings {
		if !b.Exhausted() || b.Ahead(len(r.Means)+1) {
			return false
		}
	}
	return true
}

// soFar returns the model of the first fold, of the best number of rounds so far; nil if there is
// none.
func (r *roundSearch) soFar() (model.Model, error) {
	if r.Best == 0 || r.resumed {
		return nil, nil
	}
	b := r.trainings[0]
	b.Keep(r.Best)
	return b.Finish()
}

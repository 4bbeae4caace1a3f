package gbm

import (
	"context"
	"errors"
	"math"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/parallel"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/internal/boosting"
	"github.com/coppice-ml/coppice/learn/internal/fitting"
	"github.com/coppice-ml/coppice/model"
	report "github.com/coppice-ml/coppice/model/training"
)

// roundSearch trains on all folds in step, to find the round at which their mean metric is best:
//
//	round     1     2     3     4
//	fold 0  0.61  0.55  0.52  0.53
//	fold 1  0.63  0.58  0.56  0.56
//	mean    0.620 0.565 0.540 0.545    best: round 3
type roundSearch struct {
	job           learn.Job
	target        *data.Target
	given         *Learner          // with the parameters as the user set them
	rehearsal     *report.Rehearsal // before it; nil: there was none
	folds         []*training
	final         *finalTraining // the final training beside them; nil: it follows
	rate          float64        // the learning rate of the folds
	earlyStopping int
	best          int
	value         float64 // the mean at the best round
	means         []float64
	resumed       bool // the trees of the first rounds are not there
	stopped       bool // by the observer
}

// interrupted is the error of a choice that was cancelled, with the model so far, nil if there is
// none.
type interrupted struct {
	model model.Model
	cause error
}

func (e *interrupted) Error() string { return e.cause.Error() }

// run trains rounds until the mean does not improve any more.
func (r *roundSearch) run(ctx context.Context) error {
	for n := len(r.means) + 1; n <= mostRounds; n++ {
		if err := r.round(ctx); err != nil {
			return err
		}
		if n-r.best >= r.earlyStopping ||
			slow(r.means, r.earlyStopping, flatWindows, r.folds[0].watch.classes) ||
			r.risen() || r.exhausted() {
			if r.target.Task == data.Ranking {
				r.settleRanked()
			}
			return nil
		}
		if r.job.Observe == nil {
			continue
		}
		metric := learn.Metric{Set: "hold-out", Name: r.first().Metric, Value: r.means[n-1]}
		round := learn.Round{Stage: "choose rounds", N: n, Metrics: []learn.Metric{metric},
			Checkpoint: func() (*learn.Checkpoint, error) {
				for _, b := range r.folds {
					if err := b.scores.complete(ctx); err != nil {
						return nil, err
					}
				}
				return r.checkpoint()
			}}
		if r.folds[0].dart() {
			round.Checkpoint = nil
		}
		if err := r.job.Observe(round); err != nil {
			r.stopped = errors.Is(err, learn.Stop)
			return fitting.UnlessStop(err)
		}
	}
	return nil
}

// round trains a round of each fold and enters the mean.
func (r *roundSearch) round(ctx context.Context) error {
	values, errs := make([]float64, len(r.folds)), make([]error, len(r.folds))
	tasks := len(r.folds)
	if r.final != nil {
		tasks++
	}
	parallel.Each(parallel.Workers(r.job.Workers), tasks, func(_, i int) {
		if i -= tasks - len(r.folds); i < 0 { // the longest one first
			r.final.train(ctx, r.best)
			return
		}
		values[i], errs[i] = r.folds[i].foldRound(ctx)
	})
	for _, err := range errs { // one is enough: the others tend to be the same
		if err != nil {
			return err
		}
	}
	mean := 0.0
	for _, v := range values {
		mean += v / float64(len(values))
	}
	r.enter(mean)
	return nil
}

// foldRound trains a round and returns the first metric of the validation set. Where nothing is
// left to be split that stays as it is.
func (b *training) foldRound(ctx context.Context) (float64, error) {
	if !b.watch.Exhausted {
		split, err := b.round(ctx)
		if err != nil {
			return 0, err
		}
		b.watch.exhausted(split, b.ensemble)
		if err := b.evaluate(); err != nil {
			return 0, err
		}
	}
	curve := b.watch.First()
	return curve.Values[len(curve.Values)-1], nil
}

// enter notes the mean of a round.
func (r *roundSearch) enter(mean float64) {
	r.means = append(r.means, mean)
	n := len(r.means)
	if r.target.Task == data.Ranking {
		r.enterRanked(n)
		return
	}
	r.consider(n, mean)
}

// consider compares the value of a round with the best so far.
func (r *roundSearch) consider(round int, value float64) {
	higher := r.first().Higher
	if r.best == 0 || higher && value > r.value || !higher && value < r.value {
		r.best, r.value = round, value
	}
}

// first returns the curve of the first metric of the first fold.
func (r *roundSearch) first() *report.LearningCurve { return r.folds[0].watch.First() }

// valid returns the validation sets of the folds.
func (r *roundSearch) valid() []*boosting.Set {
	sets := make([]*boosting.Set, len(r.folds))
	for i, b := range r.folds {
		sets[i] = b.scores.valid
	}
	return sets
}

// A mean that has risen so far above the best one, after this part of the rounds that early
// stopping waits for, does not fall below it again. The mean of several folds is smooth: so it was
// in 46 choices on 26 tables, where half a per cent after a third of the rounds was wrong once.
const (
	leastRise = 0.005
	risenFrom = 0.4
)

// risen reports whether the mean has clearly risen since the best round. Metrics of which greater
// values are better, and those of rankings, have to wait for early stopping: they are rough.
func (r *roundSearch) risen() bool {
	n := len(r.means)
	return len(r.folds) > 1 && !r.first().Higher && r.target.Task != data.Ranking &&
		float64(n-r.best) >= risenFrom*float64(r.earlyStopping) &&
		r.means[n-1]-r.value > leastRise*math.Abs(r.value)
}

// exhausted reports whether nothing is left to be split in any fold.
func (r *roundSearch) exhausted() bool {
	for _, b := range r.folds {
		if !b.watch.Exhausted {
			return false
		}
	}
	return true
}

// soFar returns the model of the first fold, of the best number of rounds so far; nil if there is
// none.
func (r *roundSearch) soFar() (model.Model, error) {
	if r.best == 0 || r.resumed {
		return nil, nil
	}
	b := r.folds[0]
	if !b.dart() { // dropout in later rounds changes the weights of the trees before them
		b.ensemble.keep(min(r.best, b.watch.Rounds))
	}
	return b.finish()
}

package fit

import (
	"context"
	"math"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/parallel"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/gbm/internal/boost"
	"github.com/coppice-ml/coppice/learn/gbm/internal/rounds"
	"github.com/coppice-ml/coppice/learn/internal/fitting"
	"github.com/coppice-ml/coppice/ranks"
)

// finalTraining is the final training while its number of rounds is still being chosen. Trees of a
// few thousand rows keep one worker busy, so the others train the folds beside it. Later rounds of
// the folds only raise the number of rounds: it never trains one that is not needed.
//
//	worker 0   final rounds 1, 2       fold 3   | final rounds 3, 4, 5   fold 3   | ...
//	worker 1   folds 0, 1, 2, 4                 | folds 0, 1, 2, 4                | ...
type finalTraining struct {
	training *boost.Training
	later    laterRates
	factor   float64          // its rounds for one of the folds, where the rate stays
	observed [][]learn.Metric // of each round, for the observer
	over     bool             // nothing is left to be split
	err      error
}

// beginFinal begins the final training beside the folds. nil: there is one worker, or one fold,
// whose trees keep all workers busy, or later rounds change the weights of those before, or the
// choice may be of fewer rounds than the best so far, as that of a ranking.
func (p *decision) beginFinal(ctx context.Context, r *roundSearch,
	factor float64) (*finalTraining, error) {
	if parallel.Workers(r.job.Workers) == 1 || len(r.trainings) == 1 || p.Config.Dropout != nil ||
		r.target.Task == data.Ranking || r.job.HoldOut != nil ||
		ranks.Of(p.prepared.Env.Ranks).Size() > 1 { // which need one order
		return nil, nil
	}
	own := p.Plan
	own.Config.Trees = rounds.MostRounds
	if p.later != nil {
		own.Config.Starts = p.later
	}
	b, err := boost.Begin(ctx, p.prepared, own, r.target, r.job)
	if err != nil {
		return nil, err
	}
	return &finalTraining{training: b, later: p.later, factor: factor}, nil
}

// train trains the rounds that are certain to be needed, about as many as follow from one round of
// the folds. The last one waits for the choice, because it may evaluate more than others.
func (a *finalTraining) train(ctx context.Context, best int) {
	b := a.training
	for range int(math.Ceil(a.factor)) {
		if a.over || a.err != nil || b.Rounds() >= a.later.roundsFor(best, a.factor)-1 {
			return
		}
		if a.over, a.err = b.Advance(ctx); !a.over && a.err == nil {
			a.observed = append(a.observed, b.LatestMetrics())
		}
	}
}

// finish trains the other rounds of a plan, after the observer has got those before.
func (a *finalTraining) finish(ctx context.Context, p *boost.Plan, job learn.Job) error {
	b := a.training
	b.SetPlan(p, job.Observe)
	if job.Observe != nil {
		for i, metrics := range a.observed {
			err := job.Observe(learn.Round{Stage: "boost", N: i + 1, Of: p.Config.Trees,
				Metrics: metrics})
			if err != nil {
				b.Truncate(i + 1)
				return err
			}
		}
	}
	if a.over || a.err != nil {
		return a.err
	}
	return b.Run(ctx)
}

// train trains all rows for the number of rounds of the plan. The training is nil if it could not
// begin.
func (p *decision) train(ctx context.Context, t *data.Target,
	job learn.Job) (*boost.Training, error) {
	if p.final != nil {
		return p.final.training, fitting.UnlessStop(p.final.finish(ctx, &p.Plan, job))
	}
	b, err := boost.Begin(ctx, p.prepared, p.Plan, t, job)
	if err != nil {
		return nil, err
	}
	return b, fitting.UnlessStop(b.Run(ctx))
}

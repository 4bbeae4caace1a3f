package portfolio

import (
	"errors"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/split"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/learn"
)

// latest is the fraction of the rows in the hold-out set of a table with times: the latest ones.
const latest = 0.2

// holdOut is what all configurations are trained and tested on.
//
//	plan         folds                    final=auto
//	by classes   5, of many rows 3        folds
//	by groups    the same                 folds
//	by time      one: the latest rows     refit, since a model is to know these, too
//	validation   one: that set            folds, which is one model
type holdOut struct {
	plan      *split.Plan
	folds     []split.Fold
	requested int     // folds of the parameter, where there are fewer; else 0
	tested    []int32 // rows of all test sets, ascending
	at        []int32 // by frame row: its place in tested
	refit     bool
}

// split assigns the rows of a job to folds. There are none where no row can be held out.
func (f *fitter) split(t *data.Target, job *learn.Job) (holdOut, error) {
	l := &f.learner
	h := holdOut{plan: job.Plan, refit: l.Final == FinalRefit}
	seed := rng.Seed(job.Seed, forPlan)
	switch {
	case len(job.Valid) > 0:
		h.folds = []split.Fold{{Train: job.Rows, Test: job.Valid}}
		h.refit = false // there is nothing to add: the set is no part of the training rows
	case job.Plan.KindFor(t) == split.ByTime:
		s := split.HoldOut{Kind: split.ByTime, Seed: seed, Valid: latest}
		train, test, _, err := s.Sets(t, job.Rows)
		var few *split.TooFewError
		if errors.As(err, &few) {
			return h, nil
		}
		if err != nil {
			return h, err
		}
		h.folds, h.refit = []split.Fold{{Train: train, Test: test}}, l.Final != FinalFolds
	default:
		k := l.Folds
		if k == 0 {
			if k = manyFolds; len(job.Rows) > manyRows {
				k = fewFolds
			}
		}
		plan := job.Plan.For(t, job.Rows, k, seed)
		if plan == nil {
			return h, nil
		}
		var err error
		if h.folds, err = plan.Folds(t, job.Rows); err != nil {
			return h, err
		}
		h.requested, h.plan = job.Plan.Short(plan, k), plan
	}
	for _, fold := range h.folds {
		h.tested = append(h.tested, fold.Test...)
	}
	slices.Sort(h.tested)
	h.tested = slices.Compact(h.tested)
	h.at = make([]int32, f.frame.Rows())
	for i, row := range h.tested {
		h.at[row] = int32(i)
	}
	return h, nil
}

// inner returns the plan of trainings without a fold, or on all rows: fold -1.
func (h *holdOut) inner(fold int) *split.Plan {
	if len(h.folds) == 1 {
		return h.plan.Within(-1)
	}
	return h.plan.Within(fold)
}

package gbm

import (
	"math"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn"
)

// Folds that choose the number of rounds.
const (
	// The best round of one small validation set varies: so up to many rows there are several
	// folds, whose metrics are averaged. Those of few rows are fifths, which leave more rows to
	// train on than thirds. Three of the five choose as well as all, but of tiny tables: on four
	// of 80 to 450 rows three cost 1.5 % of log loss.
	tinyRows, fewRows, manyRows = 1000, 5000, 40_000
	mostFolds                   = 3
	fewRankedRows               = 10_000 // of rankings, whose metrics vary more
	holdOutFraction             = 0.15   // one validation set of larger tables

	// The folds learn faster than the final training. With few rows the best round at a high rate
	// is a worse guide. A round of several classes grows a tree for each, which is why theirs learn
	// fast there, too.
	fewRowsFoldRate, fastFoldRate = 0.1, 0.2
)

// foldRate returns the learning rate of some folds, of so many rows in all. Where training chooses
// the rate it is a high one, which needs fewer rounds, and fewer without improvement stop it.
func (p *plan) foldRate(task data.Task, folds, rows int) float64 {
	own := p.learner.LearningRate
	switch {
	case !p.choosesRate():
		return own
	case task == data.Multiclass:
		return fastFoldRate
	case folds == 1 || !smoothCurve(task, rows):
		if rows < fewRows {
			return own
		}
		return max(own, fewRowsFoldRate)
	case rows < fewRows:
		return fewRowsFoldRate
	}
	return fastFoldRate
}

// choosesRate reports whether training chooses the learning rate, the same for all rounds.
func (p *plan) choosesRate() bool {
	l := p.given
	return l.LearningRate == 0 && l.LearningRateDecay == 1 && l.LearningRates == "" &&
		l.Boosting.Dart == nil && l.Compat == CompatNone
}

// smoothCurve reports whether the metric of some rows varies so little from round to round that few
// rounds of few folds find the best one. It is a mean over rows, not over queries or pairs of rows.
func smoothCurve(task data.Task, rows int) bool {
	return task == data.Multiclass ||
		rows >= tinyRows && (task == data.Binary || task == data.Regression)
}

// mostFolds returns how many folds of n rows are trained at most. All of those that the caller
// chose are.
func (p *plan) mostFolds(task data.Task, plan *data.Plan, n int) int {
	if p.choosesRate() && smoothCurve(task, n) && freePlan(plan) {
		return mostFolds
	}
	return math.MaxInt
}

// freePlan reports whether a plan leaves the folds to training.
func freePlan(p *data.Plan) bool { return p == nil || p.K == 0 && p.Assign == nil }

// foldsOf assigns rows to folds; nil where no rows can be held out.
func foldsOf(t *data.Target, job learn.Job, rows []int32) []data.Fold {
	n := len(data.Distinct(rows))
	if n < leastRows {
		return nil
	}
	seed := seedOf(job.Seed, purposeFold)
	if kind := job.Plan.KindFor(t); freePlan(job.Plan) && n > manyRows || kind == data.TimePlan {
		split := data.Split{Kind: kind, Seed: seed, Valid: holdOutFraction}
		train, valid, _, err := split.Sets(t, rows)
		if err != nil {
			return nil
		}
		return []data.Fold{{Train: train, Test: valid}}
	}
	k := 5
	if n >= fewRows && smoothCurve(t.Task, n) || n > fewRankedRows {
		k = 3
	}
	plan := job.Plan.For(t, rows, k, seed)
	if plan == nil {
		return nil
	}
	folds, err := plan.Folds(t, rows)
	if err != nil {
		return nil
	}
	return folds
}

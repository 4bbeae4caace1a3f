package gbm

import (
	"context"
	"math"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/model"
	report "github.com/coppice-ml/coppice/model/training"
)

const (
	// A rehearsal takes large steps, so that it needs a sixth of the rounds. The rate is the same
	// for all candidates: of equal rounds, small steps and small trees always look worse.
	rehearsalRate  = 0.3
	rehearsalStops = 10   // rounds without improvement that end a trial
	mostTrialRound = 1000 // of a trial
	// A candidate may need more rounds than the default, but not more than so many times as many.
	mostTimesRounds = 3
)

// rehearsal compares candidates for what was left to training, on the same folds and with large
// steps. Each trial, which is a candidate on a fold, ends by its own early stopping. Losers are
// dropped early:
//
//	                 fold 0  fold 1  fold 2  fold 3  fold 4
//	default             *       *       *       *       *
//	colsample=1         *       *       *       *       *     ahead after two folds: goes on
//	colsample_node      *       *                             behind the other one of its factor
//	leaves=8            *       *                             behind the default
//	...
//	winners together    *       *       *       *       *     where several factors have a winner
//
// A candidate wins if its mean gain exceeds one standard error. One that is certainly ahead after
// the first folds, see certain, wins by these if the budget does not allow it the others. A winner
// of a sample of the rows is confirmed on all of them.
//
// The work of all trials is at most what the choice of rounds costs with the default. It is
// counted, so that the winner does not depend on the machine. A trial that reaches its limit ends
// with its best round so far, which can only make a challenger look worse.
type rehearsal struct {
	fitter *fitter // of the rows of the rehearsal
	plan   *plan
	target *data.Target
	job    learn.Job
	folds  []data.Fold
	first  int     // folds after which losers are dropped
	rows   []int32 // prepared ones of the training

	metric string // that candidates are compared by
	higher bool   // greater values are better
	budget float64
	spent  float64 // work of all trials
	tried  []*candidate
	// too costly to be tried
	skipped []*candidate
	shared  map[sharing]*sharedTable
	// carries a trial out; nil: by training
	carry func(ctx context.Context, p place, most, workers int) (trial, error)

	fixedRate float64 // the learning rate; 0: that of rehearsals
	whole     *whole  // the table, if these are a sample of its rows
	confirmed *report.Confirmation

	// of checkpoints: the model without trees and the checksum of the default's first fold, and the
	// trials of the checkpoint that is resumed
	blank *model.Ensemble
	sum   uint32
	known []knownTrial
}

var unlimited = math.Inf(1)

// run carries the rehearsal out, and returns its report; nil: the default could not be trained.
func (r *rehearsal) run(ctx context.Context) (*report.Rehearsal, error) {
	usual := &candidate{weight: 1}
	if err := r.resume(ctx, usual); err != nil {
		return nil, err
	}
	err := r.train(ctx, r.places(usual, 0, r.first, unlimited))
	if r.failed(usual) || r.blank == nil {
		return nil, err
	}
	if err != nil {
		return r.report(usual), err
	}
	r.budget = r.costOfChoice(usual)
	winner, err := r.race(ctx, usual)
	if err == nil {
		winner, err = r.confirm(ctx, winner, usual)
	}
	if err != nil {
		return r.report(usual), err
	}
	return r.report(winner), r.plan.learner.take(winner.settings)
}

// race returns the winner, after the default was trained on the first folds.
func (r *rehearsal) race(ctx context.Context, usual *candidate) (*candidate, error) {
	challengers, err := r.screen(ctx, usual)
	if err != nil {
		return nil, err
	}
	leaders := r.leaders(challengers) // the best first
	if len(leaders) > 0 && len(r.folds) > r.first {
		var places []place
		if leaders, places = r.remaining(usual, leaders); len(leaders) > 0 {
			if err := r.train(ctx, places); err != nil {
				return nil, err
			}
		}
	}
	leaders = slices.DeleteFunc(leaders, func(c *candidate) bool { return !r.beats(c, usual) })
	if leaders, err = r.addCertain(ctx, usual, challengers, leaders); err != nil {
		return nil, err
	}
	if both, places := r.together(usual, leaders); both != nil {
		if err := r.train(ctx, places); err != nil {
			return nil, err
		}
		if r.beats(both, usual) {
			leaders = append(leaders, both)
		}
	}
	winner := usual
	for _, c := range leaders {
		if winner == usual || r.gain(c, winner) > 0 {
			winner = c
		}
	}
	return winner, nil
}

// rate returns the learning rate of all trials.
func (r *rehearsal) rate() float64 {
	if r.fixedRate > 0 {
		return r.fixedRate
	}
	return max(rehearsalRate, r.plan.given.LearningRate)
}

// atRate returns a number of rounds of the usual rate as one of the rate of all trials, if that is
// lower.
func (r *rehearsal) atRate(rounds int) int {
	return int(math.Ceil(float64(rounds) * max(1, rehearsalRate/r.rate())))
}

// observe reports the trials so far.
func (r *rehearsal) observe() error {
	if r.job.Observe == nil {
		return nil
	}
	n := 0
	for _, c := range r.tried {
		n += c.folds()
	}
	return r.job.Observe(learn.Round{Stage: "rehearse", N: n, Checkpoint: r.checkpoint})
}

// leaders returns the best challenger of each factor, of those that are ahead of the default, the
// greatest gain first.
func (r *rehearsal) leaders(challengers []*candidate) []*candidate {
	var leaders []*candidate
	for _, c := range challengers {
		if r.failed(c) || !(r.gain(c, r.tried[0]) > 0) {
			continue
		}
		at := slices.IndexFunc(leaders, func(l *candidate) bool { return l.factor == c.factor })
		switch {
		case at < 0:
			leaders = append(leaders, c)
		case r.gain(c, leaders[at]) > 0:
			leaders[at] = c
		}
	}
	slices.SortStableFunc(leaders, func(a, b *candidate) int {
		if r.gain(a, b) > 0 {
			return -1
		}
		return 1
	})
	return leaders
}

// gain returns the mean gain of a candidate over another, on the folds of both. Above 0 it is
// better.
func (r *rehearsal) gain(c, other *candidate) float64 {
	gain, _ := r.compare(c, other)
	return gain
}

// beats reports whether the gain of a candidate exceeds one standard error.
func (r *rehearsal) beats(c, usual *candidate) bool {
	gain, deviation := r.compare(c, usual)
	return !r.failed(c) && gain > deviation && gain > 0
}

// compare returns the mean paired gain of a candidate over another, and its standard error: over
// the folds of both, or over blocks of a single one.
func (r *rehearsal) compare(c, other *candidate) (mean, deviation float64) {
	var gains []float64
	sign := 1.0
	if r.higher {
		sign = -1
	}
	for i := range r.folds {
		if t, o := &c.trials[i], &other.trials[i]; t.done && o.done {
			gains = append(gains, sign*(o.Value-t.Value))
		}
	}
	mean, deviation = meanOf(gains)
	if len(gains) == 1 {
		of := r.blockGains(&c.trials[0], &other.trials[0])
		if of == nil {
			return mean, math.Inf(1)
		}
		_, deviation = meanOf(of)
	}
	return mean, deviation
}

// meanOf returns the mean of values, and its standard error.
func meanOf(values []float64) (mean, standardError float64) {
	n := float64(len(values))
	for _, v := range values {
		mean += v / n
	}
	sum := 0.0
	for _, v := range values {
		sum += float64((v - mean) * (v - mean))
	}
	return mean, math.Sqrt(sum / max(n-1, 1) / n)
}

// failed reports whether a trial of a candidate ended with an error, such as scores that diverge.
func (r *rehearsal) failed(c *candidate) bool {
	return slices.ContainsFunc(c.trials, func(t trial) bool { return t.Failed })
}

// report describes the candidates, and marks the winner.
func (r *rehearsal) report(winner *candidate) *report.Rehearsal {
	usual := r.tried[0]
	made := &report.Rehearsal{Rows: r.fitter.matrix.Len(), Folds: len(r.folds), Rate: r.rate(),
		Metric: r.metric, Higher: r.higher, Confirmed: r.confirmed}
	for _, c := range slices.Concat(r.tried, r.skipped) {
		t := report.Candidate{Settings: c.settings, Folds: c.folds(), Won: c == winner}
		if t.Folds == 0 {
			made.Candidates = append(made.Candidates, t)
			continue
		}
		for _, one := range c.trials[:t.Folds] {
			t.Value += one.Value / float64(t.Folds)
			t.Round += float64(one.Best) / float64(t.Folds)
			t.Cut = t.Cut || one.Cut
		}
		t.Gain, t.Error = r.compare(c, usual)
		if t.Failed = r.failed(c); t.Failed || t.Error > math.MaxFloat64 {
			t.Error = 0
		}
		if t.Failed {
			t.Value, t.Gain = 0, 0
		}
		made.Candidates = append(made.Candidates, t)
	}
	return made
}

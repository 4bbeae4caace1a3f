package gbm

import (
	"context"
	"math"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/boosting"
	"github.com/coppice-ml/coppice/internal/parallel"
	"github.com/coppice-ml/coppice/learn"
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
// A candidate wins if its mean gain exceeds one standard error.
type rehearsal struct {
	fitter *fitter // of the rows of the rehearsal
	plan   *plan
	target *data.Target
	job    learn.Job
	folds  []data.Fold
	first  int // folds after which losers are dropped
	budget float64
	rows   []int32 // prepared ones of the training
	spent  float64 // rows x rounds of all trials, times the weights of the candidates
	tried  []*candidate
}

// trial is the result of a candidate on a fold.
type trial struct {
	done   bool
	value  float64   // the metric at its best round
	best   int       // that round
	rounds int       // trained
	blocks []float64 // the metric at the best round, of blocks of the validation set
	higher bool      // greater values of the metric are better
	metric string
	failed bool // training ended with an error
}

// run carries the rehearsal out, and returns its report; nil: the default could not be trained.
func (r *rehearsal) run(ctx context.Context) (*report.Rehearsal, error) {
	usual := &candidate{weight: 1}
	if err := r.train(ctx, r.first, usual); err != nil || r.failed(usual) {
		return nil, err
	}
	r.budget = r.costOfChoice(usual)
	challengers := r.challengers(usual)
	if err := r.train(ctx, r.first, challengers...); err != nil {
		return nil, err
	}
	if err := r.observe(); err != nil {
		return r.report(usual), err
	}
	leaders := r.affordable(usual, r.leaders(challengers))
	if len(leaders) > 0 && len(r.folds) > r.first {
		if err := r.train(ctx, len(r.folds), append(leaders, usual)...); err != nil {
			return nil, err
		}
	}
	leaders = slices.DeleteFunc(leaders, func(c *candidate) bool { return !r.beats(c, usual) })
	if len(leaders) > 1 {
		both := together(leaders)
		if err := r.train(ctx, usual.folds(), both); err != nil {
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
	if err := r.plan.learner.take(winner.settings); err != nil {
		return nil, err
	}
	return r.report(winner), r.observe()
}

// rate returns the learning rate of all trials.
func (r *rehearsal) rate() float64 { return max(rehearsalRate, r.plan.given.LearningRate) }

// observe reports the trials so far.
func (r *rehearsal) observe() error {
	if r.job.Observe == nil {
		return nil
	}
	n := 0
	for _, c := range r.tried {
		n += c.folds()
	}
	return r.job.Observe(learn.Round{Stage: "rehearse", N: n})
}

// train trains candidates on the first folds, as far as they are not yet. All trials are trained
// in parallel.
func (r *rehearsal) train(ctx context.Context, folds int, candidates ...*candidate) error {
	type place struct{ candidate, fold int }
	var places []place
	for i, c := range candidates {
		if !slices.Contains(r.tried, c) {
			c.trials = make([]trial, len(r.folds))
			r.tried = append(r.tried, c)
		}
		for fold := range folds {
			if !c.trials[fold].done {
				places = append(places, place{i, fold})
			}
		}
	}
	if len(places) == 0 {
		return nil
	}
	most := mostTrialRound
	if usual := r.tried[0]; usual.trials[0].done {
		most = mostTimesRounds*usual.mostRounds() + rehearsalStops
	}
	workers := parallel.Workers(r.job.Workers)
	inner, errs := max(1, workers/len(places)), make([]error, len(places))
	parallel.Each(workers, len(places), func(_, i int) {
		c, fold := candidates[places[i].candidate], places[i].fold
		c.trials[fold], errs[i] = r.trial(ctx, c, fold, min(most, mostTrialRound), inner)
	})
	for i, p := range places {
		if errs[i] != nil && ctx.Err() != nil {
			return ctx.Err()
		}
		c := candidates[p.candidate]
		t := &c.trials[p.fold]
		t.done, t.failed = true, errs[i] != nil
		r.spent += r.cost(c, p.fold)
	}
	return nil
}

// trial trains a candidate on a fold until its metric on the other rows does not improve.
func (r *rehearsal) trial(ctx context.Context, c *candidate, fold, most, workers int) (trial, error) {
	own := plan{learner: r.plan.learner, given: r.plan.given}
	l := &own.learner
	if err := l.take(c.settings); err != nil {
		return trial{}, err
	}
	l.LearningRate = r.rate()
	l.Trees, l.EarlyStopping, l.TrainingMetric, l.ValidFraction = most, 0, 0, 0
	l.LearningRates, l.LearningRateDecay = "", 1
	job := learn.Job{Rows: r.folds[fold].Train, Valid: r.folds[fold].Test,
		Seed: seedOf(r.job.Seed, purposeRehearsal, uint64(fold)), Workers: workers,
		Plan: r.job.Plan.Within(fold)}
	b, err := r.fitter.begin(ctx, own, r.target, job)
	if err != nil {
		return trial{}, err
	}
	t := trial{metric: b.watch.First().Metric, higher: b.watch.First().Higher}
	var raw []float64 // of the best round
	for t.rounds < most && !b.watch.Exhausted {
		v, err := b.foldRound(ctx)
		if err != nil {
			return t, err
		}
		t.rounds++
		if t.best == 0 || t.higher && v > t.value || !t.higher && v < t.value {
			t.best, t.value = t.rounds, v
			if r.first == 1 {
				raw = append(raw[:0], b.scores.valid.Raw...)
			}
		}
		if t.rounds-t.best >= rehearsalStops ||
			slow(b.watch.First().Values, rehearsalStops, b.watch.classes) {
			break
		}
	}
	if raw != nil {
		t.blocks = b.blockValues(raw)
	}
	return t, nil
}

// validBlocks is the number of blocks of a single validation set, by which a gain's standard error
// is estimated.
const validBlocks = 10

// blockValues evaluates the first metric on blocks of the validation set, of raw scores. Rows of a
// group are in one block. nil: the metric is not defined on some block.
func (b *training) blockValues(raw []float64) []float64 {
	valid := b.scores.valid
	kind := data.RandomPlan
	if b.job.Plan.KeepsGroups(b.target) {
		kind = data.GroupedPlan
	}
	plan := data.Plan{Kind: kind, K: validBlocks, Seed: b.job.Seed}
	blocks, err := plan.Folds(b.target, valid.Rows)
	if err != nil {
		return nil
	}
	_, l, err := b.learner.lossOf(b.target)
	if err != nil {
		return nil
	}
	values := make([]float64, len(blocks))
	n, outputs := len(valid.Rows), valid.Objective.Outputs()
	for i, block := range blocks {
		p, err := boosting.NewSet(boosting.Validation, l, b.target, block.Test)
		if err != nil {
			return nil
		}
		for o := range outputs {
			for _, row := range block.Test {
				at, _ := slices.BinarySearch(valid.Rows, row)
				p.Raw = append(p.Raw, raw[o*n+at])
			}
		}
		if values[i], err = b.watch.ValueOf(p); err != nil {
			return nil
		}
	}
	return values
}

// leaders returns the best challenger of each factor, of those that are ahead of the default.
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
	return leaders
}

// affordable returns the leaders of the greatest gains whose remaining folds the budget allows, and
// the first of them in any case.
func (r *rehearsal) affordable(usual *candidate, leaders []*candidate) []*candidate {
	if len(r.folds) == r.first {
		return leaders
	}
	slices.SortStableFunc(leaders, func(a, b *candidate) int {
		if r.gain(a, b) > 0 {
			return -1
		}
		return 1
	})
	left := r.budget - r.spent - r.rest(usual)
	for i, c := range leaders {
		if left -= r.rest(c); left < 0 && i > 0 {
			return leaders[:i]
		}
	}
	return leaders
}

// rest estimates the cost of the folds that a candidate was not trained on.
func (r *rehearsal) rest(c *candidate) float64 {
	sum := 0.0
	for fold := range r.first {
		sum += r.cost(c, fold)
	}
	return sum * float64(len(r.folds)-r.first) / float64(r.first)
}

// cost returns the cost of a trial, in rows x rounds of the default.
func (r *rehearsal) cost(c *candidate, fold int) float64 {
	return float64(float64(len(r.folds[fold].Train)*c.trials[fold].rounds) * c.weight)
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
	if other.trials[0].higher {
		sign = -1
	}
	for i := range r.folds {
		if t, o := &c.trials[i], &other.trials[i]; t.done && o.done {
			gains = append(gains, sign*(o.value-t.value))
		}
	}
	mean, deviation = meanOf(gains)
	if len(gains) == 1 {
		t, o := &c.trials[0], &other.trials[0]
		if len(t.blocks) != len(o.blocks) || len(t.blocks) < 2 {
			return mean, math.Inf(1)
		}
		for i := range t.blocks {
			gains = append(gains, sign*(o.blocks[i]-t.blocks[i]))
		}
		_, deviation = meanOf(gains[1:])
	}
	return mean, deviation
}

// meanOf returns the mean of values, and its standard error.
func meanOf(values []float64) (mean, deviation float64) {
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
	return slices.ContainsFunc(c.trials, func(t trial) bool { return t.failed })
}

// report describes the candidates, and marks the winner.
func (r *rehearsal) report(winner *candidate) *report.Rehearsal {
	usual := r.tried[0]
	made := &report.Rehearsal{Rows: r.fitter.matrix.Len(), Rate: r.rate(), Metric: usual.trials[0].metric, Higher: usual.trials[0].higher}
	for _, c := range r.tried {
		t := report.Candidate{Settings: c.settings, Folds: c.folds(), Won: c == winner}
		for _, one := range c.trials[:t.Folds] {
			t.Value += one.value / float64(t.Folds)
			t.Round += float64(one.best) / float64(t.Folds)
		}
		t.Gain, t.Error = r.compare(c, usual)
		if t.Failed = r.failed(c); t.Failed || t.Error > math.MaxFloat64 {
			t.Error = 0
		}
		if t.Failed {
			t.Value, t.Gain = 0, 0
		}
		made.Folds = max(made.Folds, t.Folds)
		made.Candidates = append(made.Candidates, t)
	}
	return made
}

package gbm

import (
	"context"
	"errors"
	"slices"
	"sync"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/parallel"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/internal/boosting"
)

// trial is the result of a candidate on a fold. Checkpoints hold it.
type trial struct {
	Value  float64   `json:"value"`            // the metric at its best round
	Best   int       `json:"best"`             // that round
	Rounds int       `json:"rounds"`           // trained
	Blocks []float64 `json:"blocks,omitempty"` // the metric there, of blocks of the validation set
	Work   float64   `json:"work"`             // of the rounds
	Cut    bool      `json:"cut,omitempty"`    // the budget ended it
	Failed bool      `json:"failed,omitempty"` // training ended with an error
	done   bool
}

// knownTrial is a trial of a checkpoint, with what it was of.
type knownTrial struct {
	Settings []string `json:"settings"`
	Fold     int      `json:"fold"`
	trial
}

var errNotFinite = errors.New("the metric is not finite")

// place is a candidate on a fold, and the work that its trial may take.
type place struct {
	candidate *candidate
	fold      int
	limit     float64
}

// trial is the result of a trial.
func (p *place) trial() *trial { return &p.candidate.trials[p.fold] }

// places returns the trials of a candidate on folds, each with a limit on its work.
func (r *rehearsal) places(c *candidate, from, to int, limit float64) []place {
	if c.trials == nil {
		c.trials = make([]trial, len(r.folds))
	}
	var all []place
	for fold := from; fold < to; fold++ {
		all = append(all, place{c, fold, limit})
	}
	return all
}

// sharing is what trials have in common that have the same columns in bins.
type sharing struct {
	encoding Categories
	fold     int
}

// sharing returns that of a candidate on a fold. Without target statistics it is that of no fold.
func (r *rehearsal) sharing(c *candidate, fold int) sharing {
	l := r.plan.learner
	if err := l.take(c.settings); err != nil {
		return sharing{}
	}
	return sharing{l.Categories, fold}
}

// sharedTable is columns in bins, which the first trial that needs them makes.
type sharedTable struct {
	sync.Mutex
	table *table
}

// train carries trials out, all in parallel, and counts their work. Those that a checkpoint has are
// not repeated.
func (r *rehearsal) train(ctx context.Context, places []place) error {
	most := r.atRate(mostTrialRound)
	for _, p := range places {
		at := r.sharing(p.candidate, p.fold)
		if r.shared[at] == nil {
			r.spent += r.statisticsWork(p.candidate, p.fold)
			r.shared[at] = &sharedTable{}
		}
		if !slices.Contains(r.tried, p.candidate) {
			r.tried = append(r.tried, p.candidate)
		}
	}
	if usual := r.tried[0]; usual.trials[0].done {
		most = min(most, mostTimesRounds*usual.mostRounds()+rehearsalStops)
	}
	var open []place
	for _, p := range places {
		if known := r.knownOf(p.candidate, p.fold); known != nil {
			p.candidate.trials[p.fold] = *known
		} else {
			open = append(open, p)
		}
	}
	own := r.own(open)
	workers := parallel.Workers(r.job.Workers)
	inner, errs := max(1, workers/max(1, len(own))), make([]error, len(own))
	carry := r.carry
	if carry == nil {
		carry = r.trial
	}
	parallel.Each(workers, len(own), func(_, i int) {
		t := own[i].trial()
		*t, errs[i] = carry(ctx, own[i], most, inner)
		if t.Failed = errs[i] != nil; t.Failed {
			t.Value, t.Blocks = 0, nil
		}
	})
	if ctx.Err() != nil && slices.ContainsFunc(errs, func(err error) bool { return err != nil }) {
		return ctx.Err()
	}
	if err := r.exchange(ctx, open, inner); err != nil {
		return err
	}
	for _, p := range places {
		t := &p.candidate.trials[p.fold]
		t.done = true
		r.spent += t.Work
	}
	if len(open) == 0 {
		return nil
	}
	return r.observe()
}

// knownOf returns a trial of the checkpoint, nil if it has none of the candidate on the fold.
func (r *rehearsal) knownOf(c *candidate, fold int) *trial {
	for i := range r.known {
		k := &r.known[i]
		if k.Fold == fold && slices.Equal(k.Settings, c.settings) {
			t := k.trial
			t.done = true
			return &t
		}
	}
	return nil
}

// begin makes the training of a candidate on a fold ready for its first round.
func (r *rehearsal) begin(ctx context.Context, c *candidate, fold, most, workers int) (*training,
	error) {
	own := plan{learner: r.plan.learner, given: r.plan.given}
	l := &own.learner
	if err := l.take(c.settings); err != nil {
		return nil, err
	}
	l.LearningRate = r.rate()
	l.Trees, l.EarlyStopping, l.TrainingMetric, l.ValidFraction = most, 0, 0, 0
	l.LearningRates, l.LearningRateDecay = "", 1
	job := learn.Job{Rows: r.folds[fold].Train, Valid: r.folds[fold].Test,
		Seed: seedOf(r.job.Seed, purposeRehearsal, uint64(fold)), Workers: workers,
		Plan: r.job.Plan.Within(fold)}
	of := r.shared[r.sharing(c, fold)]
	of.Lock()
	own.table = of.table
	if of.table != nil {
		of.Unlock()
		return r.fitter.begin(ctx, own, r.target, job)
	}
	defer of.Unlock()
	b, err := r.fitter.begin(ctx, own, r.target, job)
	if err == nil {
		of.table = b.table
	}
	return b, err
}

// trial trains a candidate on a fold until its metric on the other rows does not improve, or until
// its work reaches the limit.
func (r *rehearsal) trial(ctx context.Context, p place, most, workers int) (trial, error) {
	b, err := r.begin(ctx, p.candidate, p.fold, most, workers)
	if err != nil {
		return trial{}, err
	}
	if p.candidate == r.tried[0] && p.fold == 0 {
		if err := r.refer(b); err != nil {
			return trial{}, err
		}
	}
	b.meter = newMeter(b)
	var t trial
	higher, stops := b.watch.First().Higher, r.atRate(rehearsalStops)
	var raw []float64 // of the best round
	for t.Rounds < most && !b.watch.Exhausted {
		if t.Rounds > 0 && b.meter.sum >= p.limit {
			t.Cut = true
			break
		}
		v, err := b.foldRound(ctx)
		if err != nil {
			return t, err
		}
		t.Rounds++
		if t.Best == 0 || higher && v > t.Value || !higher && v < t.Value {
			t.Best, t.Value = t.Rounds, v
			raw = append(raw[:0], b.scores.valid.Raw...)
		}
		if t.Rounds-t.Best >= stops ||
			slow(b.watch.First().Values, stops, 1, b.watch.classes) {
			break
		}
	}
	t.Work = b.meter.sum
	if t.Value-t.Value != 0 {
		return t, errNotFinite
	}
	if raw != nil {
		t.Blocks = b.blockValues(raw)
	}
	return t, nil
}

// refer takes what the rehearsal has of a training of the default: the metric, and what checkpoints
// are compared by.
func (r *rehearsal) refer(b *training) (err error) {
	first := b.watch.First()
	r.metric, r.higher, r.sum = first.Metric, first.Higher, b.checksum()
	r.blank, err = b.blank(r.plan.given)
	return err
}

// validBlocks is the number of blocks of a single validation set, by which a gain's standard error
// is estimated.
const validBlocks = 10

// blockValues evaluates the first metric on blocks of the validation set, of raw scores. Rows of a
// group are in one block, and blocks of rankings without relevant rows are left out. nil: the
// metric is not defined on some block.
func (b *training) blockValues(raw []float64) []float64 {
	valid := b.scores.valid
	plan := data.Plan{Kind: data.RandomPlan, K: validBlocks, Seed: b.job.Seed}
	t := data.Target{}
	if b.job.Plan.KeepsGroups(b.target) {
		plan.Kind, t.Group = data.GroupedPlan, b.target.Group
	}
	blocks, err := plan.Folds(&t, valid.Rows)
	if err != nil {
		return nil
	}
	_, l, err := b.learner.lossOf(b.target)
	if err != nil {
		return nil
	}
	var values []float64
	n, outputs := len(valid.Rows), valid.Objective.Outputs()
	for _, block := range blocks {
		if !b.target.Relevant(block.Test) {
			continue
		}
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
		v, err := b.watch.ValueOf(p)
		if err != nil {
			return nil
		}
		values = append(values, v)
	}
	return values
}

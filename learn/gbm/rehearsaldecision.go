package gbm

import (
	"context"
	"math"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn"
	report "github.com/coppice-ml/coppice/model/training"
)

// A candidate is certainly ahead of the default if its gain on the rows is so many standard errors
// and such a fraction of the metric. Whether the budget allows it further folds does not count
// then.
const (
	certainErrors = 3
	certainGain   = 0.01
)

// certain reports whether a candidate is certainly ahead of the default. Its gain exceeds one
// standard error over the folds, too, which the report has.
func (r *rehearsal) certain(c, usual *candidate) bool {
	if !r.beats(c, usual) {
		return false
	}
	gain, deviation := r.compareRows(c, usual)
	value, folds := 0.0, 0
	for i := range r.folds {
		if c.trials[i].done && usual.trials[i].done {
			value, folds = value+usual.trials[i].Value, folds+1
		}
	}
	return gain >= float64(certainErrors*deviation) &&
		gain >= certainGain*math.Abs(value/float64(folds))
}

// compareRows returns the mean gain of a candidate over another on the folds of both, and its
// standard error over the rows: over the blocks of all these folds.
func (r *rehearsal) compareRows(c, other *candidate) (mean, deviation float64) {
	mean, deviation = r.compare(c, other)
	var gains []float64
	for i := range r.folds {
		t, o := &c.trials[i], &other.trials[i]
		if !t.done || !o.done {
			continue
		}
		of := r.blockGains(t, o)
		if of == nil {
			return mean, deviation
		}
		gains = append(gains, of...)
	}
	_, deviation = meanOf(gains)
	return mean, deviation
}

// blockGains returns the gains of a trial over another on the blocks of a validation set; nil:
// their values are not known.
func (r *rehearsal) blockGains(t, other *trial) []float64 {
	if len(t.Blocks) != len(other.Blocks) || len(t.Blocks) < 2 {
		return nil
	}
	gains := make([]float64, len(t.Blocks))
	for i := range gains {
		if gains[i] = other.Blocks[i] - t.Blocks[i]; r.higher {
			gains[i] = -gains[i]
		}
	}
	return gains
}

// addCertain adds to the winners, for each factor without one, a challenger that was trained on the
// first folds only and is certainly ahead of the default there. The budget did not allow it further
// folds, or another challenger of the factor had these and lost:
//
//	default trained on the first folds only    it wins by these
//	default trained on all folds               it gets these, too, with the work of the default
func (r *rehearsal) addCertain(ctx context.Context, usual *candidate,
	challengers, winners []*candidate) ([]*candidate, error) {
	for {
		open := r.undecided(usual, challengers, winners)
		if len(open) == 0 || usual.folds() == r.first {
			return append(winners, open...), nil
		}
		var places []place
		one := usual.work() / float64(usual.folds())
		for _, c := range open {
			limit := max(one, c.work()/float64(c.folds()))
			places = append(places, r.places(c, r.first, len(r.folds), limit)...)
		}
		if err := r.train(ctx, places); err != nil {
			return nil, err
		}
		for _, c := range open {
			if r.beats(c, usual) {
				winners = append(winners, c)
			}
		}
	}
}

// undecided returns the best challenger of each factor without a winner, of those that are
// certainly ahead of the default on the first folds and were trained on these only.
func (r *rehearsal) undecided(usual *candidate, challengers, winners []*candidate) []*candidate {
	var open []*candidate
	for _, c := range challengers {
		if c.folds() != r.first || !r.certain(c, usual) || indexOfFactor(winners, c) >= 0 {
			continue
		}
		if at := indexOfFactor(open, c); at < 0 {
			open = append(open, c)
		} else if r.gain(c, open[at]) > 0 {
			open[at] = c
		}
	}
	return open
}

// indexOfFactor returns the place of a candidate of the same factor as c; -1: there is none.
func indexOfFactor(all []*candidate, c *candidate) int {
	return slices.IndexFunc(all, func(o *candidate) bool { return o.factor == c.factor })
}

// whole is the table of which a rehearsal has a sample of the rows.
type whole struct {
	fitter *fitter
	target *data.Target
	job    learn.Job
	fold   data.Fold // a split that the training evaluates its rounds on, with all rows
	rate   float64   // the learning rate of these rounds
}

// wholeOf returns the table of a rehearsal that has a sample of it; nil: no rows can be held out. A
// validation set, with the rows of the training set, is the split of the training.
func wholeOf(f *fitter, p *plan, t *data.Target, job learn.Job,
	rows, train, valid []int32) *whole {
	w := &whole{fitter: f, target: t, job: job, fold: data.Fold{Train: train, Test: valid}}
	w.job.Observe = nil // the checkpoints are those of the sample
	if valid != nil {
		w.rate = p.foldRate(t.Task, 1, len(train))
		return w
	}
	folds := slices.DeleteFunc(foldsOf(t, job, rows), func(f data.Fold) bool {
		return !t.Relevant(f.Test)
	})
	if len(folds) == 0 {
		return nil
	}
	w.fold = folds[0]
	w.rate = p.foldRate(t.Task, len(folds), len(w.fold.Train)+len(w.fold.Test))
	return w
}

// confirm trains the winner of a sample and the default on all rows, once. It returns the winner,
// or the default if the winner is no better by more than one standard error there: small trees, for
// one, are often better of few rows alone. The trials take the steps of the choice of rounds: with
// those of a rehearsal 8 leaves were better on 80,000 flights, too, and worse in the end.
func (r *rehearsal) confirm(ctx context.Context, winner, usual *candidate) (*candidate, error) {
	if winner == usual || r.whole == nil {
		return winner, nil
	}
	w := r.whole
	all := &rehearsal{fitter: w.fitter, plan: r.plan, target: w.target, job: w.job, first: 1,
		folds: []data.Fold{w.fold}, rows: r.rows, metric: r.metric, higher: r.higher,
		shared: map[sharing]*sharedTable{}, blank: r.blank, carry: r.carry, fixedRate: w.rate}
	if err := all.bin(ctx); err != nil {
		return nil, err
	}
	first, second := &candidate{weight: 1}, &candidate{settings: winner.settings, weight: 1}
	places := all.places(first, 0, 1, unlimited)
	if err := all.train(ctx, append(places, all.places(second, 0, 1, unlimited)...)); err != nil {
		return nil, err
	}
	c := &report.Confirmation{Settings: winner.settings,
		Rows: len(w.fold.Train) + len(w.fold.Test)}
	if all.failed(first) {
		return winner, nil // there is nothing to compare with
	}
	c.Accepted = all.beats(second, first)
	if c.Failed = all.failed(second); !c.Failed {
		c.Default, c.Value = first.trials[0].Value, second.trials[0].Value
		c.Gain, c.Error = all.compare(second, first)
		if c.Error > math.MaxFloat64 { // it is not known
			c.Error, c.Accepted = 0, c.Gain > 0
		}
	}
	if r.confirmed = c; c.Accepted {
		return winner, nil
	}
	return usual, nil
}

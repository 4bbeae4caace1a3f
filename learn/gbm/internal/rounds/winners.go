package rounds

import (
	"context"
	"math"
	"slices"
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
func (r *Race) certain(c, usual *Candidate) bool {
	if !r.beats(c, usual) {
		return false
	}
	gain, deviation := r.compareRows(c, usual)
	value, folds := 0.0, 0
	for i := range r.Folds {
		if c.trials[i].done && usual.trials[i].done {
			value, folds = value+usual.trials[i].Value, folds+1
		}
	}
	return gain >= float64(certainErrors*deviation) &&
		gain >= certainGain*math.Abs(value/float64(folds))
}

// compareRows returns the mean gain of a candidate over another on the folds of both, and its
// standard error over the rows: over the blocks of all these folds.
func (r *Race) compareRows(c, other *Candidate) (mean, deviation float64) {
	mean, deviation = r.compare(c, other)
	var gains []float64
	for i := range r.Folds {
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
func (r *Race) blockGains(t, other *Trial) []float64 {
	if len(t.Blocks) != len(other.Blocks) || len(t.Blocks) < 2 {
		return nil
	}
	gains := make([]float64, len(t.Blocks))
	for i := range gains {
		if gains[i] = other.Blocks[i] - t.Blocks[i]; r.Higher {
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
func (r *Race) addCertain(ctx context.Context, usual *Candidate,
	challengers, winners []*Candidate) ([]*Candidate, error) {
	for {
		open := r.undecided(usual, challengers, winners)
		if len(open) == 0 || usual.folds() == r.First {
			return append(winners, open...), nil
		}
		var places []place
		one := usual.work() / float64(usual.folds())
		for _, c := range open {
			limit := max(one, c.work()/float64(c.folds()))
			places = append(places, r.places(c, r.First, len(r.Folds), limit)...)
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
func (r *Race) undecided(usual *Candidate, challengers, winners []*Candidate) []*Candidate {
	var open []*Candidate
	for _, c := range challengers {
		if c.folds() != r.First || !r.certain(c, usual) || indexOfFactor(winners, c) >= 0 {
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
func indexOfFactor(all []*Candidate, c *Candidate) int {
	return slices.IndexFunc(all, func(o *Candidate) bool { return o.Factor == c.Factor })
}

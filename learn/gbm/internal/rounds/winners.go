package rounds

import (
	"context"
	"slices"
)

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
			if r.Metric.beats(c, usual) {
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
		if c.folds() != r.First || !r.Metric.certain(c, usual) || indexOfFactor(winners, c) >= 0 {
			continue
		}
		if at := indexOfFactor(open, c); at < 0 {
			open = append(open, c)
		} else if r.Metric.gain(c, open[at]) > 0 {
			open[at] = c
		}
	}
	return open
}

// indexOfFactor returns the place of a candidate of the same factor as c; -1: there is none.
func indexOfFactor(all []*Candidate, c *Candidate) int {
	return slices.IndexFunc(all, func(o *Candidate) bool { return o.Factor == c.Factor })
}

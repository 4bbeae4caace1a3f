package rounds

import (
	"context"
	"slices"
)

// decidedErrors is by how many standard errors over the rows a leader is ahead on several folds, if
// further ones are not to be asked.
const decidedErrors = 2

// inTurn trains the default and leaders of a race on the other folds, one after the other. A leader
// that a fold has decided about is not trained on the next ones, and the default is not if there is
// no other:
//
//	                 fold 0  fold 1  fold 2
//	default             *       *       *
//	leaves=8            *       *               ahead on both, by two standard errors: wins
//	colsample=1         *       *               behind on both together: loses
//	categories=native   *       *       *
func inTurn(ctx context.Context, r *Race, usual *Candidate, leaders []*Candidate,
	places []place) error {
	open := slices.Clone(leaders)
	for fold := r.First; fold < len(r.Folds) && len(open) > 0; fold++ {
		var next []place
		for _, p := range places {
			if p.fold == fold && (p.candidate == usual || slices.Contains(open, p.candidate)) {
				next = append(next, p)
			}
		}
		if err := r.train(ctx, next); err != nil {
			return err
		}
		open = slices.DeleteFunc(open, func(c *Candidate) bool { return r.Metric.decided(c, usual) })
	}
	return nil
}

// addCertain adds to the winners, for each factor without one, a challenger that was trained on the
// first folds only and is certainly ahead of the default there. The budget did not allow it further
// folds, or another challenger of the factor had these and lost:
//
//	default trained on the first folds only    it wins by these
//	default trained on further folds           it gets these, too, with the work of the default
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
			places = append(places, r.places(c, r.First, usual.folds(), limit)...)
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
		if c.folds() != r.First || !r.Metric.certain(c, usual) || indexOfFactor(winners, c) >= 0 ||
			!c.worth(r, challengers) {
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

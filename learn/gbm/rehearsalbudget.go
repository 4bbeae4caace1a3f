package gbm

import (
	"context"
	"slices"
)

const (
	// Fraction of the budget that challengers may take on the first folds. The rest is for the
	// other folds of the leaders.
	screened = 0.65
	// Least work of a trial, in that of the default's times the weight of the candidate. Shorter
	// ones show nothing.
	leastTrial = 0.5
	// The same for a leader on further folds, in the work of its trials so far.
	leastLeader = 0.8
)

// left returns the work that the budget still allows.
func (r *rehearsal) left() float64 { return max(0, r.budget-r.spent) }

// setup returns the work of a candidate on folds before its first rounds: that of target
// statistics, unless another trial has computed the same.
func (r *rehearsal) setup(c *candidate, from, to int) float64 {
	sum := 0.0
	for fold := from; fold < to; fold++ {
		if r.shared[r.sharing(c, fold)] == nil {
			sum += r.statisticsWork(c, fold)
		}
	}
	return sum
}

// statisticsWork returns the work of target statistics of a candidate on a fold.
func (r *rehearsal) statisticsWork(c *candidate, fold int) float64 {
	l := r.plan.learner
	if err := l.take(c.settings); err != nil {
		return 0 // its trial reports the error
	}
	return l.statisticsWork(r.fitter.frame, len(r.folds[fold].Train), r.target)
}

// screen trains the challengers on the first folds, one factor after the other. What a factor does
// not use of its work is left to the next ones. It returns the challengers that were trained.
func (r *rehearsal) screen(ctx context.Context, usual *candidate) ([]*candidate, error) {
	groups := r.payable(usual)
	var all []*candidate
	for i, group := range groups {
		setup, weights := 0.0, 0.0
		for _, later := range groups[i:] {
			for _, c := range later {
				setup += r.setup(c, 0, r.first)
				weights += c.weight
			}
		}
		limit := (float64(screened*r.budget) - r.spent - setup) / weights / float64(r.first)
		var places []place
		for _, c := range group {
			places = append(places, r.places(c, 0, r.first, limit*c.weight)...)
		}
		if err := r.train(ctx, places); err != nil {
			return nil, err
		}
		all = append(all, group...)
	}
	return all, nil
}

// payable returns the challengers by factor, without the most costly ones where the budget does not
// allow the least trials of all.
func (r *rehearsal) payable(usual *candidate) [][]*candidate {
	groups := r.challengers(usual)
	left := float64(screened*r.budget) - r.spent
	for {
		sum, most := 0.0, 0.0
		var dearest *candidate
		for _, group := range groups {
			for _, c := range group {
				least := r.setup(c, 0, r.first) + float64(leastTrial*usual.work()*c.weight)
				if sum += least; least >= most {
					most, dearest = least, c
				}
			}
		}
		if sum <= left || dearest == nil {
			return groups
		}
		r.skipped = append(r.skipped, dearest)
		for i := range groups {
			groups[i] = slices.DeleteFunc(groups[i], func(c *candidate) bool {
				return c == dearest
			})
		}
	}
}

// remaining returns the trials of the default and of leaders on the other folds, and those leaders
// that the budget allows. The default has no limit, for its values are what others are compared
// with.
func (r *rehearsal) remaining(usual *candidate, leaders []*candidate) ([]*candidate, []place) {
	folds := len(r.folds)
	more := float64(folds-r.first) / float64(r.first) // times the work so far
	left := r.left() - r.setup(usual, r.first, folds) - float64(more*usual.work())
	var work float64
	for i, c := range leaders {
		setup := 0.0
		if r.sharing(c, 0) != r.sharing(usual, 0) {
			setup = r.setup(c, r.first, folds)
		}
		if own := float64(more * c.work()); left-setup < float64(leastLeader*(work+own)) {
			leaders = leaders[:i]
			break
		} else {
			work, left = work+own, left-setup
		}
	}
	places := r.places(usual, r.first, folds, unlimited)
	for _, c := range leaders {
		limit := left / work * c.work() / float64(r.first)
		places = append(places, r.places(c, r.first, folds, limit)...)
	}
	return leaders, places
}

// together returns the candidate with the settings of leaders, and its trials on as many folds as
// the budget allows; nil: there is one leader, or the folds are too few.
func (r *rehearsal) together(usual *candidate, leaders []*candidate) (*candidate, []place) {
	if len(leaders) < 2 {
		return nil, nil
	}
	both := together(leaders)
	one := usual.work() / float64(usual.folds())
	fold := one
	for _, c := range leaders {
		fold *= max(1, c.work()/float64(c.folds())/one)
	}
	for folds := usual.folds(); folds >= r.first; folds-- {
		left := r.left() - r.setup(both, 0, folds)
		if left >= float64(leastLeader*fold)*float64(folds) {
			return both, r.places(both, 0, folds, left/float64(folds))
		}
	}
	return nil, nil
}

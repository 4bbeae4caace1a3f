package rounds

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
	// Best round of the default from which a table has enough to be found that challengers which
	// wait for others are tried without these. Where fewer are best, they gain little.
	manyNeeded = 40
	// Part of the best metric of all others that such a challenger gains, if it is to win.
	waitedGain = 0.05
)

// left returns the work that the budget still allows.
func (r *Race) left() float64 { return max(0, r.budget-r.spent) }

// setup returns the work of a candidate on folds before its first rounds, unless another trial has
// prepared the same.
func (r *Race) setup(c *Candidate, from, to int) float64 {
	sum := 0.0
	for fold := from; fold < to; fold++ {
		if what, work := r.Preparation(c.Settings, fold); !r.prepared[what] {
			sum += work
		}
	}
	return sum
}

// preparation returns the columns of a candidate on a fold.
func (r *Race) preparation(c *Candidate, fold int) Prepared {
	what, _ := r.Preparation(c.Settings, fold)
	return what
}

// screen trains the challengers on the first folds, one factor after the other. What a factor does
// not use of its work is left to the next ones. It returns the challengers that were trained.
func (r *Race) screen(ctx context.Context, usual *Candidate) ([]*Candidate, error) {
	groups := r.payable(usual)
	var all []*Candidate
	for i := range groups {
		groups[i] = append(groups[i], r.called(usual, i, all)...)
		group := groups[i]
		setup, weights := 0.0, 0.0
		for _, later := range groups[i:] {
			for _, c := range later {
				setup += r.setup(c, 0, r.First)
				weights += c.Weight
			}
		}
		limit := (float64(screened*r.budget) - r.spent - setup) / weights / float64(r.First)
		var places []place
		for _, c := range group {
			places = append(places, r.places(c, 0, r.First, limit*c.Weight)...)
		}
		if err := r.train(ctx, places); err != nil {
			return nil, err
		}
		all = append(all, group...)
	}
	return all, nil
}

// called returns the challengers of a factor that wait for those of another one, if one of these is
// certainly ahead of the default, or if the default takes many rounds on all of few rows. The
// budget has to allow their least trials, too.
func (r *Race) called(usual *Candidate, factor int, tried []*Candidate) []*Candidate {
	var all []*Candidate
	left := float64(screened*r.budget) - r.spent
	many := r.Sample == nil && r.Rows <= fewRows && usual.trials[0].Best >= manyNeeded
	for _, c := range r.Challengers[factor] {
		least := r.setup(c, 0, r.First) + float64(leastTrial*usual.work()*c.Weight)
		if c.Upon != "" && least <= left && (many || c.isCalled(r, tried)) {
			all, left = append(all, c), left-least
		}
	}
	return all
}

// isCalled reports whether another one of the factor that a challenger waits for is certainly
// ahead.
func (c *Candidate) isCalled(r *Race, tried []*Candidate) bool {
	return slices.ContainsFunc(tried, func(o *Candidate) bool {
		return o.Factor == c.Upon && r.Metric.certain(o, r.tried[0])
	})
}

// worth reports whether a challenger is worth its time. One that waits, and was not called, takes
// twice that of the default, and has to gain enough over this and all others.
func (c *Candidate) worth(r *Race, challengers []*Candidate) bool {
	if c.Upon == "" || c.isCalled(r, challengers) {
		return true
	}
	best := r.tried[0]
	for _, o := range challengers {
		if o != c && !o.failed() && r.Metric.gain(o, best) > 0 {
			best = o
		}
	}
	return r.Metric.gain(c, best) > float64(waitedGain*r.Metric.valueBeside(best, c))
}

// payable returns the challengers by factor that wait for no other, without the most costly ones
// where the budget does not allow the least trials of all.
func (r *Race) payable(usual *Candidate) [][]*Candidate {
	groups := slices.Clone(r.Challengers)
	for i := range groups {
		groups[i] = slices.DeleteFunc(slices.Clone(groups[i]), func(c *Candidate) bool {
			return c.Upon != ""
		})
	}
	left := float64(screened*r.budget) - r.spent
	for {
		sum, most := 0.0, 0.0
		var dearest *Candidate
		for _, group := range groups {
			for _, c := range group {
				least := r.setup(c, 0, r.First) + float64(leastTrial*usual.work()*c.Weight)
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
			groups[i] = slices.DeleteFunc(groups[i], func(c *Candidate) bool {
				return c == dearest
			})
		}
	}
}

// remaining returns the trials of the default and of leaders on the other folds, and those leaders
// that the budget allows. The default has no limit, for its values are what others are compared
// with.
func (r *Race) remaining(usual *Candidate, leaders []*Candidate) ([]*Candidate, []place) {
	folds := len(r.Folds)
	more := float64(folds-r.First) / float64(r.First) // times the work so far
	left := r.left() - r.setup(usual, r.First, folds) - float64(more*usual.work())
	var work float64
	for i, c := range leaders {
		setup := 0.0
		if r.preparation(c, 0) != r.preparation(usual, 0) {
			setup = r.setup(c, r.First, folds)
		}
		if own := float64(more * c.work()); left-setup < float64(leastLeader*(work+own)) {
			leaders = leaders[:i]
			break
		} else {
			work, left = work+own, left-setup
		}
	}
	places := r.places(usual, r.First, folds, unlimited)
	for _, c := range leaders {
		limit := left / work * c.work() / float64(r.First)
		places = append(places, r.places(c, r.First, folds, limit)...)
	}
	return leaders, places
}

// strong returns the leaders that are certainly ahead on the first folds, if there are several and
// the budget does not allow all folds of all leaders and then a trial of them together; nil
// otherwise. What the factors bring together exceeds what further folds could correct:
//
//	              fold 0  fold 1  fold 2
//	default          *
//	colsample=1      *                    certainly ahead
//	leaves=8         *                    certainly ahead
//	together         *                    by the work of the other folds
func (r *Race) strong(usual *Candidate, leaders []*Candidate) []*Candidate {
	var certain []*Candidate
	for _, c := range leaders {
		if r.Metric.certain(c, usual) {
			certain = append(certain, c)
		}
	}
	folds := len(r.Folds)
	if len(certain) < 2 || folds == r.First {
		return nil
	}
	more := float64(folds-r.First) / float64(r.First)
	need := r.setup(usual, r.First, folds) + float64(more*usual.work()) +
		float64(leastLeader*workTogether(usual, leaders)*float64(r.First))
	for _, c := range leaders {
		if r.preparation(c, 0) != r.preparation(usual, 0) {
			need += r.setup(c, r.First, folds)
		}
		need += float64(leastLeader * more * c.work())
	}
	if need <= r.left() {
		return nil
	}
	return certain
}

// workTogether estimates the work of a trial of the settings of leaders on a fold.
func workTogether(usual *Candidate, leaders []*Candidate) float64 {
	one := usual.work() / float64(usual.folds())
	work := one
	for _, c := range leaders {
		work *= max(1, c.work()/float64(c.folds())/one)
	}
	return work
}

// together returns the candidate with the settings of leaders, and its trials on as many folds as
// the budget allows; nil: there is one leader, or the folds are too few.
func (r *Race) together(usual *Candidate, leaders []*Candidate) (*Candidate, []place) {
	if len(leaders) < 2 {
		return nil, nil
	}
	both := together(leaders)
	fold := workTogether(usual, leaders)
	for folds := usual.folds(); folds >= r.First; folds-- {
		left := r.left() - r.setup(both, 0, folds)
		if left >= float64(leastLeader*fold)*float64(folds) {
			return both, r.places(both, 0, folds, left/float64(folds))
		}
	}
	return nil, nil
}

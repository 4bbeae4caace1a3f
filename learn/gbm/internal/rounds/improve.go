package rounds

import (
	"context"
	"slices"
)

const (
	// notableGain is the part of the default's metric that a winner gains, if others beside it are
	// to be tried. Where settings matter so much, factors act together: one that loses beside the
	// default may win beside the winner.
	notableGain = 0.15
	// mostImprovements is how often the winner is replaced by one beside it.
	mostImprovements = 3
)

// improve tries the winner of a race on all rows with another choice in one factor, and goes on
// from the best of these as long as one is better. It takes once more the work of the choice of
// rounds at most:
//
//	default                                   0.118
//	leaves=8                                  0.095   wins the race
//	leaves=8 colsample=1                      0.081   the best beside it
//	growth=symmetric colsample=1              0.052   the best beside that
func improve(ctx context.Context, r *Race, winner, usual *Candidate) (*Candidate, error) {
	least := float64(notableGain * r.Metric.valueBeside(usual, winner))
	if r.Metric.gain(winner, usual) < least {
		return winner, nil
	}
	end := r.spent + r.budget
	for range mostImprovements {
		folds := min(r.First, winner.folds())
		variants, setup, weights := beside(r, winner), 0.0, 0.0
		for _, c := range variants {
			setup += r.setup(c, 0, folds)
			weights += c.Weight
		}
		limit := (end - r.spent - setup) / weights / float64(folds)
		one := winner.work() / float64(winner.folds())
		if len(variants) == 0 || limit*winner.Weight < float64(leastTrial*one) {
			break
		}
		var places []place
		for _, c := range variants {
			places = append(places, r.places(c, 0, folds, limit*c.Weight)...)
		}
		if err := r.train(ctx, places); err != nil {
			return nil, err
		}
		best := winner
		for _, c := range variants {
			if gain, deviation := r.Metric.compareRows(c, winner); !c.failed() && gain > deviation &&
				(best == winner || gain > r.Metric.gain(best, winner)) {
				best = c
			}
		}
		if best == winner {
			break
		}
		winner = best
	}
	return winner, nil
}

// beside returns the candidates that differ from the winner in one factor and were not tried.
func beside(r *Race, winner *Candidate) []*Candidate {
	var others []*Candidate
	for _, group := range r.Challengers {
		for _, c := range group {
			if v := besideIn(r, winner, c); !within(c.Settings, winner.Settings) && v.folds() == 0 {
				others = append(others, v)
			}
		}
	}
	return others
}

// besideIn returns the winner with a challenger in place of its own of the factor.
func besideIn(r *Race, winner, c *Candidate) *Candidate {
	own := []*Candidate{c}
	for _, part := range partsOf(r, winner) {
		if indexOfFactor(own, part) < 0 {
			own = append(own, part)
		}
	}
	return jointOf(r, own)
}

// partsOf returns the challengers that a candidate is made of, one a factor.
func partsOf(r *Race, c *Candidate) []*Candidate {
	var parts []*Candidate
	for _, group := range r.Challengers {
		var part *Candidate
		for _, one := range group {
			if within(one.Settings, c.Settings) &&
				(part == nil || len(one.Settings) > len(part.Settings)) {
				part = one
			}
		}
		if part != nil {
			parts = append(parts, part)
		}
	}
	return slices.Clip(parts)
}

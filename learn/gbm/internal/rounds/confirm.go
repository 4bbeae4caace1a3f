package rounds

import (
	"context"
	"math"
	"slices"

	report "github.com/coppice-ml/coppice/model/training"
)

// mostConfirmed is the number of finalists of a sample that are trained on all rows at most.
const mostConfirmed = 3

// confirm trains the finalists of a sample, the best first, and the default on all rows, once each.
// It returns the first that is better than the default by more than one standard error there, or
// the default if none is: small trees, for one, are often better of few rows alone. The trials take
// the steps of the choice of rounds: with those of a rehearsal 8 leaves were better on 80,000
// flights, too, and worse in the end. Without a sample the best finalist needs no confirmation, see
// improve.
func (r *Race) confirm(ctx context.Context, finalists []*Candidate,
	usual *Candidate) (*Candidate, error) {
	if len(finalists) == 0 {
		return usual, nil
	}
	if r.Sample == nil {
		return improve(ctx, r, finalists[0], usual)
	}
	all, err := r.Sample.Whole(ctx)
	if err != nil {
		return nil, err
	}
	all.Metric = r.Metric
	first := &Candidate{Weight: 1}
	places := all.places(first, 0, 1, unlimited)
	for asked := finalists[:min(len(finalists), mostConfirmed)]; len(asked) > 0; {
		n := 1
		if asked[0].folds() == 0 {
			n = min(2, len(asked)) // the sample does not say which is better
		}
		own := make([]*Candidate, n)
		for i := range own {
			own[i] = &Candidate{Settings: asked[i].Settings, Weight: 1}
			places = append(places, all.places(own[i], 0, 1, unlimited)...)
		}
		if err := all.train(ctx, places); err != nil {
			return nil, err
		}
		if places = nil; first.failed() {
			return finalists[0], nil // there is nothing to compare with
		}
		var winner, confirmed *Candidate
		gain := 0.0
		for i, c := range own {
			made := all.confirmation(c, first)
			if made.Accepted && made.Gain > gain {
				winner, confirmed, gain = asked[i], c, made.Gain
			}
			r.confirmed = append(r.confirmed, made)
		}
		if asked = asked[n:]; winner != nil {
			if gain < float64(largeGain*math.Abs(first.trials[0].Value)) {
				return winner, nil
			}
			return extend(ctx, r, all, winner, confirmed, first)
		}
	}
	return usual, nil
}

// largeGain is the part of the default's metric that a winner gains on all rows, if variants of it
// are to be tried there. Where settings matter so much, the best of each factor counts, and a
// sample says little about it: its errors are larger than all that is left.
const largeGain = 0.2

// mostVariants is how many variants of a winner are tried on all rows.
const mostVariants = 2

// extend tries variants of the winner on all rows, and returns the best of all. confirmed and first
// are the trials of the winner and of the default there.
func extend(ctx context.Context, r, all *Race, winner, confirmed,
	first *Candidate) (*Candidate, error) {
	var own []*Candidate
	var places []place
	variants := variantsOf(r, winner)
	for i, c := range variants {
		own = append(own, &Candidate{Settings: c.Settings, Weight: 1})
		places = append(places, all.places(own[i], 0, 1, unlimited)...)
	}
	if err := all.train(ctx, places); err != nil {
		return nil, err
	}
	for i, c := range own {
		made := all.confirmation(c, first)
		r.confirmed = append(r.confirmed, made)
		if made.Accepted && all.Metric.gain(c, confirmed) > 0 {
			winner, confirmed = variants[i], c
		}
	}
	if !slices.Contains(r.tried, winner) {
		r.tried = append(r.tried, winner)
	}
	return winner, nil
}

// variantsOf returns the winner with another choice in one factor: the challengers that may be
// better than the default on the sample, the best first. Those that were asked on all rows are left
// out.
func variantsOf(r *Race, winner *Candidate) []*Candidate {
	var variants, others []*Candidate
	for _, c := range r.tried {
		if c.Factor != "" && c.folds() > 0 && !c.failed() && !within(c.Settings, winner.Settings) &&
			r.Metric.promises(c, r.tried[0]) {
			others = append(others, c)
		}
	}
	r.Metric.bestFirst(others, r.tried[0])
	for _, c := range others {
		if v := besideIn(r, winner, c); !wasAsked(r, v) && len(variants) < mostVariants {
			variants = append(variants, v)
		}
	}
	return variants
}

// jointOf returns the candidate with the settings of several, which the sample may have tried.
func jointOf(r *Race, several []*Candidate) *Candidate {
	both := together(several)
	for _, c := range r.tried {
		if sameSettings(c.Settings, both.Settings) {
			return c
		}
	}
	both.trials = make([]Trial, len(r.Folds))
	return both
}

// within reports whether settings are among others.
func within(settings, others []string) bool {
	return !slices.ContainsFunc(settings, func(s string) bool { return !slices.Contains(others, s) })
}

// sameSettings reports whether settings are the same in any order.
func sameSettings(a, b []string) bool { return len(a) == len(b) && within(a, b) }

// wasAsked reports whether settings were tried on all rows.
func wasAsked(r *Race, c *Candidate) bool {
	return slices.ContainsFunc(r.confirmed, func(made report.Confirmation) bool {
		return sameSettings(made.Settings, c.Settings)
	})
}

// confirmation compares a finalist with the default on all rows.
func (r *Race) confirmation(own, usual *Candidate) report.Confirmation {
	c := report.Confirmation{Settings: own.Settings,
		Rows: len(r.Folds[0].Train) + len(r.Folds[0].Test), Accepted: r.Metric.beats(own, usual)}
	if c.Failed = own.failed(); c.Failed {
		return c
	}
	c.Default, c.Value = usual.trials[0].Value, own.trials[0].Value
	c.Gain, c.Error = r.Metric.compare(own, usual)
	if c.Error > math.MaxFloat64 { // it is not known
		c.Error, c.Accepted = 0, c.Gain > 0
	}
	return c
}

package rounds

import (
	"context"
	"math"

	report "github.com/coppice-ml/coppice/model/training"
)

// mostConfirmed is the number of finalists of a sample that are trained on all rows at most.
const mostConfirmed = 3

// confirm trains the finalists of a sample, the best first, and the default on all rows, once each.
// It returns the first that is better than the default by more than one standard error there, or
// the default if none is: small trees, for one, are often better of few rows alone. The trials take
// the steps of the choice of rounds: with those of a rehearsal 8 leaves were better on 80,000
// flights, too, and worse in the end. Without a sample the best finalist needs no confirmation.
func (r *Race) confirm(ctx context.Context, finalists []*Candidate,
	usual *Candidate) (*Candidate, error) {
	if len(finalists) == 0 {
		return usual, nil
	}
	if r.Sample == nil {
		return finalists[0], nil
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
		var winner *Candidate
		gain := 0.0
		for i, c := range own {
			made := all.confirmation(c, first)
			if made.Accepted && made.Gain > gain {
				winner, gain = asked[i], made.Gain
			}
			r.confirmed = append(r.confirmed, made)
		}
		if asked = asked[n:]; winner != nil {
			return winner, nil
		}
	}
	return usual, nil
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

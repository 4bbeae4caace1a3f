package rounds

import (
	"cmp"
	"context"
	"math"
	"slices"
)

// SmallerPart is the part of the rows of a sample that a forecast compares with the whole sample.
const SmallerPart = 1.0 / 3

// leastGrowth is how many times the training rows of a race the final ones are at least, if gains
// are to be forecast for them. Where the sample is half of the rows the confirmation is enough.
const leastGrowth = 2.5

// Forecasts reports whether a race that trains on some rows needs a forecast for more of them.
func Forecasts(rows, all int) bool { return float64(all) >= float64(leastGrowth*float64(rows)) }

// surprise is how many standard errors a forecast gain has at least, if a candidate that did not
// win on the sample becomes a finalist.
const surprise = 2

// forecast compares the gains of candidates on the first fold with those on a third of its rows,
// and continues the line to the rows of the final training. It returns the winners of which a gain
// is left there, and those of the others that gain enough there alone, the greatest gain first.
// Fewer rows favour smaller trees, and the standard error of a gain does not cover that:
//
//	gain of leaves=8    *
//	                         *
//	0 - - - - - - - - - - - - - - - - -
//	                                  o    forecast: no finalist
//	rows (log)         1/3   1        all
func (o *OtherRows) forecast(ctx context.Context, r *Race,
	challengers, winners []*Candidate) ([]*Candidate, error) {
	if o == nil || o.Smaller == nil {
		return winners, nil
	}
	usual := r.tried[0]
	asked := slices.DeleteFunc(slices.Clone(challengers), func(c *Candidate) bool {
		return c.failed() || c.folds() == 0
	})
	part, work := float64(SmallerPart), usual.trials[0].Work
	for _, c := range asked {
		work += c.trials[0].Work
	}
	if float64(part*work) > r.left() {
		asked = winners
	}
	if len(asked) == 0 {
		return winners, nil
	}
	small := o.Smaller()
	small.Metric = r.Metric
	first := &Candidate{Weight: 1}
	places := small.places(first, 0, 1, unlimited)
	own := make([]*Candidate, len(asked))
	for i, c := range asked {
		own[i] = &Candidate{Settings: c.Settings, Weight: 1}
		places = append(places, small.places(own[i], 0, 1, c.trials[0].Work)...)
	}
	if err := small.train(ctx, places); err != nil {
		return nil, err
	}
	if r.spent += small.spent; first.failed() {
		return winners, nil
	}
	steps := math.Log(float64(o.Final)/float64(len(r.Folds[0].Train))) / -math.Log(part)
	var kept []*Candidate
	for i, c := range asked {
		gain, deviation := r.Metric.continued(&c.trials[0], &usual.trials[0], &own[i].trials[0],
			&first.trials[0], steps)
		if own[i].failed() {
			continue
		}
		c.forecast = &gain
		least := 0.0
		if !slices.Contains(winners, c) {
			least = float64(surprise * deviation)
		}
		if !(gain > least) {
			continue
		}
		if at := indexOfFactor(kept, c); at < 0 {
			kept = append(kept, c)
		} else if gain > *kept[at].forecast {
			kept[at] = c
		}
	}
	slices.SortStableFunc(kept, func(a, b *Candidate) int {
		return cmp.Compare(*b.forecast, *a.forecast)
	})
	return kept, nil
}

// farAhead is the part of the default's metric by which a leader of the sample is far ahead.
const farAhead = 0.1

// refused returns the two best leaders of a sample together, as a finalist, where the best is far
// ahead and the forecasts leave none: what is at stake is worth a training on all rows. There each
// alone may be worse, and both far better, as for products of many columns.
func refused(r *Race, usual *Candidate, leaders []*Candidate) []*Candidate {
	if r.Sample == nil || len(leaders) < 2 ||
		r.Metric.gain(leaders[0], usual) < float64(farAhead*r.Metric.valueBeside(usual, leaders[0])) {
		return nil
	}
	both := jointOf(r, leaders[:2])
	if !slices.Contains(r.tried, both) {
		r.tried = append(r.tried, both)
	}
	return []*Candidate{both}
}

// continued returns the gain of a trial over another's, as a fraction of the metric, continued by
// steps from the gain of two trials on fewer rows, and its standard error over blocks.
func (m Metric) continued(t, other, smaller, smallerOther *Trial,
	steps float64) (gain, deviation float64) {
	relative := func(t, other *Trial) (mean float64, blocks []float64) {
		value := math.Abs(other.Value)
		for _, g := range m.blockGains(t, other) {
			blocks = append(blocks, g/value)
		}
		mean = (other.Value - t.Value) / value
		if m.Higher {
			mean = -mean
		}
		return mean, blocks
	}
	large, ofLarge := relative(t, other)
	small, ofSmall := relative(smaller, smallerOther)
	gain = large + float64(steps*(large-small))
	if len(ofLarge) != len(ofSmall) || len(ofLarge) < 2 {
		return gain, math.Inf(1)
	}
	for i, g := range ofLarge {
		ofLarge[i] = g + float64(steps*(g-ofSmall[i]))
	}
	_, deviation = meanOf(ofLarge)
	return gain, deviation
}

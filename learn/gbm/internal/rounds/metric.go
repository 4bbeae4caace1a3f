package rounds

import (
	"cmp"
	"math"
	"slices"
)

// Metric is what candidates are compared by.
type Metric struct {
	Name   string // "": no training has been begun
	Higher bool   // greater values are better
}

// A candidate is certainly ahead of the default if its gain on the rows is so many standard errors
// and such a fraction of the metric. Whether the budget allows it further folds does not count
// then.
const (
	certainErrors = 3
	certainGain   = 0.01
)

// promisedErrors is by how many standard errors over the rows a candidate leads on the first folds
// at least, if further ones are to be worth their time.
const promisedErrors = 0.5

// promises reports whether a candidate is so far ahead of the default on the first folds that it
// may win on all of them.
func (m Metric) promises(c, usual *Candidate) bool {
	gain, deviation := m.compareRows(c, usual)
	if math.IsInf(deviation, 0) { // it is not known
		deviation = 0
	}
	return gain > 0 && gain > float64(promisedErrors*deviation)
}

// gain returns the mean gain of a candidate over another, on the folds of both. Above 0 it is
// better.
func (m Metric) gain(c, other *Candidate) float64 {
	gain, _ := m.compare(c, other)
	return gain
}

// bestFirst sorts candidates by their gains over another, on the folds of each.
func (m Metric) bestFirst(all []*Candidate, other *Candidate) {
	slices.SortStableFunc(all, func(a, b *Candidate) int {
		return cmp.Compare(m.gain(b, other), m.gain(a, other))
	})
}

// beats reports whether the gain of a candidate exceeds one standard error.
func (m Metric) beats(c, usual *Candidate) bool {
	gain, deviation := m.compare(c, usual)
	return !c.failed() && gain > deviation && gain > 0
}

// compare returns the mean paired gain of a candidate over another, and its standard error: over
// the folds of both, or over blocks of a single one.
func (m Metric) compare(c, other *Candidate) (mean, deviation float64) {
	var gains []float64
	sign := 1.0
	if m.Higher {
		sign = -1
	}
	for i := range c.trials {
		if t, o := &c.trials[i], &other.trials[i]; t.done && o.done {
			gains = append(gains, sign*(o.Value-t.Value))
		}
	}
	mean, deviation = meanOf(gains)
	if len(gains) == 1 {
		of := m.blockGains(&c.trials[0], &other.trials[0])
		if of == nil {
			return mean, math.Inf(1)
		}
		_, deviation = meanOf(of)
	}
	return mean, deviation
}

// certain reports whether a candidate is certainly ahead of the default. Its gain exceeds one
// standard error over the folds, too, which the report has.
func (m Metric) certain(c, usual *Candidate) bool {
	if !m.beats(c, usual) {
		return false
	}
	gain, deviation := m.compareRows(c, usual)
	return gain >= float64(certainErrors*deviation) &&
		gain >= float64(certainGain*m.valueBeside(usual, c))
}

// valueBeside returns the size of a candidate's mean value on the folds of another one, too.
func (m Metric) valueBeside(c, other *Candidate) float64 {
	value, folds := 0.0, 0
	for i := range other.trials {
		if other.trials[i].done && c.trials[i].done {
			value, folds = value+c.trials[i].Value, folds+1
		}
	}
	return math.Abs(value / float64(folds))
}

// decided reports whether further folds need not be asked about a leader: it is ahead by more than
// one standard error over the folds and two over the rows, or not ahead at all.
func (m Metric) decided(c, usual *Candidate) bool {
	gain, deviation := m.compareRows(c, usual)
	return c.failed() || gain <= 0 || m.beats(c, usual) && gain > float64(decidedErrors*deviation)
}

// compareRows returns the mean gain of a candidate over another on the folds of both, and its
// standard error over the rows: over the blocks of all these folds.
func (m Metric) compareRows(c, other *Candidate) (mean, deviation float64) {
	mean, deviation = m.compare(c, other)
	var gains []float64
	for i := range c.trials {
		t, o := &c.trials[i], &other.trials[i]
		if !t.done || !o.done {
			continue
		}
		of := m.blockGains(t, o)
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
func (m Metric) blockGains(t, other *Trial) []float64 {
	if len(t.Blocks) != len(other.Blocks) || len(t.Blocks) < 2 {
		return nil
	}
	gains := make([]float64, len(t.Blocks))
	for i := range gains {
		if gains[i] = other.Blocks[i] - t.Blocks[i]; m.Higher {
			gains[i] = -gains[i]
		}
	}
	return gains
}

// meanOf returns the mean of values, and its standard error.
func meanOf(values []float64) (mean, standardError float64) {
	n := float64(len(values))
	for _, v := range values {
		mean += v / n
	}
	sum := 0.0
	for _, v := range values {
		sum += float64((v - mean) * (v - mean))
	}
	return mean, math.Sqrt(sum / max(n-1, 1) / n)
}

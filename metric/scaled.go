package metric

import "math"

// Sums of squares of numbers that float64 holds may overflow, or vanish. What is in neither danger
// is computed as it is; the rest is computed again in units of powers of two that no value and no
// weight exceeds, by which the result is multiplied.

// leastSum is the least sum of sizes or squares by weight, and the least mean, that cannot have
// lost digits to underflow.
const leastSum = 0x1p-800

// scaled returns rows with labels, predictions and weights of at most 1, and the exponent of the
// power of two that labels and predictions were divided by.
func scaled(each passes) (small passes, exponent int) {
	exponent, weight := noExponent, noExponent
	each(func(s *Sample) {
		exponent = max(exponent, exponentOf(s.Y), exponentOf(s.Pred))
		weight = max(weight, exponentOf(s.Weight))
	})
	return func(f func(s *Sample)) {
		each(func(s *Sample) {
			copied := *s
			copied.Y, copied.Pred = divided(s.Y, exponent), divided(s.Pred, exponent)
			copied.Weight = divided(s.Weight, weight)
			f(&copied)
		})
	}, exponent
}

// noExponent is less than the exponent of any value but 0.
const noExponent = math.MinInt16

// exponentOf returns the least exponent of a power of two that is above the sizes of all values,
// noExponent where all are 0.
func exponentOf(values []float64) int {
	most := 0.0
	for _, v := range values {
		most = max(most, math.Abs(v))
	}
	if most == 0 {
		return noExponent
	}
	_, exponent := math.Frexp(most)
	return exponent
}

// divided returns values divided by a power of two, nil of nil.
func divided(values []float64, exponent int) []float64 {
	if values == nil {
		return nil
	}
	small := make([]float64, len(values))
	for i, v := range values {
		small[i] = math.Ldexp(v, -exponent)
	}
	return small
}

// sized is a mean of sizes of errors, or of their squares, in the unit of the label.
type sized struct {
	*common
	metric string
	rows   func(s *Sample, m *mean)          // adds those of a sample
	result func(mean float64) float64        // of the mean, in the unit of the label
	fits   func(s *Sample) (none *Undefined) // why the metric is undefined
	first  mean
	none   *Undefined
}

func (m *sized) add(s *Sample) {
	if m.none = m.fits(s); m.none != nil {
		return
	}
	m.keep(s)
	m.rows(s, &m.first)
}

func (m *sized) value() (float64, error) {
	if m.none != nil {
		return 0, m.none
	}
	all, exponent := m.first, 0
	if !all.sure() {
		var small passes
		small, exponent = scaled(m.kept.each)
		all = mean{}
		small(func(s *Sample) { m.rows(s, &all) })
	}
	v, err := all.value(m.metric)
	if err != nil {
		return 0, err
	}
	return finite(m.metric, math.Ldexp(m.result(v), exponent))
}

// ofOne leaves a metric of one value per row undefined where several are predicted.
func ofOne(metric string) func(s *Sample) *Undefined {
	return func(s *Sample) *Undefined {
		if s.Width > 1 {
			return &Undefined{metric, "several quantiles are predicted"}
		}
		return nil
	}
}

// sure reports whether a mean of sizes or squares cannot have lost digits to underflow, before or
// after weighting.
func (m *mean) sure() bool {
	return !notFinite(m.sum) && !notFinite(m.weight) && m.sum >= leastSum &&
		m.sum/m.weight >= leastSum
}

// itself is the value of a mean of sizes.
func itself(mean float64) float64 { return mean }

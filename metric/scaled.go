package metric

import "math"

// Sums of squares of numbers that float64 holds may overflow, or vanish. What is in neither danger
// is computed as it is; the rest is computed again in units of powers of two that no value and no
// weight exceeds, by which the result is multiplied.

// leastSum is the least sum of sizes or squares by weight, and the least mean, that cannot have
// lost digits to underflow.
const leastSum = 0x1p-800

// scaled returns the sample with labels, predictions and weights of at most 1, and the exponent of
// the power of two that labels and predictions were divided by.
func (s *Sample) scaled() (small *Sample, exponent int) {
	exponent = max(exponentOf(s.Y), exponentOf(s.Pred))
	copied := *s
	copied.Y, copied.Pred = divided(s.Y, exponent), divided(s.Pred, exponent)
	copied.Weight = divided(s.Weight, exponentOf(s.Weight))
	return &copied, exponent
}

// exponentOf returns the least exponent of a power of two that is above the sizes of all values,
// less than any where all are 0.
func exponentOf(values []float64) int {
	most := 0.0
	for _, v := range values {
		most = max(most, math.Abs(v))
	}
	if most == 0 {
		return math.MinInt16
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

// sized computes a mean in the unit of the label: value makes one of the mean.
func sized(
	metric string, s *Sample, of func(s *Sample) mean, value func(mean float64) float64,
) (float64, error) {
	m, exponent := of(s), 0
	if !m.sure() {
		s, exponent = s.scaled()
		m = of(s)
	}
	v, err := m.value(metric)
	if err != nil {
		return 0, err
	}
	return finite(metric, math.Ldexp(value(v), exponent))
}

// sure reports whether a mean of sizes or squares cannot have lost digits to underflow, before or
// after weighting.
func (m *mean) sure() bool {
	return !notFinite(m.sum) && !notFinite(m.weight) && m.sum >= leastSum &&
		m.sum/m.weight >= leastSum
}

// itself is the value of a mean of sizes.
func itself(mean float64) float64 { return mean }

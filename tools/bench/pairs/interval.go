//go:build linux

package pairs

import (
	"fmt"
	"math"
)

// Interval is a mean with the half of its 95 % interval, by Student's t over the values.
type Interval struct{ Mean, Half, SE float64 }

func (i Interval) String() string { return i.Text("%+.4f", "%.4f") }

// Text writes mean and half width by a format each, the half only if it is bounded.
func (i Interval) Text(mean, half string) string {
	if math.IsInf(i.Half, 0) {
		return fmt.Sprintf(mean, i.Mean)
	}
	return fmt.Sprintf(mean+" ± "+half, i.Mean, i.Half)
}

// IntervalOf returns the interval of the mean of values; of one value it is boundless.
func IntervalOf(values []float64) Interval {
	mean, sd := Moments(values)
	if len(values) < 2 {
		return Interval{mean, math.Inf(1), math.Inf(1)}
	}
	se := sd / math.Sqrt(float64(len(values)))
	return Interval{mean, student(len(values)-1) * se, se}
}

// Moments returns mean and standard deviation, with divisor n - 1.
func Moments(values []float64) (mean, sd float64) {
	for _, v := range values {
		mean += v / float64(len(values))
	}
	for _, v := range values {
		sd += (v - mean) * (v - mean)
	}
	return mean, math.Sqrt(sd / max(1, float64(len(values)-1)))
}

// student returns the 97.5 % quantile of Student's t: by table for few degrees of freedom, else by
// the first terms of its expansion around the normal quantile (Abramowitz & Stegun 1964, 26.7.5).
func student(degrees int) float64 {
	if degrees < 8 {
		return [...]float64{math.Inf(1), 12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469,
			2.3646}[max(0, degrees)]
	}
	const z = 1.959964
	v := float64(degrees)
	z3, z5 := z*z*z, z*z*z*z*z
	return z + (z3+z)/(4*v) + (5*z5+16*z3+3*z)/(96*v*v) + (3*z5*z*z+19*z5+17*z3-15*z)/(384*v*v*v)
}

//go:build linux

package pairs

import (
	"math"
	"testing"
)

// The quantiles are those of R: qt(0.975, degrees).
func TestStudent(t *testing.T) {
	for degrees, want := range map[int]float64{1: 12.7062, 4: 2.776445, 5: 2.570582, 9: 2.262157,
		18: 2.100922, 19: 2.093024, 1000: 1.962339} {
		if got := student(degrees); math.Abs(got-want) > 1e-3 {
			t.Errorf("%d degrees of freedom: %v, want %v", degrees, got, want)
		}
	}
}

// t.test(c(1, 2, 4, 7)) of R is 3.5, from -0.71 to 7.71.
func TestInterval(t *testing.T) {
	i := IntervalOf([]float64{1, 2, 4, 7})
	if i.Mean != 3.5 || math.Abs(i.Half-4.210) > 1e-3 || math.Abs(i.SE-1.3229) > 1e-4 {
		t.Errorf("mean %v, half %v, standard error %v", i.Mean, i.Half, i.SE)
	}
}

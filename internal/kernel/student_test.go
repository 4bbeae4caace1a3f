package kernel

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"
)

// Tails and quantiles are those of gonum, over all degrees and values that evaluation has.
func TestStudentLikeGonum(t *testing.T) {
	for _, n := range []int{1, 2, 3, 4, 5, 9, 10, 29, 30, 61, 100, 999, 100_000} {
		other := distuv.StudentsT{Sigma: 1, Nu: float64(n)}
		for _, x := range []float64{0, 1e-9, 0.01, 0.3, 0.9999, 1, 1.7, 2, 2.6, 5, 12, 80} {
			got, want := StudentTail(x, n), other.CDF(-x)
			if !(math.Abs(got-want) <= 1e-9*want) {
				t.Errorf("tail of %v, %d degrees: %v, gonum %v", x, n, got, want)
			}
		}
		for _, p := range []float64{0.5, 0.6, 0.9, 0.975, 0.995, 0.9999} {
			got, want := StudentQuantile(p, n), other.Quantile(p)
			if math.Abs(got-want) > 1e-9*(1+want) {
				t.Errorf("quantile of %v, %d degrees: %v, gonum %v", p, n, got, want)
			}
		}
	}
}

// Of one and of two degrees there are formulas, which hold in the far tail too.
func TestStudentFormulas(t *testing.T) {
	for _, x := range []float64{0.1, 1, 3, 1e3, 1e6} {
		if got, want := StudentTail(x, 1), math.Atan(1/x)/math.Pi; math.Abs(got-want) > 1e-13*want {
			t.Errorf("tail of %v, 1 degree: %v, want %v", x, got, want)
		}
		root := math.Sqrt(2 + x*x)
		if got, want := StudentTail(x, 2), 1/(root*(root+x)); math.Abs(got-want) > 1e-13*want {
			t.Errorf("tail of %v, 2 degrees: %v, want %v", x, got, want)
		}
	}
	if got := StudentTail(math.Inf(1), 5); got != 0 {
		t.Errorf("tail of infinity: %v", got)
	}
	if got := StudentTail(math.MaxFloat64, 5); got != 0 {
		t.Errorf("tail of the largest number: %v", got)
	}
}

package criterion

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// TestChiSquaredTail compares with scipy.special.gammaincc(df/2, x/2) of scipy 1.10.1; the entry of
// 1400 and those above 600 degrees of freedom are from mpmath with 40 digits.
func TestChiSquaredTail(t *testing.T) {
	for _, c := range []struct{ df, x, want float64 }{
		{1, 0, 1},
		{1, 0.001, 0.9747728793699604},
		{1, 3.841458820694124, 0.04999999999999989},
		{1, 10.83, 0.0009986863791802592},
		{1, 150, 1.7336432457178413e-34},
		{1, 1400, 2.1010145162642175e-306},
		{2, 0.5, 0.7788007830714049},
		{2, 9.21, 0.01000170200470548},
		{3, 2.366, 0.4999950903659851},
		{5, 1e-08, 1},
		{5, 11.07, 0.050009618622405425},
		{7, 200, 1.147781224014262e-39},
		{10, 3.94, 0.9500130907900908},
		{25, 25, 0.46237366292661375},
		{25, 37.65, 0.05002764871448506},
		{100, 124.3, 0.050266398300158416},
		{100, 60, 0.999481108537452},
		{625, 650, 0.23678322058174687},
		{975, 1100, 0.0031382342027329743},
		{2000, 2000, 0.4957947558197845},
		{2000, 2300, 2.8737760603923576e-6},
	} {
		if got := GammaTail(c.df/2, c.x/2); math.Abs(got-c.want) > 2e-12*c.want {
			t.Errorf("%g degrees of freedom: P(> %g) = %.16g, want %.16g", c.df, c.x, got, c.want)
		}
	}
}

// TestChiSquaredTailFalls: from 1 down as x grows, without a step where the method changes.
func TestChiSquaredTailFalls(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := float64(rapid.IntRange(1, 3000).Draw(t, "df")) / 2
		x := rapid.Float64Range(0, 3*a+20).Draw(t, "x")
		step := rapid.Float64Range(0, 1).Draw(t, "step")
		p, q := GammaTail(a, x), GammaTail(a, x+step)
		if !(p <= 1+1e-12 && q >= 0 && q <= p+1e-11) {
			t.Fatalf("Q(%g, %g) = %g, Q(%g, %g) = %g", a, x, p, a, x+step, q)
		}
		// The definition of the next: Q(a+1, x) = Q(a, x) + x^a e^-x / Gamma(a+1).
		lg, _ := math.Lgamma(a + 1)
		if want := p + math.Exp(a*math.Log(x)-x-lg); x > 0 &&
			math.Abs(GammaTail(a+1, x)-want) > 1e-11 {
			t.Fatalf("Q(%g, %g) = %g, by recurrence %g", a+1, x, GammaTail(a+1, x), want)
		}
	})
}

// TestIndependence compares with scipy.stats.chi2_contingency(correction=False) of scipy 1.10.1.
func TestIndependence(t *testing.T) {
	for _, c := range []struct {
		table   []float64
		classes int
		want    float64
	}{
		{[]float64{10, 20, 20, 10}, 2, 0.009823274507519235},
		{[]float64{3, 0, 5, 1, 4, 2, 0, 0, 7}, 3, 0.006248745011084566},
		{[]float64{50, 0, 0, 50}, 2, 1.5239706048320995e-23},
		{[]float64{6, 2, 3, 3}, 2, 0.3339982558219952},
		{[]float64{100, 50, 25, 101, 49, 26}, 3, 0.9842083991653621},
		// a class and a branch without rows
		{[]float64{6, 0, 2, 0, 0, 0, 3, 0, 3}, 3, 0.3339982558219952},
		{[]float64{9, 5}, 2, 1},
		{[]float64{9, 0, 5, 0}, 2, 1},
		{nil, 2, 1},
	} {
		if got := Independence(c.table, c.classes); math.Abs(got-c.want) > 1e-12*c.want {
			t.Errorf("%v: %.16g, want %.16g", c.table, got, c.want)
		}
	}
}

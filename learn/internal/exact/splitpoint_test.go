package exact_test

import (
	"math"
	"testing"

	"github.com/coppice-ml/coppice/learn/internal/exact/internal/growth"
)

func TestSplitPointBetween(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range []struct{ a, b, want float64 }{
		{1, 2, 1.5},
		{-1, 1, 0},
		{0, 5e-324, 0},
		{-5e-324, 0, -5e-324},
		{1, math.Nextafter(1, 2), 1},
		{-math.MaxFloat64, math.MaxFloat64, 0},
		{math.MaxFloat64, inf, math.MaxFloat64},
		{-inf, 3, -inf},
		{-inf, inf, -inf},
		{1e308, 1.5e308, 1.25e308},
	} {
		if got := growth.SplitPointBetween(c.a, c.b); got != c.want {
			t.Errorf("between %g and %g: %g, want %g", c.a, c.b, got, c.want)
		}
	}
}

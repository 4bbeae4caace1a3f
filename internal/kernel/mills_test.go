package kernel_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/coppice-ml/coppice/internal/kernel"
	"github.com/coppice-ml/coppice/internal/testing/tier"
)

func TestMillsError(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	points := []float64{0x1p-1074, 1e-300, 1e-9, 0.46875 * math.Sqrt2, 0.66291260736238, 4 * math.Sqrt2, 5.656854249492381, 30}
	for range tier.Count(100, 400, 400) {
		points = append(points, 7*r.Float64(), 0.7*r.Float64(), 35*r.Float64())
	}
	largest, at := 0.0, 0.0
	for _, x := range points {
		want := newBig().Quo(bigTail(bigFloat(x)), bigDensity(bigFloat(x)))
		off := newBig().Sub(bigFloat(kernel.Mills(x)), want)
		relative, _ := off.Quo(off, want).Float64()
		if relative = math.Abs(relative); relative > largest {
			largest, at = relative, x
		}
	}
	if largest > 1e-15 {
		t.Errorf("error %g at %v", largest, at)
	}
}

func TestMillsEnds(t *testing.T) {
	for x, want := range map[float64]float64{0: math.Sqrt(math.Pi / 2), 1e6: 1e-6 * (1 - 1e-12), 1e200: 1e-200, math.MaxFloat64: 1 / math.MaxFloat64, math.Inf(1): 0} {
		if got := kernel.Mills(x); math.Abs(got-want) > 1e-15*want {
			t.Errorf("Mills(%v) = %v, want %v", x, got, want)
		}
	}
	for _, x := range []float64{math.NaN(), -1e-300, math.Inf(-1)} {
		if got := kernel.Mills(x); !math.IsNaN(got) {
			t.Errorf("Mills(%v) = %v", x, got)
		}
	}
}

package kernel_test

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/coppice-ml/coppice/internal/kernel"
	"github.com/coppice-ml/coppice/internal/testing/tier"
)

var bigRoot2Pi = func() *big.Float { // sqrt(2 pi)
	pi, _, err := big.ParseFloat("3.14159265358979323846264338327950288419716939937510582097494459230781640628620899", 10, precision, big.ToNearestEven)
	if err != nil {
		panic(err)
	}
	return newBig().Sqrt(newBig().Mul(bigFloat(2), pi))
}()

// bigDensity returns the density of the standard normal distribution.
func bigDensity(x *big.Float) *big.Float {
	half := newBig().Mul(newBig().Mul(x, x), bigFloat(-0.5))
	return newBig().Quo(bigExp(half), bigRoot2Pi)
}

// bigTail returns the probability that a standard normal variable exceeds x > 0: near 0 from the
// series
//
//	1/2 - density (x + x^3/3 + x^5/(3 5) + ...)
//
// else from Laplace's continued fraction density / (x + 1/(x + 2/(x + 3/(x + ...)))).
func bigTail(x *big.Float) *big.Float {
	if x.Cmp(bigFloat(6)) > 0 {
		rest := newBig().Set(x)
		for k := 800; k > 0; k-- {
			rest.Add(x, newBig().Quo(bigFloat(float64(k)), rest))
		}
		return newBig().Quo(bigDensity(x), rest)
	}
	square, term, sum := newBig().Mul(x, x), newBig().Set(x), newBig().Set(x)
	for k := 3; k < 500; k += 2 {
		term.Quo(term.Mul(term, square), bigFloat(float64(k)))
		sum.Add(sum, term)
	}
	return newBig().Sub(bigFloat(0.5), sum.Mul(sum, bigDensity(x)))
}

// quantileError returns the relative error of NormalQuantile(p) for p below 1/2: one Newton step
// from the result, whose own error is of second order, leads to the true quantile.
func quantileError(p float64) float64 {
	x := bigFloat(-kernel.NormalQuantile(p))
	step := newBig().Sub(bigTail(x), bigFloat(p))
	step.Quo(step, bigDensity(x))
	relative, _ := step.Quo(step, x).Float64()
	return math.Abs(relative)
}

func TestNormalQuantileError(t *testing.T) {
	tier.NotShort(t, "measures errors on a fine grid")
	r := rand.New(rand.NewPCG(5, 6))
	largest, at := 0.0, 0.0
	check := func(p float64) {
		if e := quantileError(p); !(e <= largest) {
			largest, at = e, p
		}
	}
	for range tier.Count(500, 500, 1500) {
		check(r.Float64() / 2)
		check(0.075 + (r.Float64()-0.5)*1e-6) // where the ratios of the middle and the tail meet
		check(math.Ldexp(0.5+r.Float64()/2, -r.IntN(1020)-1))
	}
	t.Logf("largest error %.3g at %v", largest, at)
	if !(largest < 1e-15) {
		t.Errorf("relative error %v at %v", largest, at)
	}
}

func TestNormalQuantileValues(t *testing.T) {
	for _, c := range []struct{ p, want float64 }{
		{0.5, 0},
		{0.75, 0.6744897501960817},
		{0.9, 1.2815515655446004},
		{0.95, 1.6448536269514722},
		{0.975, 1.959963984540054},
		{0.99, 2.3263478740408408},
		{0.995, 2.5758293035489004},
		{1e-10, -6.361340902404056},
		{0, math.Inf(-1)},
		{1, math.Inf(1)},
	} {
		if got := kernel.NormalQuantile(c.p); got != c.want && !(math.Abs(got-c.want) <= 1e-15*math.Abs(c.want)) {
			t.Errorf("NormalQuantile(%v) = %v, want %v", c.p, got, c.want)
		}
	}
	for _, p := range []float64{-0x1p-1074, 1 + 0x1p-52, math.NaN(), math.Inf(1), math.Inf(-1)} {
		if got := kernel.NormalQuantile(p); !math.IsNaN(got) {
			t.Errorf("NormalQuantile(%v) = %v, want NaN", p, got)
		}
	}
}

// TestNormalQuantileIsOdd: the quantiles of p and 1 - p are opposite wherever 1 - p is exact.
func TestNormalQuantileIsOdd(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for range 10000 {
		p := float64(r.Uint64()>>12) * 0x1p-52
		if a, b := kernel.NormalQuantile(p), kernel.NormalQuantile(1-p); a != -b {
			t.Fatalf("quantiles of %v and %v: %v and %v", p, 1-p, a, b)
		}
	}
}

func TestNormalCDF(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	points := []float64{0x1p-1074, 1e-300, 1e-9, 0.66291260736238, 5.656854249492381, 37.5}
	for range tier.Count(100, 400, 400) {
		points = append(points, 7*r.Float64(), 0.7*r.Float64(), 37.5*r.Float64())
	}
	largest, at := 0.0, 0.0
	for _, x := range points {
		tail := bigTail(bigFloat(x))
		for _, c := range []struct {
			got  float64
			want *big.Float
		}{{kernel.NormalCDF(-x), tail}, {kernel.NormalCDF(x), newBig().Sub(bigFloat(1), tail)}} {
			off := newBig().Sub(bigFloat(c.got), c.want)
			relative, _ := off.Quo(off, c.want).Float64()
			if relative = math.Abs(relative); relative > largest {
				largest, at = relative, x
			}
		}
	}
	t.Logf("largest error %.3g at %v", largest, at)
	if !(largest < 2e-15) {
		t.Errorf("relative error %v at %v", largest, at)
	}
	for x, want := range map[float64]float64{0: 0.5, 40: 1, -40: 0, math.MaxFloat64: 1, -math.MaxFloat64: 0,
		math.Inf(1): 1, math.Inf(-1): 0} {
		if got := kernel.NormalCDF(x); got != want {
			t.Errorf("NormalCDF(%v) = %v, want %v", x, got, want)
		}
	}
	if got := kernel.NormalCDF(math.NaN()); !math.IsNaN(got) {
		t.Errorf("NormalCDF(NaN) = %v", got)
	}
}

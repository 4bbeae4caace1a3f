package kernel

import (
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"
)

// exactSum returns the sum of products in 2000 bits.
func exactSum(a, b []float64) float64 {
	sum := new(big.Float).SetPrec(2000)
	for i := range a {
		x, y := new(big.Float).SetPrec(200).SetFloat64(a[i]), new(big.Float).SetPrec(200).SetFloat64(b[i])
		sum.Add(sum, x.Mul(x, y))
	}
	f, _ := sum.Float64()
	return f
}

func TestSums(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 20).Draw(t, "n")
		numbers := rapid.SliceOfN(rapid.Float64Range(-8, 8), n, n)
		a, b := numbers.Draw(t, "a"), append(numbers.Draw(t, "b"), 1e9)
		difference, sum, want := make([]float64, n), make([]float64, n+1), append([]float64{}, b...)
		for i := range a {
			difference[i] = a[i] - b[i]
			want[i] += 3 * a[i]
		}
		copy(sum, b)
		AddScaled(sum, 3, a)
		for i := range want {
			if math.Abs(sum[i]-want[i]) > 1e-14*math.Abs(want[i])+1e-13 {
				t.Fatalf("element %d is %g, want %g", i, sum[i], want[i])
			}
		}
		if got, want := Dot(a, b), exactSum(a, b); math.Abs(got-want) > 1e-12 {
			t.Fatalf("product %g, want %g", got, want)
		}
		if got, want := SquaredDistance(a, b), exactSum(difference, difference); math.Abs(got-want) > 1e-12 {
			t.Fatalf("distance %g, want %g", got, want)
		}
	})
}

func TestTanh(t *testing.T) {
	for x := -30.0; x < 30; x += 0.0173 {
		if got := Tanh(x); math.Abs(got-math.Tanh(x)) > 4e-16 || Tanh(-x) != -got {
			t.Fatalf("tanh of %g is %g, want %g", x, got, math.Tanh(x))
		}
	}
	if Tanh(math.Inf(1)) != 1 || Tanh(math.Inf(-1)) != -1 || Tanh(0) != 0 || !math.IsNaN(Tanh(math.NaN())) {
		t.Error("tanh at its ends")
	}
}

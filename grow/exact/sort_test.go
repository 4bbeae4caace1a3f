package exact

import (
	"cmp"
	"math"
	"slices"
	"testing"

	"github.com/coppice-ml/coppice/internal/rng"
)

func TestCutBetween(t *testing.T) {
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
		if got := cutBetween(c.a, c.b); got != c.want {
			t.Errorf("between %g and %g: %g, want %g", c.a, c.b, got, c.want)
		}
	}
}

// TestRadixSort: the radix sort equals a stable comparison sort on every pattern of bits.
func TestRadixSort(t *testing.T) {
	r := rng.New(1)
	for _, n := range []int{1, 2, 100, radixFrom, 5000} {
		for _, mask := range []uint64{0, 0xff, 1 << 63, math.MaxUint64} {
			keys := make([]keyed, n)
			for i := range keys {
				keys[i] = keyed{r.Uint64() & mask, uint32(i)}
			}
			want := slices.Clone(keys)
			slices.SortStableFunc(want, func(a, b keyed) int { return cmp.Compare(a.bits, b.bits) })
			radixSort(keys)
			if !slices.Equal(keys, want) {
				t.Fatalf("%d keys, mask %x: wrong order", n, mask)
			}
		}
	}
}

func TestOrderedBits(t *testing.T) {
	values := []float64{math.Inf(-1), -math.MaxFloat64, -1, -5e-324, 0, 5e-324, 1, math.MaxFloat64, math.Inf(1), math.NaN()}
	for i := 1; i < len(values); i++ {
		if orderedBits(values[i-1]) >= orderedBits(values[i]) {
			t.Errorf("%g does not come before %g", values[i-1], values[i])
		}
	}
	if orderedBits(math.Copysign(0, -1)) != orderedBits(0) {
		t.Error("the two zeros differ")
	}
	if orderedBits(math.Float64frombits(0xfff8000000000001)) != missingBits {
		t.Error("a negative NaN is not missing")
	}
}

package bins

import (
	"math"
	"slices"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/rng"
)

// TestColumnsOfTwoNumbers: the short cuts of columns of two numbers count what rows that are listed
// one by one count, and give codes by comparisons, whatever comes behind the two.
func TestColumnsOfTwoNumbers(t *testing.T) {
	nan, zero := math.NaN(), math.Copysign(0, -1)
	s := rng.New(5)
	for _, of := range [][]float64{{0, 1}, {3}, {nan}, {nan, 2}, {0, nan, 1}, {zero, 0, 1},
		{0, 1, 2, 3}, {-1e300, 5e-324}} {
		for n := range 40 {
			num := make([]float64, n)
			for i := range num {
				num[i] = of[s.Intn(1+i*len(of)/n)]
			}
			var short, long distinctValues
			short.reset(3)
			long.reset(3)
			a, b := short.addAll(num, nil, nil), long.addAll(num, data.AllRows(n), nil)
			var x, y mass
			short.mass(&x, false)
			long.mass(&y, false)
			if a != b || a && !(slices.Equal(x.key, y.key) && slices.Equal(x.weight, y.weight)) {
				t.Fatalf("%v: %v %v, row by row %v %v", num, a, x, b, y)
			}
			got := make([]uint8, n)
			codes(newSearch([]float64{0.5}), got, num)
			for i, v := range num {
				want := uint8(2)
				if v <= 0.5 {
					want = 0
				} else if v > 0.5 {
					want = 1
				}
				if got[i] != want {
					t.Fatalf("the code of %v is %d, want %d", v, got[i], want)
				}
			}
		}
	}
}

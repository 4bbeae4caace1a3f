package kernel

import (
	"math"
	"slices"
	"testing"

	"github.com/coppice-ml/coppice/internal/rng"
)

// TestSortByCells: numbers are put in order, whatever their distribution and for any earlier use of
// the memory.
func TestSortByCells(t *testing.T) {
	s := rng.New(1)
	spare := make([]float64, 3000)
	for _, n := range []int{0, 1, 2, sortedBy, 3000, 200} {
		for name, draw := range map[string]func() float64{
			"even":       s.Float64,
			"both signs": func() float64 { return s.Float64() - 0.5 },
			"few":        func() float64 { return float64(s.Intn(5)) },
			"one":        func() float64 { return 7 },
			// nearly all numbers are in one cell
			"skewed": func() float64 { return math.Pow(s.Float64(), 200) },
			"far":    func() float64 { return float64(s.Intn(3)-1) * math.MaxFloat64 },
			"small":  func() float64 { return float64(s.Intn(3)-1) * 5e-324 },
		} {
			values := make([]float64, 0, n)
			for range n {
				values = append(values, draw())
			}
			want := slices.Clone(values)
			slices.Sort(want)
			if SortByCells(values, spare); !slices.Equal(values, want) {
				t.Errorf("%d numbers, %s: not in order", n, name)
			}
		}
	}
}

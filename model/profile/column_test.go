package profile

import (
	"slices"
	"testing"

	"github.com/coppice-ml/coppice/internal/rng"
)

// Quantiles and counts of many numbers are those of the sorted ones, however often numbers repeat.
func TestQuantiles(t *testing.T) {
	r := rng.New(1)
	for _, different := range []int{1, 2, 5, 40, 1000, 1 << 30} {
		for _, n := range []int{1, 33, 257, 5000} {
			values := make([]float64, n)
			for i := range values {
				values[i] = float64(r.Intn(different))
			}
			if different == 1000 {
				slices.Sort(values)
			}
			sorted := slices.Sorted(slices.Values(values))
			for _, noExtremes := range []bool{false, true} {
				q, atMost := quantiles(slices.Clone(values), noExtremes)
				for i := range q {
					at := (n - 1) * i / 32
					if noExtremes {
						at = (n - 1) * (32 + 98*i) / 3200
					}
					if end, _ := slices.BinarySearch(sorted, q[i]+0.5); q[i] != sorted[at] || atMost[i] != end {
						t.Fatalf("quantile %d of %d numbers is %v with %d at most, want %v and %d", i, n, q[i], atMost[i], sorted[at], end)
					}
				}
			}
		}
	}
}

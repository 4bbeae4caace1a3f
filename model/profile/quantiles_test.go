package profile

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/coppice-ml/coppice/internal/rng"
)

// Quantiles and counts of many numbers are those of the sorted ones, however often numbers repeat,
// and however unevenly they are spread.
func TestQuantiles(t *testing.T) {
	r := rng.New(1)
	whole := func(different int) func() float64 { return func() float64 { return float64(r.Intn(different)) } }
	for name, draw := range map[string]func() float64{
		"1": whole(1), "2": whole(2), "5": whole(5), "40": whole(40), "1000": whole(1000), "many": whole(1 << 30),
		"decades":  func() float64 { return math.Pow(10, -300*r.Float64()) },
		"signs":    func() float64 { return math.Exp(99*r.Float64()) * float64(r.Intn(3)-1) },
		"outliers": func() float64 { return math.Pow(r.Float64()-0.5, float64(1+98*(r.Intn(1000)/998))) },
		"far":      func() float64 { return (r.Float64() - 0.5) * math.MaxFloat64 * 2 },
		"tiny":     func() float64 { return 5e-324 * float64(r.Intn(1000)-300) },
	} {
		for _, n := range []int{1, 33, 257, 5000, 70_000} {
			values := make([]float64, n)
			for i := range values {
				values[i] = draw()
			}
			if name == "40" {
				slices.Sort(values)
			}
			sorted := slices.Sorted(slices.Values(values))
			for _, noExtremes := range []bool{false, true} {
				t.Run(fmt.Sprint(name, n, noExtremes), func(t *testing.T) {
					var c choice
					q, atMost := c.quantiles(slices.Clone(values), noExtremes)
					for i := range q {
						at := (n - 1) * i / 32
						if noExtremes {
							at = (n - 1) * (32 + 98*i) / 3200
						}
						end, _ := slices.BinarySearch(sorted, math.Nextafter(q[i], math.Inf(1)))
						if q[i] != sorted[at] || atMost[i] != end {
							t.Fatalf("quantile %d is %v with %d at most, want %v and %d", i, q[i], atMost[i], sorted[at], end)
						}
					}
				})
			}
		}
	}
}

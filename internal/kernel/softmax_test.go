package kernel_test

import (
	"math"
	"testing"

	"github.com/coppice-ml/coppice/internal/kernel"
	"github.com/coppice-ml/coppice/internal/rng"
)

// FuzzSoftmax compares the steps of a softmax with their formulas, bit by bit.
func FuzzSoftmax(f *testing.F) {
	f.Add(uint64(1), 5, 1.0)
	f.Add(uint64(2), 100, 10.0/9)
	f.Add(uint64(3), 0, math.Inf(1))
	f.Fuzz(func(t *testing.T, seed uint64, n int, factor float64) {
		s := rng.New(seed)
		n = max(0, n) % 300
		odd := []float64{math.Inf(1), math.Inf(-1), math.NaN(), 1, math.Copysign(0, -1)}
		some := func() []float64 {
			x := make([]float64, n)
			for i := range x {
				if x[i] = 8*s.Float64() - 4; s.Intn(8) == 0 {
					x[i] = odd[s.Intn(len(odd))]
				}
			}
			return x
		}
		a, b, e := some(), some(), some()
		kernel.EveryPath(func() {
			top, under, sum := append([]float64{}, a...), make([]float64, n), append([]float64{}, a...)
			g, h := make([]float64, n), make([]float64, n)
			kernel.RaiseTo(top, b)
			kernel.Below(under, b, top)
			kernel.AddFloats(sum, b)
			kernel.Probabilities(g, h, e, sum, factor)
			for i := range n {
				less := b[i] - max(a[i], b[i])
				if b[i] == max(a[i], b[i]) {
					less = 0
				}
				p := e[i] / (a[i] + b[i])
				for k, pair := range [][2]float64{{top[i], max(a[i], b[i])}, {under[i], less},
					{sum[i], a[i] + b[i]}, {g[i], p}, {h[i], factor * p * (1 - p)}} {
					if pair[0] != pair[1] && (pair[0] == pair[0] || pair[1] == pair[1]) {
						t.Fatalf("step %d of %v, %v, %v: %v, want %v", k, a[i], b[i], e[i], pair[0],
							pair[1])
					}
				}
			}
		})
	})
}

package kernel_test

import (
	"math"
	"testing"

	"github.com/coppice-ml/coppice/internal/kernel"
	"github.com/coppice-ml/coppice/internal/rng"
)

// FuzzLambdas compares Lambdas.Add with the formulas, bit by bit.
func FuzzLambdas(f *testing.F) {
	f.Add(uint64(1), 5, math.Inf(1), 1.0)
	f.Add(uint64(2), 100, 1.0, 3.0)
	f.Add(uint64(3), 0, 0.5, 1e-300)
	f.Fuzz(func(t *testing.T, seed uint64, n int, most, weight float64) {
		most, weight = math.Abs(most), math.Abs(weight)
		if most != most || weight-weight != 0 {
			t.Skip()
		}
		s := rng.New(seed)
		n = max(0, n) % 200
		some := func(of func() float64) (x []float64) {
			for range n + kernel.LambdaRows {
				x = append(x, of())
			}
			return x
		}
		gain := some(func() float64 { return float64(s.Intn(4)) })
		odds := some(func() float64 { return kernel.Exp(-600 * s.Float64() * s.Float64()) })
		place := some(func() float64 { return s.Float64() })
		l := kernel.Lambdas{Most: most, Factor: s.Float64(), Weight: weight}
		var start, want kernel.LambdaSums
		copy(start.Gain[:], gain[n:])
		copy(start.Odds[:], odds[n:])
		copy(start.Place[:], place[n:])
		for j := range start.G {
			start.G[j] = s.Float64() - 0.5
		}
		want = start
		for i := range n {
			for j := range want.G {
				lambda(&want, j, &l, gain[i], odds[i], place[i])
			}
		}
		kernel.EveryPath(func() {
			got := start
			l.Add(&got, gain[:n], odds[:n], place[:n])
			if got != want {
				t.Fatalf("%d rows: %v, want %v", n, got, want)
			}
		})
	})
}

// lambda adds what a pair of one row and another gives.
func lambda(r *kernel.LambdaSums, j int, l *kernel.Lambdas, gain, odds, place float64) {
	if r.Gain[j] == gain {
		return
	}
	count := min(math.Abs(r.Gain[j]-gain), l.Most) * math.Abs(r.Place[j]-place) * l.Factor
	low, high := odds, r.Odds[j]
	if r.Gain[j] < gain {
		low, high = high, low
	}
	slope := float64(l.Weight * count * (low / (low + high)))
	r.H[j] += float64(slope * (high / (low + high)))
	if r.Gain[j] < gain {
		slope = -slope
	}
	r.G[j] -= slope
}

func BenchmarkLambdas(b *testing.B) {
	x := points(128, 0.001, 1)[:128]
	l := kernel.Lambdas{Most: math.Inf(1), Factor: 1, Weight: 1}
	var r kernel.LambdaSums
	copy(r.Odds[:], x)
	for b.Loop() {
		l.Add(&r, x, x, x)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/128/kernel.LambdaRows, "ns/pair")
}

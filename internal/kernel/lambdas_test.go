package kernel_test

import (
	"math"
	"slices"
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
		score := some(func() float64 { return s.Float64() * float64(s.Intn(3)) })
		l := kernel.Lambdas{Most: most, Factor: s.Float64(), Near: s.Float64() + 0.01}
		start := kernel.LambdaSums{Weight: [kernel.LambdaRows]float64{weight, weight, 0, weight}}
		copy(start.Gain[:], gain[n:])
		copy(start.Odds[:], odds[n:])
		copy(start.Place[:], place[n:])
		copy(start.Score[:], score[n:])
		for j := range start.G {
			start.G[j] = s.Float64() - 0.5
		}
		want := start
		g, h := make([]float64, n), make([]float64, n)
		for i := range n {
			for j := range want.G {
				slope, bend := lambda(&want, j, &l, gain[i], odds[i], place[i], score[i])
				want.G[j] -= slope
				want.H[j] += bend
				want.Slopes[j] += math.Abs(slope)
				g[i] += slope
				h[i] += bend
			}
		}
		kernel.EveryPath(func() {
			got, both := start, start
			l.Add(&got, gain[:n], odds[:n], place[:n], score[:n])
			if got != want {
				t.Fatalf("%d rows: %v, want %v", n, got, want)
			}
			others := [2][]float64{make([]float64, n), make([]float64, n)}
			l.AddBoth(&both, gain[:n], odds[:n], place[:n], score[:n], others[0], others[1])
			if both != want || !slices.Equal(others[0], g) || !slices.Equal(others[1], h) {
				t.Fatalf("%d rows: %v and %v, want %v, %v and %v", n, both, others, want, g, h)
			}
		})
	})
}

// lambda returns what a pair of one row and another adds: the slope is what G of the other gets.
func lambda(
	r *kernel.LambdaSums, j int, l *kernel.Lambdas, gain, odds, place, score float64,
) (slope, bend float64) {
	if r.Gain[j] == gain {
		return 0, 0
	}
	count := min(math.Abs(r.Gain[j]-gain), l.Most) * math.Abs(r.Place[j]-place) * l.Factor /
		(l.Near + math.Abs(r.Score[j]-score))
	low, high := odds, r.Odds[j]
	if r.Gain[j] < gain {
		low, high = high, low
	}
	slope = float64(r.Weight[j] * count * (low / (low + high)))
	bend = float64(slope * (high / (low + high)))
	if r.Gain[j] < gain {
		slope = -slope
	}
	return slope, bend
}

func BenchmarkLambdas(b *testing.B) {
	x := points(128, 0.001, 1)[:128]
	l := kernel.Lambdas{Most: math.Inf(1), Factor: 1, Near: 1}
	r := kernel.LambdaSums{Weight: [kernel.LambdaRows]float64{1, 1, 1, 1}}
	copy(r.Odds[:], x)
	g, h := make([]float64, len(x)), make([]float64, len(x))
	report := func(b *testing.B) {
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/128/kernel.LambdaRows,
			"ns/pair")
	}
	b.Run("one", func(b *testing.B) {
		for b.Loop() {
			l.Add(&r, x, x, x, x)
		}
		report(b)
	})
	b.Run("both", func(b *testing.B) {
		for b.Loop() {
			l.AddBoth(&r, x, x, x, x, g, h)
		}
		report(b)
	})
}

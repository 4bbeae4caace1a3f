package kernel_test

import (
	"cmp"
	"math"
	"slices"
	"testing"

	"github.com/coppice-ml/coppice/internal/kernel"
	"github.com/coppice-ml/coppice/internal/rng"
)

func flag(holds bool) float64 {
	if holds {
		return 1
	}
	return 0
}

// TestSortOfScores: the order is that of a stable sort, whatever the scores are like.
func TestSortOfScores(t *testing.T) {
	kinds := map[string]func(s *rng.Stream, i int) float64{
		"uniform":     func(s *rng.Stream, _ int) float64 { return s.Float64() },
		"ties":        func(s *rng.Stream, _ int) float64 { return float64(s.Intn(9)) },
		"all equal":   func(*rng.Stream, int) float64 { return 0.5 },
		"one is far":  func(s *rng.Stream, i int) float64 { return s.Float64() + 1e300*flag(i == 9) },
		"infinite":    func(s *rng.Stream, _ int) float64 { return 1 / float64(s.Intn(5)) },
		"no numbers":  func(s *rng.Stream, _ int) float64 { return math.Sqrt(s.Float64() - 0.3) },
		"both zeros":  func(s *rng.Stream, _ int) float64 { return math.Copysign(0, s.Float64()-0.5) },
		"tiny":        func(s *rng.Stream, _ int) float64 { return float64(s.Intn(99)) * 5e-324 },
		"already so":  func(_ *rng.Stream, i int) float64 { return -float64(i) },
		"other order": func(_ *rng.Stream, i int) float64 { return float64(i) },
	}
	for name, kind := range kinds {
		for _, n := range []int{1, 2, 10, 23, 24, 100, 1000} {
			s := rng.New(uint64(n))
			raw := make([]float64, n+2)
			for i := range raw {
				raw[i] = kind(s, i)
			}
			at := make([]int32, n)
			for i := range at {
				at[i] = int32(i + 2)
			}
			m := &kernel.ScoreOrder{}
			m.Sort(at, raw)
			want := slices.Clone(at)
			slices.SortStableFunc(want, func(a, b int32) int { return cmp.Compare(raw[b], raw[a]) })
			if !slices.Equal(m.Order, want) {
				t.Errorf("%s, %d scores: %v, want %v", name, n, m.Order, want)
			}
			for i, p := range m.Order {
				if math.Float64bits(m.Score[i]) != math.Float64bits(raw[p]) {
					t.Errorf("%s, %d scores: %v is not the score of %d", name, n, m.Score[i], p)
				}
			}
		}
	}
}

package loss

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/rng"
)

// TestLambdasOfRows: derivatives that are added up several rows at a time have the bits of those
// that are added up pair by pair.
func TestLambdasOfRows(t *testing.T) {
	for _, metric := range []string{"ndcg", "map", "pairwise"} {
		for _, truncation := range []int{0, 1, 5, 8, 30} {
			for n := 2; n < 44; n += 3 {
				name := fmt.Sprint(metric, truncation, n)
				s := rng.New(uint64(n), uint64(truncation))
				target := &data.Target{Y: [][]float64{make([]float64, n)}, Group: make([]int64, n),
					Weight: slices.Repeat([]float64{0.7}, n)}
				raw := make([]float64, n)
				for i := range raw {
					target.Y[0][i] = float64(s.Intn(4))
					raw[i] = float64(s.Intn(3*n)) / 7
				}
				bound, err := (&LambdaMART{Metric: metric, Truncation: truncation}).Bind(target,
					data.AllRows(n))
				if err != nil {
					t.Fatal(err)
				}
				o, m := bound.(*lambdaMART), &ranking{}
				g, h := make([]float64, n), make([]float64, n)
				o.Gradients(g, h, raw, 1)
				if !o.ready(m, 0, o.at, raw) {
					continue
				}
				m.setOdds()
				byPair := [2][]float64{make([]float64, n), make([]float64, n)}
				o.deriveFar(byPair[0], byPair[1], m, 0)
				if !slices.Equal(g, byPair[0]) || !slices.Equal(h, byPair[1]) {
					t.Fatalf("%s: g, h = %v, %v, pair by pair %v, %v", name, g, h, byPair[0],
						byPair[1])
				}
			}
		}
	}
}

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
			at := data.AllRows(n + 2)[2:]
			m := &ranking{}
			m.sort(at, raw)
			want := slices.Clone(at)
			slices.SortStableFunc(want, func(a, b int32) int { return cmp.Compare(raw[b], raw[a]) })
			if !slices.Equal(m.order, want) {
				t.Errorf("%s, %d scores: %v, want %v", name, n, m.order, want)
			}
			for i, p := range m.order {
				if math.Float64bits(m.x[i]) != math.Float64bits(raw[p]) {
					t.Errorf("%s, %d scores: %v is not the score of %d", name, n, m.x[i], p)
				}
			}
		}
	}
}

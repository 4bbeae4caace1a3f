package dense

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/internal/rng"
)

// brute finds neighbours among all points, without an index, and all that are as far as the k-th.
func brute(points []float64, n, width int, query []float64, k int) []neighbour {
	var all []neighbour
	for i := range n {
		sum := 0.0
		for c, q := range query {
			d := q - points[i*width+c]
			sum += float64(d * d)
		}
		all = append(all, neighbour{Number: int32(i), Distance: sum})
	}
	slices.SortStableFunc(all, func(a, b neighbour) int {
		switch {
		case a.Distance < b.Distance:
			return -1
		case a.Distance > b.Distance:
			return 1
		}
		return 0
	})
	if k >= n {
		return all
	}
	last := within(all[k-1].Distance)
	for k < n && all[k].Distance <= last {
		k++
	}
	return all[:k]
}

// TestNearest: the index finds the same neighbours as a search of all points, ties included. Small
// integers make many ties.
func TestNearest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, width := rapid.IntRange(1, 900).Draw(t, "points"), rapid.IntRange(0, 5).Draw(t, "width")
		number := rapid.Float64Range(-100, 100)
		if rapid.Bool().Draw(t, "integers") {
			number = rapid.Map(rapid.IntRange(-2, 2), func(i int) float64 { return float64(i) })
		}
		points := rapid.SliceOfN(number, n*width, n*width).Draw(t, "numbers")
		s := search{index: newIndex(points, n, width)}
		for range 3 {
			query, k := rapid.SliceOfN(number, width, width).Draw(t, "query"), rapid.IntRange(1, 40).Draw(t, "k")
			found := s.nearest(query, k)
			if want := brute(points, n, width, query, k); !slices.Equal(found, want) {
				t.Fatalf("found %v, want %v", found, want)
			}
		}
	})
}

// TestNearestOfManyPoints reaches nodes far below the root, where boxes leave most of the points
// out; sorted and equal values are what a careless choice of the middle is slow on.
func TestNearestOfManyPoints(t *testing.T) {
	const n, width = 20000, 3
	r := rng.New(3)
	points := make([]float64, n*width)
	for i := range n {
		points[i*width], points[i*width+1], points[i*width+2] = float64(i), 7, r.Float64()
	}
	s := search{index: newIndex(points, n, width)}
	for range 50 {
		query := []float64{r.Float64() * n, 7 * r.Float64(), r.Float64()}
		if got, want := s.nearest(query, 7), brute(points, n, width, query, 7); !slices.Equal(got, want) {
			t.Fatalf("found %v, want %v", got, want)
		}
	}
}

func BenchmarkNearest(b *testing.B) {
	const n, width = 100000, 8
	r := rng.New(3)
	points := make([]float64, n*width)
	for i := range points {
		points[i] = r.Float64()
	}
	s := search{index: newIndex(points, n, width)}
	for i := 0; b.Loop(); i++ {
		at := i % n * width
		s.nearest(points[at:at+width], 5)
	}
}

// TestNearestAtEveryScale: what single precision cannot hold is searched as exactly. Points lie so
// close together, or so far from 0, that their numbers in single precision are the same, or beyond
// its range.
func TestNearestAtEveryScale(t *testing.T) {
	const n, width = 700, 9
	r := rng.New(5)
	for _, scale := range []struct{ centre, spread float64 }{
		{0, 1}, {1, 1e-9}, {1e6, 1e-3}, {1e14, 10}, {0, 1e-30}, {0, 1e16}, {0, 1e140},
	} {
		points := make([]float64, n*width)
		for i := range points {
			points[i] = scale.centre + float64(scale.spread*(r.Float64()-0.5))
		}
		s := search{index: newIndex(points, n, width)}
		for range 20 {
			at := r.Intn(n) * width
			query := slices.Clone(points[at : at+width])
			query[r.Intn(width)] += float64(scale.spread * r.Float64())
			if got, want := s.nearest(query, 7), brute(points, n, width, query, 7); !slices.Equal(got, want) {
				t.Fatalf("%v: found %v, want %v", scale, got, want)
			}
		}
	}
}

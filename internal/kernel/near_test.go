package kernel

import (
	"math"
	"testing"

	"github.com/coppice-ml/coppice/internal/rng"
)

// FuzzNear compares Near with its twin in plain Go, also with limits that are some point's
// distance.
func FuzzNear(f *testing.F) {
	f.Add(uint64(1), uint8(1), uint8(0), false)
	f.Add(uint64(2), uint8(28), uint8(7), true)
	f.Add(uint64(3), uint8(255), uint8(31), true)
	f.Fuzz(func(t *testing.T, seed uint64, width, point uint8, integers bool) {
		s := rng.New(seed)
		query := make([]float32, int(width)+1)
		group := make([]float32, len(query)*NearPoints)
		for _, numbers := range [][]float32{query, group} {
			for i := range numbers {
				numbers[i] = float32(s.Float64() - 0.5)
				if integers {
					numbers[i] = float32(s.Intn(5))
				}
			}
		}
		limit := float32(0)
		for k, q := range query {
			d := q - group[k*NearPoints+int(point)%NearPoints]
			limit += float32(d * d)
		}
		EveryPath(func() {
			for _, limit := range []float32{limit, math.Nextafter32(limit, -1), 0, float32(math.Inf(1))} {
				if got, want := Near(query, group, limit), nearPlain(query, group, limit); got != want {
					t.Fatalf("%d numbers, limit %g: %032b, want %032b", len(query), limit, got, want)
				}
			}
		})
	})
}

// TestNear has two numbers: point i lies at (i, 1), the query at (3, 1).
func TestNear(t *testing.T) {
	EachPath(t, func(t *testing.T) {
		group := make([]float32, 2*NearPoints)
		for i := range NearPoints {
			group[i], group[NearPoints+i] = float32(i), 1
		}
		if got, want := Near([]float32{3, 1}, group, 4), uint32(0b111110); got != want {
			t.Errorf("%b, want %b", got, want)
		}
	})
}

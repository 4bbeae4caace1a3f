package loss

import (
	"fmt"
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
				bound, err := (&lambdaMARTLoss{Metric: metric, Truncation: truncation,
					Sigmoid: 1.7, Gain: exponentialGain}).Bind(target, data.AllRows(n))
				if err != nil {
					t.Fatal(err)
				}
				o, m := bound.(*lambdaMART), &ranking{}
				g, h := make([]float64, n), make([]float64, n)
				o.Gradients(g, h, raw, 1)
				if !o.ready(m, 0, o.at, raw) {
					continue
				}
				m.setOdds(o.sigmoid)
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

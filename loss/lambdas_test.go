package loss

import (
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
				o.setNear(m)
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

// TestNormOfPairs compares with LightGBM's formulas of lambdarank_norm, written out by pairs.
func TestNormOfPairs(t *testing.T) {
	for _, far := range []float64{1, 400} { // odds of 400 are too small to divide by
		y, raw := []float64{2, 0, 1, 3, 0, 2, 1}, []float64{0.3, 1.5, -2, 0.1, 0.9, -far, 0.2}
		const sigmoid, truncation = 1.7, 4
		group := make([]int64, len(y))
		bound, err := (&lambdaMARTLoss{Metric: "ndcg", Truncation: truncation, Sigmoid: sigmoid,
			Gain: linearGain, Norm: true}).Bind(&data.Target{Y: [][]float64{y}, Group: group,
			Weight: slices.Repeat([]float64{3}, len(y))}, data.AllRows(len(y)))
		if err != nil {
			t.Fatal(err)
		}
		g, h := make([]float64, len(y)), make([]float64, len(y))
		bound.Gradients(g, h, raw, 1)
		order := []int{1, 4, 0, 6, 3, 2, 5}
		if far == 1 {
			order[5], order[6] = 5, 2
		}
		best, discount := 0.0, func(rank int) float64 { return 1 / math.Log2(float64(rank+2)) }
		for i, gain := range []float64{3, 2, 2, 1} {
			best += gain * discount(i)
		}
		wantG, wantH, sum := make([]float64, len(y)), make([]float64, len(y)), 0.0
		for a := range truncation {
			for b := a + 1; b < len(y); b++ {
				i, j := order[a], order[b]
				if y[i] < y[j] {
					i, j = j, i
				}
				d := raw[i] - raw[j]
				count := (y[i] - y[j]) * (discount(a) - discount(b)) / best / (0.01 + math.Abs(d))
				p := 1 / (1 + math.Exp(sigmoid*d))
				wantG[i] -= sigmoid * count * p
				wantG[j] += sigmoid * count * p
				wantH[i] += sigmoid * sigmoid * count * p * (1 - p)
				wantH[j] += sigmoid * sigmoid * count * p * (1 - p)
				sum += 2 * sigmoid * count * p
			}
		}
		for i := range g {
			norm := 3 * math.Log2(1+sum) / sum
			if math.Abs(g[i]-norm*wantG[i]) > 1e-12 || math.Abs(h[i]-norm*wantH[i]) > 1e-12 {
				t.Errorf("row %d: g, h = %v, %v, want %v, %v", i, g[i], h[i], norm*wantG[i],
					norm*wantH[i])
			}
		}
	}
}

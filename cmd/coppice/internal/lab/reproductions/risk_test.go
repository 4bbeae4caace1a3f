package reproductions

import (
	"math"
	"testing"
)

// TestRiskByHand: the truth of the simulated problem, counted cell by cell.
func TestRiskByHand(t *testing.T) {
	truth, bayes := riskTruth()
	m := evaluate(riskAll, truth, truth, true)
	// 28 cells of 64 have the second class; the best tree of depth 2 takes the corner's 4 for it,
	// and is wrong there in 0.9
	if math.Abs(bayes-0.1) > 1e-12 || math.Abs(m.least-(60*0.1+4*0.9)/64) > 1e-12 ||
		math.Abs(m.ofBest-m.least) > 1e-12 {
		t.Errorf("Bayes risk %g, least risk of trees of depth 2 %g", bayes, m.least)
	}
	if m.above > 1e-12 || m.below > 1e-12 {
		t.Errorf("the truth is %g and %g away from itself", m.above, m.below)
	}
	if w := truth.of(1, rectangle{4, 8, 4, 8}); math.Abs(w-(12*0.9+4*0.1)/64) > 1e-12 {
		t.Errorf("weight %g of the second class in the upper right square", w)
	}
}

// TestUniformDistance: the largest distance over all trees of depth 2 is at least that of every
// tree met, and the minimiser has the least empirical risk, less than cart's tree.
func TestUniformDistance(t *testing.T) {
	truth, _ := riskTruth()
	for seed := range uint64(20) {
		d := sampleRisk(t.Context(), &Env{}, truth, 60, seed)
		if d.empirical > d.learned+1e-12 || d.empirical > d.fixed+1e-12 ||
			d.ofBest < d.least-1e-12 {
			t.Errorf("seed %d: empirical risks: least %g, cart %g, one tree %g", seed, d.empirical,
				d.learned, d.fixed)
		}
		for _, pair := range [][2]float64{{d.ofBest, d.empirical}, {d.greedy, d.learned},
			{d.least, d.fixed}} {
			if math.Abs(pair[0]-pair[1]) > d.distance+1e-12 {
				t.Errorf("seed %d: a tree's risks %g and %g differ by more than %g", seed, pair[0],
					pair[1], d.distance)
			}
		}
	}
}

// TestDeMoivre: by the binomial distribution itself.
func TestDeMoivre(t *testing.T) {
	for _, n := range []int{1, 2, 7, 20} {
		want, fraction := 0.0, []float64{1}
		for range n {
			next := make([]float64, len(fraction)+1)
			for k, s := range fraction {
				next[k] += 0.85 * s
				next[k+1] += 0.15 * s
			}
			fraction = next
		}
		for k, s := range fraction {
			want += s * math.Abs(float64(k)/float64(n)-0.15)
		}
		if got := deMoivre(n, 0.15); math.Abs(got-want) > 1e-12 {
			t.Errorf("n = %d: %g, want %g", n, got, want)
		}
	}
}

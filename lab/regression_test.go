package lab

import (
	"math"
	"slices"
	"testing"

	"github.com/coppice-ml/coppice/lab/trial"
)

func TestRegression(t *testing.T) {
	f, err := regressionOf(t.Context(), regressionSize{sets: 12, others: 3, seed: 5})
	if err != nil {
		t.Fatal(err)
	}
	for i := range waveOrder[1:] {
		if fall, bar, _ := f.fall(waveOrder[i], waveOrder[i+1]); fall < -2*bar { // the steps from 20 trees up are small
			t.Errorf("the risk rises by %.4f +- %.4f from %s to %s", -fall, bar, f.name(waveOrder[i]), f.name(waveOrder[i+1]))
		}
	}
	for _, c := range []struct{ larger, smaller waveContender }{
		{waveContender{baggedTrees, 1}, waveContender{baggedTrees, 10}}, {waveContender{baggedTrees, 100}, waveContender{forest3, 10}},
		{waveContender{forest3, 1}, waveContender{forest3, 10}}, {waveContender{fullTree, 1}, waveContender{baggedTrees, 100}},
		{waveContender{baggedTrees, 1}, waveContender{fullTree, 1}}, {waveContender{boosted3, 1}, waveContender{boosted3, 20}},
	} {
		larger, smaller := f.risks[c.larger.method].of(c.larger.trees), f.risks[c.smaller.method].of(c.smaller.trees)
		a, _ := trial.Mean(larger)
		if b, _ := trial.Mean(smaller); a < b+0.03 {
			t.Errorf("%s has risk %.3f, %s %.3f: want clearly more", f.name(c.larger), a, f.name(c.smaller), b)
		}
	}
	for _, m := range f.risks {
		if least := slices.Min(m.mean); least <= waveNoise {
			t.Errorf("%s has risk %g, below the Bayes risk", m.name, least)
		}
	}
	// in one column, with leaves of one row, a forest is a bag of trees; sums are rounded in different ways
	for i, risk := range f.risks[forest30].mean {
		if math.Abs(risk-f.risks[baggedTrees].mean[i]) > 1e-9 {
			t.Errorf("%d trees: risk %g of the forest, %g of the bag", waveCounts[i], risk, f.risks[baggedTrees].mean[i])
		}
	}
	if len(f.rates) != len(waveRates) || len(f.guesses) != len(waveGuesses) {
		t.Errorf("%d learning rates and %d guesses, want %d and %d", len(f.rates), len(f.guesses), len(waveRates), len(waveGuesses))
	}
	for _, r := range f.rates { // too few trees for the first, too many for the last
		if r.rate == 0.05 && r.verdict() != "does not hold: below the forest" || r.rate == 0.3 && r.verdict() != "does not hold: above bagged trees" {
			t.Errorf("learning rate %g: %q, risk %.3f", r.rate, r.verdict(), r.risk)
		}
		if own := f.risks[boosted3].of(40); r.rate == 0.1 {
			if mean, _ := trial.Mean(own); math.Abs(mean-r.risk) > 1e-12 {
				t.Errorf("40 trees have risk %g, the first 40 of 100 %g", r.risk, mean)
			}
		}
	}
	row := regression()
	whole(t, &row, f.result())
}

func TestRateVerdict(t *testing.T) {
	for _, c := range []struct {
		under, over float64
		want        string
	}{{3, 3, "holds"}, {3, 1, "undecided"}, {-1, 3, "undecided"}, {3, -3, "does not hold: below the forest"}, {-3, 3, "does not hold: above bagged trees"}} {
		boosted := []float64{0.9, 1, 1.1} // 1 +- 0.058
		all := make([]*waveRisks, boosted3)
		neighbour := func(c waveContender, distance float64) {
			all[c.method] = &waveRisks{waveMethod: waveMethod{trees: []int{c.trees}}}
			for i, e := range []float64{-1, 0, 1} { // the mean has a standard error of 0.01
				all[c.method].sets = append(all[c.method].sets, []float64{boosted[i] + float64((distance+e*math.Sqrt(3))*0.01)})
			}
		}
		neighbour(waveAbove, c.under)
		neighbour(waveBelow, -c.over)
		if r := rateOf(0.1, boosted, all); r.verdict() != c.want || math.Abs(r.underBar-0.01) > 1e-12 {
			t.Errorf("%g and %g standard errors: %q, want %q (%+v)", c.under, c.over, r.verdict(), c.want, r)
		}
	}
}

func TestWave(t *testing.T) {
	for x, want := range map[float64]float64{-1: -1.5, -0.5: 1.5, 0: 0, 0.5: -1.5, 1: 1.5} {
		if got := wave(x); got != want {
			t.Errorf("the truth at %g is %g, want %g", x, got, want)
		}
	}
}

package lab

import (
	"math"
	"slices"
	"testing"

	"github.com/coppice-ml/coppice/lab/trial"
)

func TestRegression(t *testing.T) {
	f, err := regressionOf(t.Context(), regressionSize{sets: 12, seed: 5})
	if err != nil {
		t.Fatal(err)
	}
	for i := range waveOrder[1:] {
		if fall, bar, _ := f.step(i); fall < -2*bar { // the steps from 20 trees up are small
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
	row := regression()
	whole(t, &row, f.result())
}

func TestWave(t *testing.T) {
	for x, want := range map[float64]float64{-1: -1.5, -0.5: 1.5, 0: 0, 0.5: -1.5, 1: 1.5} {
		if got := wave(x); got != want {
			t.Errorf("the truth at %g is %g, want %g", x, got, want)
		}
	}
}

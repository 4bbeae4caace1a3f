package reproductions

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/internal/testing/tier"
	"github.com/coppice-ml/coppice/internal/trial"
)

func TestRegression(t *testing.T) {
	tier.NotShort(t, "repeats a simulation")
	f, err := regressionOf(t.Context(), regressionSize{sets: 12, others: 3, rates: waveRates,
		tried: []waveGuess{waveGuessed, {curve: stairs, factor: 1, rows: 50, steps: 32}}, seed: 5})
	if err != nil {
		t.Fatal(err)
	}
	for i := range waveOrder[1:] {
		// the steps from 20 trees up are small
		if fall, bar, _ := f.fall(waveOrder[i], waveOrder[i+1]); fall < -2*bar {
			t.Errorf("the risk rises by %.4f +- %.4f from %s to %s", -fall, bar,
				f.name(waveOrder[i]), f.name(waveOrder[i+1]))
		}
	}
	for _, c := range []struct{ larger, smaller waveContender }{
		{waveContender{baggedTrees, 1}, waveContender{baggedTrees, 10}}, {waveContender{baggedTrees, 100}, waveContender{forest3, 10}},
		{waveContender{forest3, 1}, waveContender{forest3, 10}}, {waveContender{fullTree, 1}, waveContender{baggedTrees, 100}},
		{waveContender{baggedTrees, 1}, waveContender{fullTree, 1}}, {waveContender{boosted3, 1}, waveContender{boosted3, 20}},
	} {
		larger, smaller := f.risks[c.larger.method].of(c.larger.trees),
			f.risks[c.smaller.method].of(c.smaller.trees)
		a, _ := trial.Mean(larger)
		if b, _ := trial.Mean(smaller); a < b+0.03 {
			t.Errorf("%s has risk %.3f, %s %.3f: want clearly more", f.name(c.larger), a,
				f.name(c.smaller), b)
		}
	}
	for _, m := range f.risks {
		if least := slices.Min(m.mean); least <= waveNoise {
			t.Errorf("%s has risk %g, below the Bayes risk", m.name, least)
		}
	}
	// in one column, with leaves of one row, a forest is a bag of trees; sums are rounded in
	// different ways
	for i, risk := range f.risks[forest30].mean {
		if math.Abs(risk-f.risks[baggedTrees].mean[i]) > 1e-9 {
			t.Errorf("%d trees: risk %g of the forest, %g of the bag", waveCounts[i], risk,
				f.risks[baggedTrees].mean[i])
		}
	}
	if len(f.found) != len(waveRates) || len(f.guesses) != len(f.tried) {
		t.Errorf("%d learning rates and %d guesses, want %d and %d", len(f.found), len(f.guesses),
			len(waveRates), len(f.tried))
	}
	for _, r := range f.found { // too few trees for the first, too many for the last
		if r.rate == 0.05 && r.verdict() != "does not hold: below the forest" || r.rate == 0.3 &&
			r.verdict() != "does not hold: above bagged trees" {
			t.Errorf("learning rate %g: %q, risk %.3f", r.rate, r.verdict(), r.risk)
		}
		if own := f.risks[boosted3].of(40); r.rate == 0.1 {
			if mean, _ := trial.Mean(own); math.Abs(mean-r.risk) > 1e-12 {
				t.Errorf("40 trees have risk %g, the first 40 of 100 %g", r.risk, mean)
			}
		}
	}
	row, appendix := regression, regressionGenerator
	whole(t, &row, f.result())
	whole(t, &appendix, f.appendix())
}

func TestRateVerdict(t *testing.T) {
	for _, c := range []struct {
		under, over float64
		want        string
	}{{3, 3, "holds"}, {3, 1, "undecided"}, {-1, 3, "undecided"},
		{3, -3, "does not hold: below the forest"}, {-3, 3, "does not hold: above bagged trees"}} {
		boosted := []float64{0.9, 1, 1.1} // 1 +- 0.058
		all := make([]*waveRisks, boosted3)
		neighbour := func(c waveContender, distance float64) {
			all[c.method] = &waveRisks{waveMethod: waveMethod{trees: []int{c.trees}}}
			for i, e := range []float64{-1, 0, 1} { // the mean has a standard error of 0.01
				all[c.method].sets = append(all[c.method].sets,
					[]float64{boosted[i] + float64((distance+e*math.Sqrt(3))*0.01)})
			}
		}
		neighbour(waveAbove, c.under)
		neighbour(waveBelow, -c.over)
		if r := rateOf(0.1, boosted, all); r.verdict() != c.want ||
			math.Abs(r.underBar-0.01) > 1e-12 {
			t.Errorf("%g and %g standard errors: %q, want %q (%+v)", c.under, c.over,
				r.verdict(), c.want, r)
		}
	}
}

func TestWave(t *testing.T) {
	for x, want := range map[float64]float64{-1: -1.5, -0.5: 1.5, 0: 0, 0.5: -1.5, 1: 1.5} {
		if got := waveGuessed.truth(x); got != want {
			t.Errorf("the truth at %g is %g, want %g", x, got, want)
		}
	}
}

func TestWaveGuesses(t *testing.T) {
	all := waveGuesses()
	if len(all) != 6*3*3*3 {
		t.Errorf("%d guesses", len(all))
	}
	for i, g := range all {
		if want := []float64{0.5, 1, 1.5}[i/9%3]; math.Abs(g.spread()-want) > 1e-12 {
			t.Errorf("%s spreads by %g, want %g", waveCurves[g.curve].name, g.spread(), want)
		}
	}
	for curve, want := range map[int][]float64{ // at -1, -0.5, 0, 0.5, 1
		line: {-1, -0.5, 0, 0.5, 1}, parabola: {1, 0.25, 0, 0.25, 1},
		quintic: {-1, -0.5, 0, 0.5, 1}, jump: {0, 0, 1, 1, 1}, stairs: {0, 2, 1, 3, 3},
	} {
		for i, y := range want {
			if got := waveCurves[curve].at(float64(i)/2 - 1); got != y {
				t.Errorf("%s at %g is %g, want %g", waveCurves[curve].name, float64(i)/2-1, got, y)
			}
		}
	}
}

// TestGuessesAreCounted: those that have the order of the others, and their result for boosting.
func TestGuessesAreCounted(t *testing.T) {
	at := func(ordered bool, distance float64, r rateFound) guessFound {
		return guessFound{waveGuess: waveGuessed, ordered: ordered, distance: distance,
			rateFound: r}
	}
	f := &regressionFound{guesses: []guessFound{
		at(true, 0.3, rateFound{between: true}), at(false, 0.1, rateFound{between: true}),
		at(true, 0.2, rateFound{refuted: true, over: -1, under: 1}),
		at(true, 0.1, rateFound{refuted: true, over: 1, under: -1}), at(true, 0.4, rateFound{}),
		at(true, 0.5, rateFound{}),
	}}
	kept := f.ordered()
	if len(kept) != 5 || kept[0].distance != 0.1 || kept[4].distance != 0.5 {
		t.Errorf("kept %+v", kept)
	}
	want := "6 other guesses, of 0 training sets each, 5 have all of the lecture's order but for " +
		"boosting. With boosting at rate 0.1 that is between bagged trees and the forest of " +
		"depth 5 by two standard errors in 1 of these, better than both in 1, worse than both in " +
		"1, and undecided in 2:"
	if got := f.guessText(); !strings.Contains(got, want) {
		t.Error(got)
	}
}

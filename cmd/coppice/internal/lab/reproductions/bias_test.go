package reproductions

import (
	"math"
	"testing"

	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/internal/testing/tier"
	"github.com/coppice-ml/coppice/internal/trial"
)

func TestBiasVariance(t *testing.T) {
	tier.NotShort(t, "repeats a simulation")
	f := biasOf(t.Context(), &Env{},
		biasSize{groups: 2, sets: 6, rows: 100, places: 60, seed: 4})
	row := biasVariance
	r := f.result()
	whole(t, &row, r)
	for i, finding := range r.Findings {
		if i != 1 && i != 2 && !finding.Holds { // biases are known badly of a few sets
			t.Errorf("%s: %s", finding.What, finding.Found)
		}
	}
	if forest, bag := f.last(biasForest), f.last(biasBag); forest.variance >= bag.variance {
		t.Errorf("variance %.3f of the forest, %.3f of the bag", forest.variance, bag.variance)
	}
}

// TestSeparate: predictions that are 1/2 too large, with noise of variance 4.
func TestSeparate(t *testing.T) {
	r := rng.New(1)
	truth, predicted := make([]float64, 4000), make([][]float64, 8)
	for p := range truth {
		truth[p] = float64(p % 7)
	}
	for i := range predicted {
		for _, y := range truth {
			predicted[i] = append(predicted[i], y+0.5+2*trial.Normal(r))
		}
	}
	if bias, variance := separate(predicted, truth); math.Abs(bias-0.25) > 0.06 ||
		math.Abs(variance-4) > 0.15 {
		t.Errorf("squared bias %.3f and variance %.3f, want 0.25 and 4", bias, variance)
	}
}

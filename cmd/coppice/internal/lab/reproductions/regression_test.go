package reproductions

import (
	"math"
	"testing"

	"github.com/coppice-ml/coppice/internal/trial"
)

// TestRegression: fewer runs have the order of the page, and the figures of scikit-learn 1.2.1 on
// the same table: 0.8390 of boosting, 0.7516 of 20 trees of depth 3, 0.8843 of 100 bagged trees.
func TestRegression(t *testing.T) {
	f := regressionOf(t.Context(), &Env{}, 8)
	for _, c := range []struct {
		method, trees int
		want, within  float64
	}{{boosted3, 40, 0.83896, 1e-5}, {forest3, 20, 0.7516, 0.01}, {baggedTrees, 100, 0.8843, 0.01}} {
		if mean, _ := trial.Mean(f.of(c.method, c.trees)); math.Abs(mean-c.want) > c.within {
			t.Errorf("%s, %d: risk %.5f, want %.5f", waveMethods[c.method].name, c.trees, mean, c.want)
		}
	}
	for i := range waveOrder[1:] {
		if found := f.compared(waveOrder[i], waveOrder[i+1]); !found.Holds && !found.Open {
			t.Errorf("%s: %s", found.What, found.Found)
		}
	}
	if f.rates[0][3] < f.rates[1][3] || f.rates[3][7] < f.rates[1][7] {
		t.Errorf("at a small rate 10 trees are too few, at a large one 100 too many: %v", f.rates)
	}
	row := regression
	whole(t, &row, f.result())
}

func TestWave(t *testing.T) {
	ds, err := waveAt(3)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []float64{0, 0.5 * math.Sin(8), 0} {
		if got := ds.Target.Y[0][i]; got != want {
			t.Errorf("the truth at %d is %g, want %g", i, got, want)
		}
	}
}

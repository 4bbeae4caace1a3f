package reproductions

import (
	"math"
	"testing"

	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/internal/testing/tier"
)

func TestAverages(t *testing.T) {
	tier.NotShort(t, "grows forests on many samples")
	size := averagesSize{samples: 1000, sets: 40, rows: 60, seed: 3}
	f := &averagesFound{}
	for i, rho := range correlations {
		f.variables = append(f.variables,
			sampled(rng.New(size.seed, 0, uint64(i)), size.samples, rho))
	}
	for _, mtry := range averagesMtry {
		v := grown(t.Context(), &Env{}, size, mtry)
		f.forests = append(f.forests, v)
	}
	for i, v := range append(f.variables, f.forests...) {
		for k, n := range averaged {
			// 5 standard errors: the variance of 1000 normal variables has one of 4.5 %; the points
			// of the forests, whose variances are of 20 sets each, hardly depend on each other
			if want := v.formula(float64(n)); math.Abs(v.observed[k]-want) > 0.25*want {
				t.Errorf("curve %d, B = %d: variance %.4f, formula %.4f", i, n, v.observed[k], want)
			}
		}
	}
	all, one := f.forests[0], f.forests[2] // mtry = 10 and 1
	if all.correlation <= f.forests[1].correlation || f.forests[1].correlation <= one.correlation {
		t.Errorf("correlations of trees %.3f, %.3f, %.3f with mtry 10, 3, 1: want them to fall",
			all.correlation, f.forests[1].correlation, one.correlation)
	}
	row := averages
	whole(t, &row, f.result(size))
}

// TestPairs: two members that are mirror images, and the variance of one.
func TestPairs(t *testing.T) {
	single, covariance := pairs([][]float64{{1, -1}, {-1, 1}, {0, 0}})
	if single != 1 || covariance != -1 {
		t.Errorf("variance %g, covariance %g, want 1 and -1", single, covariance)
	}
}

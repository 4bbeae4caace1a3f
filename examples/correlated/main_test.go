package main

import (
	"math"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/examples/experiment"
)

func TestRun(t *testing.T) {
	r, err := run(t.Context(), size{draws: 1000, sets: 40, rows: 60, seed: 3})
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range append(r.variables, r.forests...) {
		for k, n := range counts {
			// 5 standard errors: the variance of 1000 normal variables has one of 4.5 %; the points of the forests, whose
			// variances are of 20 sets each, do not hang together much
			if want := v.formula(float64(n)); math.Abs(v.measured[k]-want) > 0.25*want {
				t.Errorf("curve %d, B = %d: variance %.4f, formula %.4f", i, n, v.measured[k], want)
			}
		}
	}
	all, one := r.forests[0], r.forests[2] // mtry = 10 and 1
	if all.correlation <= r.forests[1].correlation || r.forests[1].correlation <= one.correlation {
		t.Errorf("correlations of trees %.3f, %.3f, %.3f with mtry 10, 3, 1: want them to fall", all.correlation, r.forests[1].correlation, one.correlation)
	}
	table, picture, err := experiment.Render(r)
	if err != nil || !strings.Contains(table, "trees, mtry = 3") || strings.Contains(table+string(picture), "NaN") {
		t.Errorf("error %v, table\n%s", err, table)
	}
}

// TestPairs: two members that are mirror images, and the variance of one.
func TestPairs(t *testing.T) {
	single, covariance := pairs([][]float64{{1, -1}, {-1, 1}, {0, 0}})
	if single != 1 || covariance != -1 {
		t.Errorf("variance %g, covariance %g, want 1 and -1", single, covariance)
	}
}

package trial

import (
	"math"
	"slices"
	"testing"

	"github.com/coppice-ml/coppice/internal/rng"
)

func TestStatistics(t *testing.T) {
	mean, se := Mean([]float64{1, 2, 3, 6})
	if mean != 3 || math.Abs(se-math.Sqrt(14.0/3/4)) > 1e-15 {
		t.Errorf("mean %g +- %g", mean, se)
	}
	if v := Variance([]float64{7}); v != 0 {
		t.Errorf("a single value has variance %g", v)
	}
	means, errors := Means([][]float64{{1, 5}, {3, 5}})
	if !slices.Equal(means, []float64{2, 5}) || !slices.Equal(errors, []float64{1, 0}) {
		t.Errorf("means %v +- %v", means, errors)
	}
}

func TestNormal(t *testing.T) {
	s := rng.New(4)
	values := make([]float64, 20000)
	for i := range values {
		values[i] = Normal(s)
	}
	mean, se := Mean(values)
	if v := Variance(values); math.Abs(mean) > 4*se || math.Abs(v-1) > 4*math.Sqrt(2.0/20000) {
		t.Errorf("mean %g, variance %g", mean, v)
	}
}

package boosting_test

import (
	"testing"

	"github.com/coppice-ml/coppice/learn/internal/boosting"
)

// Too little gain: over the last rounds less than a thousandth of the metric or, of classes, a
// ten-thousandth of the first value.
func TestFlat(t *testing.T) {
	for _, c := range []struct {
		values  []float64
		classes bool
		want    bool
	}{
		{[]float64{9, 5, 2, 1, 0.9}, false, false},
		{[]float64{9, 2, 1, 0.9995, 0.9994}, false, true},
		{[]float64{9, 2, 1.1, 0.9, 0.9996, 0.8995, 0.9995}, false, false}, // one window
		{[]float64{9, 1, 1, 0.9995, 0.9996, 0.9994, 0.9995}, false, true},
		{[]float64{9, 2, 0.99, 0.98, 0.978}, false, false},
		{[]float64{9, 2, 0.0100, 0.0099, 0.0098}, true, true},
		{[]float64{9, 2, 0.0100, 0.0099, 0.0098}, false, false},
		{[]float64{1, 1, 1, 1}, false, false}, // too few to compare
	} {
		if got := boosting.Flat(c.values, 2, max(1, (len(c.values)-1)/3), c.classes); got != c.want {
			t.Errorf("%v, classes %v: flat %v", c.values, c.classes, got)
		}
	}
}

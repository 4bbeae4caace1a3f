package weighting_test

import (
	"math"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn/internal/weighting"
)

// TestGatherHeaviest has weights refused whose squares overflow or vanish, by themselves or by the
// factors of classes; a light row beside a heavy one is no fault.
func TestGatherHeaviest(t *testing.T) {
	for _, c := range []struct {
		weight      []float64
		classWeight string
		want        string // "" = no error
	}{
		{[]float64{1, 1e-300, 0}, "", ""},
		{[]float64{1e-100, 1e-100, 1e-110}, "", ""},
		{[]float64{1e153, 1, 1}, "", ""},
		{[]float64{1e154, 1, 1}, "", "rows weigh up to 1e+154, and squares of weights do not add up there: divide all weights by one number"},
		{[]float64{1e-170, 1e-175, 1e-170}, "", "rows weigh up to 1e-170, and squares of weights do not add up there: multiply all weights by one number"},
		{nil, "a=1e-200,b=1e-201", "with class_weight rows weigh up to 1e-200,"},
		{[]float64{1e100, 1, 1}, "a=1e100", "with class_weight rows weigh up to 1e+200, and squares of weights do not add up there: divide"},
		{nil, "a=1e-200", ""},
		{[]float64{math.MaxFloat64 / 4, 1, 1}, "", "divide all weights"},
	} {
		target := &data.Target{Task: data.Binary, Class: []uint32{0, 1, 0},
			Classes: []string{"a", "b"}, Weight: c.weight}
		w, err := weighting.ReadClassWeight(c.classWeight)
		if err != nil {
			t.Fatal(err)
		}
		_, _, err = weighting.Gather(target, []int32{0, 1, 2}, w)
		if c.want == "" && err != nil || c.want != "" &&
			(err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("weights %v, class_weight %q: error %v, want %q", c.weight, c.classWeight,
				err, c.want)
		}
	}
}

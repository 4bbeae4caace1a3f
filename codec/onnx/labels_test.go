package onnx_test

import (
	"math"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/model"
)

// Labels are those of ONNX Runtime or scikit-learn, where scores are not equal but for rounding.
func TestSampleLabels(t *testing.T) {
	// a softmax of two classes, of which one score before it makes the label: no threshold does
	const softmax = "/binary-both"
	compared := 0
	readSamples(t, func(t *testing.T, s *sample) {
		if s.labels == nil {
			return
		}
		compared++
		m, _ := decode(t, s.file)
		bind := func(o model.Output) model.Predictor {
			p, err := m.Bind(&m.Meta.Schema, model.Options{Output: o})
			if err != nil {
				t.Fatal(err)
			}
			return p
		}
		label, response := bind(model.Label), bind(model.Response)
		got, p, differ := []float64{0}, make([]float64, m.Outputs()), 0
		for i := range s.rows {
			row := s.row(m, i)
			if err := label.PredictRow(got, row); err != nil {
				t.Fatal(err)
			}
			if err := response.PredictRow(p, row); err != nil {
				t.Fatal(err)
			}
			name := m.Meta.Classes[int(got[0])]
			if name == s.labels[i] || rounds(&m.Meta, p) && !strings.Contains(t.Name(), "-ties-") {
				continue
			}
			if differ++; differ == 1 {
				t.Logf("row %d: label %q, by the tool %q; responses %v", i, name, s.labels[i], p)
			}
		}
		if strings.HasSuffix(t.Name(), softmax) != (differ > 0) {
			t.Errorf("%d of %d labels differ", differ, len(s.rows))
		}
	})
	if compared < 26 {
		t.Errorf("%d samples have labels", compared)
	}
}

// rounds reports whether rounding decides the label of a response: two are the largest, or one is
// at the threshold.
func rounds(s *model.Spec, p []float64) bool {
	if t := s.Decision.Threshold; t != 0 {
		return math.Abs(p[1]-t) < 1e-6
	}
	first, second := math.Inf(-1), math.Inf(-1)
	for _, x := range p {
		first, second = max(first, x), max(second, min(first, x))
	}
	return !(first-second >= 1e-6)
}

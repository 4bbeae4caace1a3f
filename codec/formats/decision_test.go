package formats_test

import (
	"bytes"
	"errors"
	"testing"

	"github.com/coppice-ml/coppice/codec"
	"github.com/coppice-ml/coppice/codec/formats"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/model"
)

// A threshold or costs change labels: a writer for other tools refuses them, or its file keeps the
// labels. This holds for models of WithDecision, too.
func TestWritersKeepOrRefuseDecisions(t *testing.T) {
	m, _, err := formats.Open("testdata/clients/gbm-binary.coppice", codec.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	own := *m.(*model.Ensemble)
	for name, d := range map[string]model.Decision{
		"threshold": {Threshold: 0.3}, "costs": {Costs: data.Costs{{0, 1}, {9, 0}}},
		"first positive": {Threshold: 0.8, FirstPositive: true},
	} {
		own.Meta.Decision = d
		outside, err := model.WithDecision(m, d)
		if err != nil {
			t.Fatal(err)
		}
		for what, m := range map[string]model.Model{"its own": &own, "WithDecision": outside} {
			for _, f := range formats.Table() {
				if f.Encode == nil || f.Name == "lightgbm" {
					continue // LightGBM predicts no labels
				}
				var file bytes.Buffer
				if err := f.Encode(&file, m); err != nil {
					var unsupported *codec.UnsupportedError
					if f.Foreign && !errors.As(err, &unsupported) {
						t.Errorf("%s of %s, %s: %v", name, what, f.Name, err)
					}
					continue
				}
				if f.Decode == nil {
					continue // plain JSON states the decision
				}
				again, err := f.Decode(bytes.NewReader(file.Bytes()), int64(file.Len()), codec.Limits{})
				if err != nil {
					t.Fatal(err)
				}
				if !sameLabelsOf(t, m, again) {
					t.Errorf("%s of %s: %s labels otherwise", name, what, f.Name)
				}
			}
		}
	}
}

// sameLabelsOf reports whether two models label some rows alike.
func sameLabelsOf(t *testing.T, a, b model.Model) bool {
	t.Helper()
	schema := &a.Spec().Schema
	one, other := bindBoth(t, a, schema), bindBoth(t, b, schema)
	for i := range 200 {
		row := make([]float64, len(schema.Fields))
		for c := range row {
			row[c] = float64((i*7 + c*3) % 11)
			if n := len(schema.Fields[c].Levels); n > 0 {
				row[c] = float64((i + c) % n)
			}
		}
		la, lb := []float64{0}, []float64{0}
		if one.label.PredictRow(la, row) != nil || other.label.PredictRow(lb, row) != nil {
			t.Fatal("no label")
		}
		if a.Spec().Classes[int(la[0])] != b.Spec().Classes[int(lb[0])] {
			return false
		}
	}
	return true
}

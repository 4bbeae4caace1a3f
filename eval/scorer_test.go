package eval_test

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/eval"
	"github.com/coppice-ml/coppice/metric"
	"github.com/coppice-ml/coppice/model"
)

// A Scorer has the values of an evaluation, on the table and on one whose features are others. What
// is wrong with labels, rows, metric or context is an error without a value.
func TestScorer(t *testing.T) {
	ds := dataset(t, 6, data.Target{Task: data.Binary, Classes: []string{"fine", "odd"}, Class: []uint32{0, 0, 1, 0, 1, 1}})
	m := scores(t, ds, 0.5)
	turned, err := data.FromRows([][]float64{{5}, {4}, {3}, {2}, {1}, {0}}, []string{"x"})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"auc", "error"} {
		of, _ := metric.Lookup(name)
		for _, rows := range [][]int32{nil, {1, 2, 5}} {
			s, err := eval.NewScorer(m, ds, rows, of, model.Options{})
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range []*data.Frame{ds.Frame, turned} {
				own := *ds
				own.Frame = f
				r, err := eval.EvaluateRows(t.Context(), m, &own, rows, model.Options{})
				if err != nil {
					t.Fatal(err)
				}
				got, err := s.Score(t.Context(), f)
				if want, ok := r.Metrics.Get(name); err != nil || !ok || got != want {
					t.Errorf("%s of rows %v: %v, %v, want %v", name, rows, got, err, want)
				}
			}
		}
	}
	auc, _ := metric.Lookup("auc")
	ended, end := context.WithCancel(t.Context())
	end()
	s, err := eval.NewScorer(m, ds, nil, auc, model.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if v, err := s.Score(ended, ds.Frame); v != 0 || !errors.Is(err, context.Canceled) {
		t.Errorf("a context that has ended: %v, %v", v, err)
	}
	rmse, _ := metric.Lookup("rmse")
	if s, err := eval.NewScorer(m, ds, nil, rmse, model.Options{}); s != nil || err == nil ||
		err.Error() != "rmse is no metric of anomaly" {
		t.Errorf("rmse of classes: %v, %v", s, err)
	}
	if s, err := eval.NewScorer(m, ds, []int32{6}, auc, model.Options{}); s != nil || err == nil {
		t.Errorf("a row that there is not: %v, %v", s, err)
	}
	ds.Target.Weight = []float64{1, 1, 1, math.NaN(), 1, 1}
	if s, err = eval.NewScorer(m, ds, nil, auc, model.Options{}); err != nil {
		t.Fatal(err)
	}
	if v, err := s.Score(t.Context(), ds.Frame); v != 0 || err == nil || !strings.Contains(err.Error(), "row 4 has weight NaN") {
		t.Errorf("a weight that is no number: %v, %v", v, err)
	}
}

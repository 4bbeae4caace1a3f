package report_test

import (
	"testing"

	"github.com/coppice-ml/coppice/internal/testing/tier"
	"github.com/coppice-ml/coppice/report"
)

// Linear models and weighted sums of others have exact Shapley values, on the scale of their
// scores.
func TestModelsThatAreNoTreesHaveShapleyValues(t *testing.T) {
	tier.NotShort(t, "explains each kind of model")
	for _, c := range []struct {
		learner, scale string
		classes        bool
		settings       []string
	}{
		{"linear", "prediction", false, nil},
		{"logistic", "log odds", true, nil},
		{"calibrate", "log odds", true, []string{"base=gbm", "base.trees=5", "folds=3"}},
		{"stack", "prediction", false, []string{"members=gbm,linear", "folds=3"}},
		{"bag", "prediction", false, []string{"base=linear", "members=3"}},
	} {
		learner, scale := c.learner, c.scale
		ds := table(t, c.classes, false)
		m := train(t, learner, ds, c.settings...)
		var s struct {
			Scale    string
			Features []struct {
				Name    string
				Contrib [][]float64
			}
		}
		found(t, m, ds, report.Options{}, "shap", &s)
		if s.Scale != scale || len(s.Features) != 3 || len(s.Features[0].Contrib[0]) != 250 {
			t.Errorf("%s: scale %q, want %q; features %v", learner, s.Scale, scale, s.Features)
		}
		var i struct{ Kinds []struct{ Name string } }
		found(t, m, ds, report.Options{}, "importances", &i)
		if last := i.Kinds[len(i.Kinds)-1].Name; last != "mean |SHAP|" {
			t.Errorf("%s: the last kind of importance is %s", learner, last)
		}
		var r struct {
			Rows []struct{ Reasons []struct{ Feature string } }
		}
		found(t, m, ds, report.Options{}, "rows", &r)
		for _, row := range r.Rows {
			if len(row.Reasons) == 0 {
				t.Errorf("%s: a row has no reasons", learner)
			}
		}
	}
}

package explain_test

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/explain"
	"github.com/coppice-ml/coppice/internal/models/committee"
	"github.com/coppice-ml/coppice/internal/testing/tier"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/catalog"
	"github.com/coppice-ml/coppice/model"
)

// combinations are models whose raw scores are weighted sums of those of trees and linear models,
// and models that only look like these.
var combinations = []struct {
	name, learner string
	task          data.Task
	exact         bool
	settings      []string
}{
	{"vote of forests", "vote", data.Multiclass, true,
		[]string{"members=forest,extratrees", "weights=forest=3"}},
	{"vote of a forest and boosting", "vote", data.Binary, false,
		[]string{"members=forest,gbm"}},
	{"majority of forests", "vote", data.Binary, false,
		[]string{"members=forest,extratrees", "vote=majority"}},
	{"vote on other columns", "vote", data.Regression, true,
		[]string{"members=forest,linear,gbm", "columns=forest=a+b+c,linear=c+b"}},
	{"bag of linear models", "bag", data.Regression, true,
		[]string{"base=linear", "members=5", "columns=0.6"}},
	{"bag of logistic models", "bag", data.Binary, false,
		[]string{"base=logistic", "members=3"}},
	{"stack of regressors", "stack", data.Regression, true,
		[]string{"members=forest,gbm,linear", "folds=3"}},
	{"stack with columns", "stack", data.Regression, true,
		[]string{"members=forest,gbm", "folds=3", "passthrough=true", "meta_learner=linear"}},
	{"stack of forests", "stack", data.Multiclass, true,
		[]string{"members=forest,extratrees", "folds=3", "meta_learner=logistic"}},
	{"stack of raw scores", "stack", data.Binary, true,
		[]string{"members=gbm,logistic", "folds=3", "outputs=raw", "meta_learner=logistic"}},
	{"stack of labels", "stack", data.Binary, false,
		[]string{"members=forest,gbm", "folds=3", "outputs=label", "meta_learner=logistic"}},
	{"stack with trees", "stack", data.Regression, false,
		[]string{"members=forest,gbm", "folds=3", "meta_learner=gbm"}},
	{"boosting of linear models", "anyboost", data.Regression, true,
		[]string{"base=linear"}},
}

// combined trains a combination, and returns it with the table that it was trained on.
func combined(
	t *testing.T, learner string, task data.Task, settings []string,
) (model.Model, *data.Frame) {
	t.Helper()
	entry, err := catalog.Find(learner)
	if err != nil {
		t.Fatal(err)
	}
	ds := fourColumns(task, learn.Needs{})
	l := entry.New()
	if err := l.Params().Set(settings); err != nil {
		t.Fatal(err)
	}
	return fitted(t, l, ds, data.AllRows(ds.Rows()), settings...), ds.Frame
}

// Contributions of combinations add up to the raw scores, and with a background they and the
// interaction values are those of the definition. Where this cannot be they are refused.
func TestShapleyOfCombinations(t *testing.T) {
	for i, c := range combinations {
		if i%tier.Count(3, 1, 1) > 0 {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			m, f := combined(t, c.learner, c.task, c.settings)
			if explain.IsExact(m) != c.exact {
				t.Fatalf("values of %T are exact: %t", m, !c.exact)
			}
			if !c.exact {
				refused(t, m, f)
				return
			}
			few, o := f.Subset([]int32{50, 60, 70}),
				explain.ShapleyOptions{Background: f.Subset(data.AllRows(30))}
			for _, o := range []explain.ShapleyOptions{{}, o} {
				addsUp(t, m, few, o)
				linear := slices.Contains(c.settings, "base=linear")
				if explain.Interacts(m) == linear {
					t.Errorf("columns interact: %t", !linear)
				}
				if !linear {
					checkMatrices(t, c.name, m, few, nil, o)
				}
			}
			byDefinition(t, m, few, o)
		})
	}
}

// The raw scores of a calibrated model are those of its base. A mean of calibrated forests has
// exact values if calibration leaves the probabilities as they are.
func TestShapleyOfCalibrated(t *testing.T) {
	m, f := combined(t, "forest", data.Binary, nil)
	base := contributionsOf(t, m, f, explain.ShapleyOptions{})
	for _, method := range []committee.CalibrationMethod{committee.NoCurves, committee.Platt} {
		c := &committee.Calibrated{Meta: *m.Spec(), Base: m, Method: method}
		if method == committee.Platt {
			c.Calibrators = []committee.Calibrator{{Slope: 2}}
		}
		addsUp(t, c, f, explain.ShapleyOptions{})
		for i, v := range contributionsOf(t, c, f, explain.ShapleyOptions{}).Values {
			if v != base.Values[i] {
				t.Fatalf("value %d: %v, of the base %v", i, v, base.Values[i])
			}
		}
		mean := &committee.Committee{Meta: *m.Spec(), Members: []model.Model{c, m}}
		if explain.IsExact(mean) != (method == committee.NoCurves) {
			t.Errorf("a mean of a forest and one calibrated by %s is exact: %t", method,
				explain.IsExact(mean))
		} else if method == committee.NoCurves {
			addsUp(t, mean, f, explain.ShapleyOptions{})
		}
	}
}

// Rounds are the first members of a committee.
func TestShapleyOfFirstMembers(t *testing.T) {
	for _, learner := range []string{"anyboost", "bag"} {
		m, f := combined(t, learner, data.Regression, []string{"base=linear"})
		got := contributionsOf(t, m, f, explain.ShapleyOptions{Rounds: 2})
		bound, err := m.Bind(&f.Schema, model.Options{Output: model.Raw, Rounds: 2})
		if err != nil {
			t.Fatal(err)
		}
		raw := make([]float64, f.Rows())
		if err := bound.Predict(raw, f, nil); err != nil {
			t.Fatal(err)
		}
		for r, want := range raw {
			sum := got.Bias[0]
			for _, v := range got.Row(r, 0) {
				sum += v
			}
			if math.Abs(sum-want) > 1e-12*max(1, math.Abs(want)) {
				t.Fatalf("%s, row %d: contributions add up to %v, the score is %v", learner, r,
					sum, want)
			}
		}
	}
}

// An explainer of a combination serves rows at once with others.
func TestExplainerOfCombination(t *testing.T) {
	m, f := combined(t, "stack", data.Regression, []string{"members=forest,linear", "folds=3"})
	want := contributionsOf(t, m, f, explain.ShapleyOptions{})
	sameRowByRow(t, m, f, explain.ShapleyOptions{Memory: 1}, want)
	x, err := explain.NewShapleyExplainer(context.Background(), m, &f.Schema,
		explain.ShapleyOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if math.Abs(x.Bias[0]-want.Bias[0]) > 1e-12 {
		t.Errorf("bias %v, of a table %v", x.Bias[0], want.Bias[0])
	}
}

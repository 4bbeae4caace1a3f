package committee_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/models/committee"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/model/modeltest"
	"github.com/coppice-ml/coppice/tree"
)

// stump returns a model of two classes: probabilities 0.8 and 0.2 up to 0.5, else 0.4 and 0.6.
func calibratedStump() *model.Ensemble {
	b := tree.NewBuilder(tree.Counts, 2, false)
	b.SetValue(0, []float64{12, 8})
	first := b.Split(0, tree.Split{Kind: tree.Numeric, Feature: 0, SplitPoint: 0.5, Missing: tree.MissingLast})
	b.SetValue(first, []float64{8, 2})
	b.SetValue(first+1, []float64{4, 6})
	t, err := b.Build()
	if err != nil {
		panic(err)
	}
	return &model.Ensemble{Trees: []*tree.Tree{t}, Combine: model.Mean, Meta: model.Spec{Task: data.Binary, Classes: []string{"no", "yes"}, Learner: "cart",
		Schema: data.Schema{Fields: []data.Field{{Name: "x"}}}}}
}

func wrapped(m committee.CalibrationMethod, calibrators ...committee.Calibrator) *committee.Calibrated {
	return &committee.Calibrated{Meta: calibratedStump().Meta, Base: calibratedStump(), Method: m, Calibrators: calibrators}
}

func predictCalibrated(t *testing.T, m model.Model, o model.Options, x ...float64) []float64 {
	t.Helper()
	rows := make([][]float64, len(x))
	for i := range x {
		rows[i] = []float64{-7, x[i]}
	}
	f, err := data.FromRows(rows, []string{"other", "x"})
	if err != nil {
		t.Fatal(err)
	}
	return modeltest.PredictBoth(t, m, f, o, nil)
}

func close(a, b []float64) bool {
	return slices.EqualFunc(a, b, func(x, y float64) bool { return math.Abs(x-y) < 1e-12 })
}

func TestPredictions(t *testing.T) {
	odds := func(q float64) float64 { return 1 / (1 + math.Exp(-q)) }
	for _, c := range []struct {
		m         *committee.Calibrated
		low, high float64 // fraction of the second class
	}{
		{wrapped(committee.NoCurves), 0.2, 0.6},
		{wrapped(committee.Platt, committee.Calibrator{Slope: 2, Intercept: 1}), odds(2*math.Log(0.25) + 1), odds(2*math.Log(1.5) + 1)},
		{wrapped(committee.Temperature, committee.Calibrator{Slope: 2}), 0.04 / 0.68, 0.36 / 0.52},
		{wrapped(committee.Isotonic, committee.Calibrator{At: []float64{0.1, 0.3, 0.5}, Value: []float64{0, 0.5, 0.7}}), 0.25, 0.7},
		{wrapped(committee.Isotonic, committee.Calibrator{At: []float64{0.3}, Value: []float64{0.9}}), 0.9, 0.9},
	} {
		if err := c.m.Validate(); err != nil {
			t.Fatal(err)
		}
		if got := predictCalibrated(t, c.m, model.Options{}, 0, 1); !close(got, []float64{1 - c.low, c.low, 1 - c.high, c.high}) {
			t.Errorf("%s: %v, want %g and %g", c.m.Method, got, c.low, c.high)
		}
		if got := predictCalibrated(t, c.m, model.Options{Output: model.Label}, 0, 1); got[0] != float64(index(c.low > 0.5)) || got[1] != float64(index(c.high > 0.5)) {
			t.Errorf("%s: labels %v", c.m.Method, got)
		}
		if got := predictCalibrated(t, c.m, model.Options{Output: model.Leaf}, 0, 1); !slices.Equal(got, []float64{1, 2}) {
			t.Errorf("%s: leaves %v", c.m.Method, got)
		}
	}
}

func index(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

// The decision is the calibrated model's own, and it is made by calibrated probabilities.
func TestDecision(t *testing.T) {
	m := wrapped(committee.Temperature, committee.Calibrator{Slope: 2})
	m.Meta.Decision.Threshold = 0.05
	if got := predictCalibrated(t, m, model.Options{Output: model.Label}, 0, 1); !slices.Equal(got, []float64{1, 1}) {
		t.Errorf("labels %v by a threshold of 0.05", got)
	}
	m.Meta.Decision = model.Decision{Costs: data.Costs{{0, 100}, {1, 0}}}
	if got := predictCalibrated(t, m, model.Options{Output: model.Label}, 0, 1); !slices.Equal(got, []float64{0, 0}) {
		t.Errorf("labels %v where a false alarm costs 100", got)
	}
}

// apply calibrates probabilities by the calibrators of a method.
func apply(m committee.CalibrationMethod, calibrators []committee.Calibrator, probabilities []float64) {
	c := committee.Calibrated{Method: m, Calibrators: calibrators}
	c.Apply(probabilities)
}

// Three classes: each against the rest, divided by the sum; equal where the sum is 0.
func TestSeveralClasses(t *testing.T) {
	line := func(values ...float64) committee.Calibrator {
		return committee.Calibrator{At: []float64{0, 1}, Value: values}
	}
	probabilities := []float64{0.5, 0.25, 0.25}
	apply(committee.Isotonic, []committee.Calibrator{line(0, 1), line(0, 0.4), line(0, 0)}, probabilities)
	if !close(probabilities, []float64{5.0 / 6, 1.0 / 6, 0}) {
		t.Errorf("probabilities %v", probabilities)
	}
	apply(committee.Isotonic, []committee.Calibrator{line(0, 0), line(0, 0), line(0, 0)}, probabilities)
	if !close(probabilities, []float64{1.0 / 3, 1.0 / 3, 1.0 / 3}) {
		t.Errorf("probabilities %v for a sum of 0", probabilities)
	}
}

// The identity of every method changes nothing.
func TestIdentity(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := rapid.Float64Range(0x1p-20, 1-0x1p-20).Draw(t, "p")
		for m, u := range map[committee.CalibrationMethod]committee.Calibrator{committee.Platt: {Slope: 1}, committee.Temperature: {Slope: 1},
			committee.Isotonic: {At: []float64{0, 1}, Value: []float64{0, 1}}} {
			probabilities := []float64{1 - p, p}
			if apply(m, []committee.Calibrator{u}, probabilities); math.Abs(probabilities[1]-p) > 1e-10 {
				t.Fatalf("%s makes %g of %g", m, probabilities[1], p)
			}
		}
	})
}

func TestInvalid(t *testing.T) {
	for want, edit := range map[string]func(*committee.Calibrated){
		"no model to calibrate": func(m *committee.Calibrated) { m.Base = nil },
		"unknown calibration":   func(m *committee.Calibrated) { m.Method = 17 },
		"2 curves of platt":     func(m *committee.Calibrated) { m.Calibrators = append(m.Calibrators, m.Calibrators...) },
		"slope NaN":             func(m *committee.Calibrated) { m.Calibrators[0].Slope = math.NaN() },
		"sharpness -1": func(m *committee.Calibrated) {
			m.Method, m.Calibrators[0] = committee.Temperature, committee.Calibrator{Slope: -1}
		},
		"the task is regression": func(m *committee.Calibrated) { m.Meta.Task, m.Meta.Classes = data.Regression, nil },
		`classes ["a" "b"]`:      func(m *committee.Calibrated) { m.Meta.Classes = []string{"a", "b"} },
		`uses a numeric column "x"`: func(m *committee.Calibrated) {
			m.Meta.Schema = data.Schema{Fields: []data.Field{{Name: "x", Kind: data.Categorical, Levels: []string{"p"}}}}
		},
		"base: ": func(m *committee.Calibrated) { m.Base.(*model.Ensemble).Weights = []float64{1, 2, 3} },
	} {
		m := wrapped(committee.Platt, committee.Calibrator{Slope: 1})
		edit(m)
		if err := m.Validate(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
	m := wrapped(committee.NoCurves)
	for _, o := range []model.Output{model.Response, model.Label} {
		if _, err := m.Bind(&data.Schema{Fields: []data.Field{{Name: "y"}}}, model.Options{Output: o}); err == nil {
			t.Error("a table without the column is bound")
		}
	}
	if _, err := m.Bind(&m.Meta.Schema, model.Options{Output: model.Quantiles}); err != model.ErrNoQuantiles {
		t.Errorf("quantiles: %v", err)
	}
	if new(committee.CalibrationMethod).UnmarshalText([]byte("beta")) == nil {
		t.Error("an unknown method is none")
	}
}

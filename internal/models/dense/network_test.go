package dense_test

import (
	"math"
	"slices"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/models/dense"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/model/modeltest"
)

func TestActivations(t *testing.T) {
	for _, name := range []string{"relu", "tanh", "sigmoid"} {
		var a dense.Activation
		if err := a.UnmarshalText([]byte(name)); err != nil || a.String() != name {
			t.Fatalf("%s: %v, %v", name, a, err)
		}
		for _, x := range []float64{-3, -0.5, 0.25, 2} {
			at := func(x float64) float64 {
				v := []float64{x}
				a.Apply(v)
				return v[0]
			}
			want := map[string]float64{"relu": max(0, x), "tanh": math.Tanh(x), "sigmoid": 1 / (1 + math.Exp(-x))}[name]
			slope := (at(x+1e-6) - at(x-1e-6)) / 2e-6
			if math.Abs(at(x)-want) > 1e-15 || math.Abs(a.Slope(at(x))-slope) > 1e-8 {
				t.Errorf("%s of %g is %g with slope %g, want %g with %g", name, x, at(x), a.Slope(at(x)), want, slope)
			}
		}
	}
	if new(dense.Activation).UnmarshalText([]byte("swish")) == nil {
		t.Error("swish is an activation")
	}
}

// two is a network of two units on a line: scores -h0 + 2 h1 and h0 + 0.5, h0 = max(0, z), h1 =
// max(0, 1 - z).
func twoUnits() *dense.Network {
	return &dense.Network{Model: dense.Model{Meta: model.Spec{Task: data.Binary, Classes: []string{"no", "yes"}, Label: "y", Schema: data.Schema{Fields: []data.Field{{Name: "x"}}}}, Encoding: dense.Encoding{Columns: []dense.Column{{Mean: 10, Scale: 2, High: 20, Missing: -1, Unseen: -1}}}},
		Layers: dense.Layers{In: []float64{1, -1}, InBias: []float64{0, 1}, Out: []float64{-1, 2, 1, 0}, OutBias: []float64{0, 0.5}}}
}

func predictNetwork(t *testing.T, m *dense.Network, o model.Output, x ...float64) []float64 {
	t.Helper()
	if err := m.Validate(); err != nil {
		t.Fatal(err)
	}
	f, err := data.NewFrame(m.Meta.Schema, []data.Column{data.Numbers(x)})
	if err != nil {
		t.Fatal(err)
	}
	return modeltest.Predict(t, m, f, model.Options{Output: o}, nil)
}

func TestNetworkByHand(t *testing.T) {
	// z = 2: h = (2, 0); z = -1: h = (0, 2); missing, z = 0: h = (0, 1).
	x := []float64{14, 8, math.NaN()}
	want := []float64{-2, 2.5, 4, 0.5, 2, 0.5}
	if got := predictNetwork(t, twoUnits(), model.Raw, x...); !slices.Equal(got, want) {
		t.Errorf("scores %v, want %v", got, want)
	}
	if got := predictNetwork(t, twoUnits(), model.Label, x...); !slices.Equal(got, []float64{1, 0, 0}) {
		t.Errorf("labels %v", got)
	}
	for i, fraction := range predictNetwork(t, twoUnits(), model.Response, x...) {
		if p := 1 / (1 + math.Exp(want[i^1]-want[i])); math.Abs(fraction-p) > 1e-15 {
			t.Errorf("probability %d is %g, want %g", i, fraction, p)
		}
	}
	number := twoUnits()
	number.Meta.Task, number.Meta.Classes = data.Regression, nil
	number.Layers.Out, number.Layers.OutBias = number.Layers.Out[:2], number.Layers.OutBias[:1]
	for _, o := range []model.Output{model.Response, model.Raw, model.Label} {
		if got := predictNetwork(t, number, o, x...); !slices.Equal(got, []float64{-2, 4, 2}) {
			t.Errorf("output %s: %v", o, got)
		}
	}
	for _, o := range []model.Output{model.Leaf, model.Quantiles} {
		if _, err := twoUnits().Bind(&twoUnits().Meta.Schema, model.Options{Output: o}); err == nil {
			t.Errorf("output %s is there", o)
		}
	}
}

// TestExtremes: every prediction of a valid network is finite.
func TestExtremes(t *testing.T) {
	m := twoUnits()
	m.Layers = dense.Layers{In: []float64{dense.LargestWeight, -dense.LargestWeight}, InBias: []float64{dense.LargestWeight, 0},
		Out: []float64{-dense.LargestWeight, -dense.LargestWeight, 0, 0}, OutBias: []float64{-dense.LargestWeight, dense.Never}}
	x := []float64{math.MaxFloat64, -math.MaxFloat64, 10, math.Inf(1)}
	for _, v := range predictNetwork(t, m, model.Raw, x...) {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			t.Errorf("a score of %g", v)
		}
	}
	if got := predictNetwork(t, m, model.Response, x...); !slices.Equal(got, []float64{1, 0, 1, 0, 1, 0, 1, 0}) {
		t.Errorf("probabilities %v", got)
	}
}

package model_test

import (
	"math"
	"slices"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/model"
)

// A threshold is one on the probability of the positive class, whichever that is: the label is that
// class where the probability is greater, not where it is equal.
func TestThresholdOfThePositiveClass(t *testing.T) {
	m, f := classifier(t), shuffled(t) // the probabilities of no are .75, .5, 0, 0, .5, .75
	for _, c := range []struct {
		decision model.Decision
		want     []float64
	}{
		{model.Decision{Threshold: 0.5}, []float64{0, 0, 1, 1, 0, 0}},
		{model.Decision{Threshold: 0.5, FirstPositive: true}, []float64{0, 1, 1, 1, 1, 0}},
		{model.Decision{Threshold: 0.4, FirstPositive: true}, []float64{0, 0, 1, 1, 0, 0}},
		{model.Decision{Threshold: 1, FirstPositive: true}, []float64{1, 1, 1, 1, 1, 1}},
		{model.Decision{Threshold: math.SmallestNonzeroFloat64, FirstPositive: true}, []float64{0, 0, 1, 1, 0, 0}},
		// no threshold: the greater probability
		{model.Decision{FirstPositive: true}, []float64{0, 0, 1, 1, 0, 0}},
	} {
		m.Meta.Decision = c.decision
		if err := m.Validate(); err != nil {
			t.Fatal(err)
		}
		if got := predict(t, m, f, model.Options{Output: model.Label}); !slices.Equal(got, c.want) {
			t.Errorf("%+v: labels %v, want %v", c.decision, got, c.want)
		}
		m.Meta.Decision = model.Decision{Threshold: 0.9}
		other, err := model.WithDecision(m, c.decision)
		if err != nil {
			t.Fatal(err)
		}
		if got := predict(t, other, f, model.Options{Output: model.Label}); !slices.Equal(got, c.want) {
			t.Errorf("%+v instead of another: labels %v, want %v", c.decision, got, c.want)
		}
		for _, out := range []model.Output{model.Response, model.Raw, model.Leaf} {
			if got, want := predict(t, other, f, model.Options{Output: out}), predict(t, m, f, model.Options{Output: out}); !slices.Equal(got, want) {
				t.Errorf("%+v: %s is %v, want that of the model, %v", c.decision, out, got, want)
			}
		}
		if at := other.Spec().Positive(); (at == 0) != c.decision.FirstPositive || m.Meta.Decision.Threshold != 0.9 {
			t.Errorf("%+v: positive class %d; the model's own threshold is %v", c.decision, at, m.Meta.Decision.Threshold)
		}
	}
}

func TestWithDecisionRow(t *testing.T) {
	m := classifier(t)
	other, err := model.WithDecision(m, model.Decision{Threshold: 0.6, FirstPositive: true})
	if err != nil {
		t.Fatal(err)
	}
	p, err := other.Bind(&m.Meta.Schema, model.Options{Output: model.Label})
	if err != nil {
		t.Fatal(err)
	}
	dst := make([]float64, 1)
	for _, c := range []struct {
		row  []float64
		want float64
	}{{[]float64{0, 0, 0}, 0}, {[]float64{0, 1, 0}, 1}, {[]float64{0, 1, 5}, 1}} {
		// .75, .5, 0 for no
		if err := p.PredictRow(dst, c.row); err != nil || dst[0] != c.want {
			t.Errorf("row %v: %v, %v, want %v", c.row, dst, err, c.want)
		}
	}
	if err := p.PredictRow(nil, []float64{0, 0, 0}); err == nil {
		t.Error("a label was written into an empty slice")
	}
	if err := p.Predict(dst, shuffled(t), nil); err == nil {
		t.Error("six labels were written into a slice of one")
	}
}

func TestWithDecisionRefuses(t *testing.T) {
	m := classifier(t)
	for _, d := range []model.Decision{{Threshold: -1}, {Threshold: math.NaN()}, {Costs: data.Costs{{0}}}} {
		if _, err := model.WithDecision(m, d); err == nil {
			t.Errorf("%+v is taken", d)
		}
	}
	numbers := *m
	numbers.Meta.Task, numbers.Meta.Classes = data.Regression, nil
	if _, err := model.WithDecision(&numbers, model.Decision{}); err == nil {
		t.Error("a decision between no classes is taken")
	}
}

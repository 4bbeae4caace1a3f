package dense_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/models/dense"
	"github.com/coppice-ml/coppice/model"
)

// sample has the number x, standardised by mean 10 and deviation 2, and the category c; the third
// class has no prior.
func sampleBayes() *dense.Bayes {
	return &dense.Bayes{
		Model: dense.Model{Meta: model.Spec{Task: data.Multiclass, Classes: []string{"a", "b", "none"}, Label: "y",
			Schema: data.Schema{Fields: []data.Field{{Name: "x"}, {Name: "c", Kind: data.Categorical, Levels: []string{"p", "q"}}}}}, Encoding: dense.Encoding{Columns: []dense.Column{
			{Field: 0, Mean: 10, Scale: 2, Low: 5, High: 20, Missing: -1, Unseen: -1},
			{Field: 1, Place: []int32{0, 1}, Fraction: []float64{0.25, 0.75}, Missing: -1, Unseen: -1}}}},
		Prior:    []float64{0.25, 0.75, 0},
		Mean:     []float64{-1, 0.5, 0.5, 1, 0.1, 0.9, 0, 0.5, 0.5},
		Variance: []float64{1, 0, 0, 1, 0, 0, 1, 0, 0},
	}
}

// At the middle of the classes' means the number carries no information; what is missing or unknown
// is left out.
func TestBayesByHand(t *testing.T) {
	m := sampleBayes()
	if err := m.Validate(); err != nil {
		t.Fatal(err)
	}
	p, err := m.Bind(&m.Meta.Schema, model.Options{})
	if err != nil {
		t.Fatal(err)
	}
	nan := math.NaN()
	far := math.Exp(-2) // x = 12 is 2 deviations from a's mean, 0 from b's
	for _, c := range []struct {
		row  []float64
		a, b float64
	}{
		{[]float64{10, nan}, 0.25, 0.75},
		{[]float64{nan, -1}, 0.25, 0.75},
		{[]float64{nan, 0}, 0.125, 0.075},
		{[]float64{12, 1}, 0.125 * far, 0.675},
		{[]float64{math.Inf(1), nan}, 0.25 * math.Exp(-18), 0.75 * math.Exp(-8)},
		{[]float64{1e300, nan}, 0, 1}, // finite, however far
	} {
		dst := make([]float64, 3)
		if err := p.PredictRow(dst, c.row); err != nil {
			t.Fatal(err)
		}
		if c.row[0] == 1e300 {
			// Squares of 1e100 are the same for both classes: the last digits decide nothing, but
			// nothing is NaN.
			if math.IsNaN(dst[0] + dst[1] + dst[2]) {
				t.Errorf("%v: %v", c.row, dst)
			}
			continue
		}
		if sum := c.a + c.b; math.Abs(dst[0]-c.a/sum) > 1e-12 || math.Abs(dst[1]-c.b/sum) > 1e-12 || dst[2] != 0 {
			t.Errorf("%v: %v, want %g to %g", c.row, dst, c.a, c.b)
		}
	}
	for o, want := range map[model.Output]error{model.Leaf: model.ErrNoLeaves, model.Quantiles: model.ErrNoQuantiles} {
		if _, err := m.Bind(&m.Meta.Schema, model.Options{Output: o}); !errors.Is(err, want) {
			t.Errorf("%s: %v", o, err)
		}
	}
}

func TestBayesValidateRefuses(t *testing.T) {
	for _, c := range []struct {
		edit func(*dense.Bayes)
		want string
	}{
		{func(m *dense.Bayes) { m.Meta.Task = data.Regression }, "predicts classes, the task is regression"},
		{func(m *dense.Bayes) { m.Prior = m.Prior[:2] }, "2 priors"},
		{func(m *dense.Bayes) { m.Prior[0] = 0.5 }, "add up to 1.25"},
		{func(m *dense.Bayes) { m.Variance[3] = 0 }, "class 1: mean 1, variance 0"},
		{func(m *dense.Bayes) { m.Mean[0] = math.NaN() }, "class 0: mean NaN"},
		{func(m *dense.Bayes) { m.Mean[8] = 0 }, "class 2: probability 0"},
		{func(m *dense.Bayes) { m.Variance[1] = 1 }, "class 0: probability 0.5, variance 1"},
		{func(m *dense.Bayes) { m.Encoding.Columns[0].Scale = -1 }, "deviation -1"},
	} {
		m := sampleBayes()
		c.edit(m)
		if err := m.Validate(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
}

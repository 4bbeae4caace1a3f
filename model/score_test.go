package model_test

import (
	"math"
	"slices"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/kernel"
	"github.com/coppice-ml/coppice/loss/link"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tree"
)

// scored is a model of two classes with one score: 0.5 more than x <= 1 ? -1 : 40.
func scored(t *testing.T, l link.Link) *model.Ensemble {
	t.Helper()
	b := tree.NewBuilder(tree.Scalar, 1, false)
	b.Split(0, tree.Split{Kind: tree.Numeric, Feature: 0, SplitPoint: 1})
	b.SetValue(1, []float64{-1})
	b.SetValue(2, []float64{40})
	grown, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	m := &model.Ensemble{Trees: []*tree.Tree{grown}, Output: []int32{0}, Bias: []float64{0.5}, Link: l,
		Meta: model.Spec{Task: data.Binary, Classes: []string{"no", "yes"}, Schema: data.Schema{Fields: []data.Field{{Name: "x"}}}}}
	if err := m.Validate(); err != nil {
		t.Fatal(err)
	}
	return m
}

// TestOneScoreOfTwoClasses: the fraction of the second class is the link of the score, and no digit
// of the first's is lost.
func TestOneScoreOfTwoClasses(t *testing.T) {
	f, err := data.NewFrame(data.Schema{Fields: []data.Field{{Name: "x"}}}, []data.Column{data.Numbers([]float64{0, 2})})
	if err != nil {
		t.Fatal(err)
	}
	small := kernel.Exp(-40.5)
	for _, c := range []struct {
		link     link.Link
		response []float64
	}{
		{link.Logistic(), []float64{1 / (1 + kernel.Exp(-0.5)), kernel.Exp(-0.5) / (1 + kernel.Exp(-0.5)), small / (1 + small), 1 / (1 + small)}},
		{link.ScaledLogistic(2), []float64{kernel.Sigmoid(1), kernel.Sigmoid(-1), kernel.Sigmoid(-81), 1}},
		{link.Probit(), []float64{kernel.NormalCDF(0.5), kernel.NormalCDF(-0.5), 0, 1}},
		{link.Identity(), []float64{1.5, -0.5, -39.5, 40.5}},
	} {
		m := scored(t, c.link)
		if m.Outputs() != 2 || m.Scores() != 1 {
			t.Fatalf("%d outputs of %d scores", m.Outputs(), m.Scores())
		}
		for out, want := range map[model.Output][]float64{model.Raw: {-0.5, 40.5}, model.Response: c.response, model.Label: {0, 1}, model.Leaf: {1, 2}} {
			p, err := m.Bind(&f.Schema, model.Options{Output: out})
			if err != nil {
				t.Fatal(err)
			}
			got := predict(t, m, f, model.Options{Output: out})
			if !slices.EqualFunc(got, want, func(a, b float64) bool { return math.Abs(a-b) <= 1e-15*math.Abs(b) }) {
				t.Errorf("%s, link %s: %v, want %v", out, c.link.Name(), got, want)
			}
			row := make([]float64, p.Width())
			if err := p.PredictRow(row, []float64{2}); err != nil || !slices.Equal(row, got[p.Width():]) {
				t.Errorf("%s: %v alone, %v in a table, error %v", out, row, got[p.Width():], err)
			}
		}
	}
	m := scored(t, link.Logistic())
	m.Bias = []float64{1, 2}
	if m.Validate() != nil {
		t.Error("two scores for two classes are refused")
	}
	m.Meta.Classes = []string{"a", "b", "c"}
	if m.Bias = m.Bias[:1]; m.Validate() == nil {
		t.Error("one score for three classes passes")
	}
}

// A mean needs trees, and weights that do not add up to 0, for each of its outputs.
func TestWeightsOfMeans(t *testing.T) {
	one := scored(t, nil)
	two := func(weights ...float64) *model.Ensemble {
		m := *one
		m.Trees, m.Output, m.Weights = []*tree.Tree{one.Trees[0], one.Trees[0]}, []int32{0, 0}, weights
		return &m
	}
	apart := two(1, 1)
	apart.Output, apart.Bias = []int32{1, 1}, nil
	for _, c := range []struct {
		what  string
		model *model.Ensemble
		valid bool
	}{
		{"no trees", &model.Ensemble{Meta: one.Meta}, false},
		{"two trees", two(), true},
		{"one of which counts", two(0, 2), true},
		{"weights of 0", two(0, 0), false},
		{"weights that cancel out", two(1, -1), false},
		{"weights whose sum is infinite", two(1e308, 1e308), false},
		{"no tree of the first output", apart, false},
	} {
		mean := *c.model
		mean.Combine = model.Mean
		if err := mean.Validate(); (err == nil) != c.valid {
			t.Errorf("a mean of %s: %v", c.what, err)
		}
		if err := c.model.Validate(); err != nil {
			t.Errorf("a sum of %s: %v", c.what, err)
		}
	}
}

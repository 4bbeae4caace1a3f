package model_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/loss/link"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tree"
)

// labelled samples a model of classes or anomalies whose trees grow weaker, as boosting makes them,
// or are equally strong.
func labelled(t *rapid.T) *model.Ensemble {
	r := rng.New(rapid.Uint64().Draw(t, "seed"))
	m := &model.Ensemble{Meta: model.Spec{Task: data.Binary, Classes: []string{"a", "b"}, Schema: data.Schema{Fields: []data.Field{{Name: "x"}, {Name: "y"}}}}}
	d := &m.Meta.Decision
	threshold := rapid.SampledFrom([]float64{0, 0, 5e-324, 1e-12, 0.2, 0.5, 0.75, 1 - 1e-15, 1, 3})
	scores, kind := 1, tree.Scalar
	switch rapid.SampledFrom([]string{"score", "anomaly", "scores", "classes", "probabilities"}).Draw(t, "kind") {
	case "score":
		m.Link = rapid.SampledFrom([]link.Link{nil, link.Identity{}, link.Logistic{}, link.ScaledLogistic{Factor: 30}, link.Step{}, link.Probit{}, link.Softplus{}}).Draw(t, "link")
		d.Threshold, d.FirstPositive = threshold.Draw(t, "threshold"), rapid.Bool().Draw(t, "first")
	case "anomaly":
		m.Meta.Task, m.Link = data.Anomaly, link.Halving{}
		d.Threshold = rapid.SampledFrom([]float64{0.2, 0.5, 0.8, 2}).Draw(t, "threshold")
	case "scores":
		scores, m.Link = 2, rapid.SampledFrom([]link.Link{nil, link.Softmax{}, link.OneVsAll{}}).Draw(t, "link")
		d.Threshold = threshold.Draw(t, "threshold")
	case "classes":
		m.Meta.Task, m.Meta.Classes, scores = data.Multiclass, []string{"a", "b", "c"}, 3
		m.Link = rapid.SampledFrom([]link.Link{nil, link.Softmax{}, link.OneVsAll{}, link.Logistic{}}).Draw(t, "link")
		if rapid.Bool().Draw(t, "costs") {
			d.Costs = data.Costs{{0, 1, 2}, {3, 0, 1}, {1, 1, 0}}
		}
	case "probabilities":
		scores, kind, m.Combine = 2, tree.Counts, model.Mean
		d.Threshold, d.FirstPositive = threshold.Draw(t, "threshold"), rapid.Bool().Draw(t, "first")
	}
	strength := rapid.SampledFrom([]float64{0.01, 1, 100}).Draw(t, "strength")
	fading := rapid.Bool().Draw(t, "fading")
	for i := range rapid.IntRange(1, 100).Draw(t, "trees") {
		width := 1
		if kind == tree.Counts {
			width = scores
		}
		b := tree.NewBuilder(kind, width, false)
		for n := range int32(3) {
			b.Split(n, tree.Split{Kind: tree.Numeric, Feature: int32(r.Intn(2)), SplitPoint: r.Float64()})
		}
		for n := range int32(b.Len()) {
			v := make([]float64, width)
			for k := range v {
				if v[k] = r.Float64(); kind != tree.Counts {
					v[k] = strength * (v[k] - 0.4)
				}
				if fading && kind != tree.Counts {
					v[k] /= float64(1 + i*i)
				}
			}
			b.SetValue(n, v)
		}
		grown, err := b.Build()
		if err != nil {
			t.Fatal(err)
		}
		m.Trees = append(m.Trees, grown.Compact())
		output := int32(i % scores)
		if kind == tree.Counts {
			output = -1
		}
		m.Output = append(m.Output, output)
	}
	m.Bias = make([]float64, scores)
	if err := m.Validate(); err != nil {
		t.Fatal(err)
	}
	return m
}

// TestLabelsOfSingleRows: a row of which trees are left out has the label that all trees give.
func TestLabelsOfSingleRows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := labelled(t)
		all, err := m.Bind(&m.Meta.Schema, model.Options{})
		if err != nil {
			t.Fatal(err)
		}
		label, err := m.Bind(&m.Meta.Schema, model.Options{Output: model.Label})
		if err != nil {
			t.Fatal(err)
		}
		response, got := make([]float64, all.Width()), make([]float64, 1)
		for range 20 {
			row := []float64{rapid.Float64Range(-0.1, 1.1).Draw(t, "x"), rapid.Float64Range(-0.1, 1.1).Draw(t, "y")}
			if err := all.PredictRow(response, row); err != nil {
				t.Fatal(err)
			}
			if err := label.PredictRow(got, row); err != nil {
				t.Fatal(err)
			}
			if want := m.Meta.Decision.Label(response); got[0] != float64(want) {
				t.Fatalf("label %v of %v, response %v, want %d", got[0], row, response, want)
			}
		}
	})
}

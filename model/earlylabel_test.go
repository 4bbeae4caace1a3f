package model_test

import (
	"math"
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
	any := rapid.SampledFrom(append(link.Table(), nil, link.ScaledLogistic(30)))
	switch rapid.SampledFrom([]string{"score", "anomaly", "scores", "classes", "probabilities"}).Draw(t, "kind") {
	case "score":
		m.Link = any.Draw(t, "link")
		d.Threshold, d.FirstPositive = threshold.Draw(t, "threshold"), rapid.Bool().Draw(t, "first")
	case "anomaly":
		m.Meta.Task, m.Link = data.Anomaly, link.Halving()
		d.Threshold = rapid.SampledFrom([]float64{0.2, 0.5, 0.8, 2}).Draw(t, "threshold")
	case "scores":
		scores, m.Link = 2, any.Draw(t, "link")
		d.Threshold = threshold.Draw(t, "threshold")
	case "classes":
		m.Meta.Task, m.Meta.Classes, scores = data.Multiclass, []string{"a", "b", "c"}, 3
		m.Link = any.Draw(t, "link")
	case "probabilities":
		scores, kind, m.Combine = 2, tree.Counts, model.Mean
		d.Threshold, d.FirstPositive = threshold.Draw(t, "threshold"), rapid.Bool().Draw(t, "first")
	}
	if n := len(m.Meta.Classes); m.Meta.Task.Classes() && rapid.Bool().Draw(t, "costs") {
		d.Threshold = 0
		d.Costs = costs(n).Draw(t, "matrix")
	}
	values := leaves().Draw(t, "leaves")
	if kind == tree.Counts {
		values = func(r *rng.Stream, _ int) float64 { return r.Float64() }
	}
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
				v[k] = values(r, i/scores)
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

// leaves samples what leaves hold, of trees of some rounds: such that sums come near the scores
// where a label changes, or to them, after many trees or in the last ones alone.
func leaves() *rapid.Generator[func(r *rng.Stream, round int) float64] {
	return rapid.Custom(func(t *rapid.T) func(r *rng.Stream, round int) float64 {
		strength := rapid.SampledFrom([]float64{1e-12, 0.01, 1, 100}).Draw(t, "strength")
		switch rapid.SampledFrom([]string{"any", "fading", "halves", "steps", "apart"}).Draw(t, "values") {
		case "fading":
			return func(r *rng.Stream, round int) float64 {
				return strength * (r.Float64() - 0.4) / float64(1+round*round)
			}
		case "halves": // the first round may be made up for by all others together
			return func(r *rng.Stream, round int) float64 {
				return math.Ldexp(float64(1-2*r.Intn(2)), -min(round, 60))
			}
		case "steps": // sums are often equal
			return func(r *rng.Stream, _ int) float64 { return strength * float64(r.Intn(3)-1) }
		case "apart": // sums differ by one digit
			return func(r *rng.Stream, round int) float64 {
				if round > 0 {
					return 0x1p-53 * float64(r.Intn(3)-1)
				}
				return 1
			}
		}
		return func(r *rng.Stream, _ int) float64 { return strength * (r.Float64() - 0.4) }
	})
}

// costs samples costs of classes, equal ones and far different ones among them.
func costs(classes int) *rapid.Generator[data.Costs] {
	return rapid.Custom(func(t *rapid.T) data.Costs {
		c := make(data.Costs, classes)
		for i := range c {
			for j := range classes {
				cost := rapid.SampledFrom([]float64{1, 1, 2, 0.5, 1e6, 1e-300, 1e300}).Draw(t, "cost")
				if i == j {
					cost = 0
				}
				c[i] = append(c[i], cost)
			}
		}
		return c
	})
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
		changed, err := model.WithDecision(m, m.Meta.Decision)
		if m.Meta.Task == data.Anomaly {
			changed, err = m, nil
		}
		if err != nil {
			t.Fatal(err)
		}
		other, err := changed.Bind(&m.Meta.Schema, model.Options{Output: model.Label})
		if err != nil {
			t.Fatal(err)
		}
		response, got := make([]float64, all.Width()), make([]float64, 1)
		for range 20 {
			row := []float64{rapid.Float64Range(-0.1, 1.1).Draw(t, "x"), rapid.Float64Range(-0.1, 1.1).Draw(t, "y")}
			if err := all.PredictRow(response, row); err != nil {
				t.Fatal(err)
			}
			for _, p := range []model.Predictor{label, other} {
				if err := p.PredictRow(got, row); err != nil {
					t.Fatal(err)
				}
				if want := m.Meta.Decision.Label(response); got[0] != float64(want) {
					t.Fatalf("label %v of %v, response %v, want %d", got[0], row, response, want)
				}
			}
		}
	})
}

// TestEarlyLabels: rules find labels before the last tree, with costs, thresholds and of many
// scores, too.
func TestEarlyLabels(t *testing.T) {
	for _, c := range []struct {
		name     string
		scores   int
		link     link.Link
		decision model.Decision
	}{
		{"two scores", 2, link.Softmax(), model.Decision{}},
		{"classes", 3, link.Softmax(), model.Decision{}},
		{"probabilities", 3, nil, model.Decision{}},
		{"threshold", 2, nil, model.Decision{Threshold: 0.3}},
		{"costs", 3, nil, model.Decision{Costs: data.Costs{{0, 1, 2}, {3, 0, 1}, {1, 1, 0}}}},
	} {
		m := decisive(t, c.scores)
		m.Link, m.Meta.Decision = c.link, c.decision
		if err := m.Validate(); err != nil {
			t.Fatal(err)
		}
		used, trees := model.TreesForLabel(m, []float64{0.5})
		if used > trees/2 || trees == 0 {
			t.Errorf("%s: %d of %d stages were used", c.name, used, trees)
		}
	}
}

// decisive returns a model of classes whose first trees decide: score 0 is far above the others.
func decisive(t *testing.T, scores int) *model.Ensemble {
	m := &model.Ensemble{Meta: model.Spec{Task: data.Multiclass, Classes: []string{"a", "b", "c"}[:max(2, scores)],
		Schema: data.Schema{Fields: []data.Field{{Name: "x"}}}}}
	if scores < 3 {
		m.Meta.Task = data.Binary
	}
	for i := range 200 * scores {
		value := 0.001
		if i == 0 {
			value = 3
		}
		b := tree.NewBuilder(tree.Scalar, 1, false)
		b.Split(0, tree.Split{Kind: tree.Numeric, Feature: 0, SplitPoint: 0.7})
		b.SetValue(1, []float64{value})
		b.SetValue(2, []float64{-value})
		grown, err := b.Build()
		if err != nil {
			t.Fatal(err)
		}
		m.Trees, m.Output = append(m.Trees, grown), append(m.Output, int32(i%scores))
	}
	m.Bias = make([]float64, scores)
	return m
}

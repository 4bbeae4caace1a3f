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

// vectors is a tree of one split point of x whose leaves have a number for each of three classes.
func vectors(t *testing.T, splitPoint float64, first, last []float64) *tree.Tree {
	t.Helper()
	b := tree.NewBuilder(tree.Vector, 3, false)
	b.Split(0, tree.Split{Kind: tree.Numeric, SplitPoint: splitPoint})
	b.SetValue(1, first)
	b.SetValue(2, last)
	grown, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return grown
}

// TestVectorLeaves: a boosted model whose trees feed all scores at once describes what one does
// that has a tree for each score; its response is the softmax of the sums.
func TestVectorLeaves(t *testing.T) {
	schema := data.Schema{Fields: []data.Field{{Name: "x"}}}
	meta := model.Spec{Task: data.Multiclass, Classes: []string{"a", "b", "c"}, Schema: schema}
	whole := &model.Ensemble{Meta: meta, Bias: []float64{0.5, 0, -0.25}, Link: link.Softmax(), Trees: []*tree.Tree{
		vectors(t, 1, []float64{-1, 2, 0.5}, []float64{1, 0, -0.5}), vectors(t, 2, []float64{0.25, -2, 3}, []float64{0, 4, 0.125}).Compact()}}
	separate := &model.Ensemble{Meta: meta, Bias: whole.Bias, Link: whole.Link}
	for _, from := range whole.Trees {
		for k := range 3 {
			b := tree.NewBuilder(tree.Scalar, 1, false)
			b.Split(0, from.SplitOf(0))
			b.SetValue(1, from.Value(1)[k:k+1])
			b.SetValue(2, from.Value(2)[k:k+1])
			one, err := b.Build()
			if err != nil {
				t.Fatal(err)
			}
			separate.Trees, separate.Output = append(separate.Trees, one), append(separate.Output, int32(k))
		}
	}
	for _, m := range []*model.Ensemble{whole, separate} {
		if err := m.Validate(); err != nil {
			t.Fatal(err)
		}
		if m.Outputs() != 3 || m.Scores() != 3 {
			t.Fatalf("%d outputs of %d scores", m.Outputs(), m.Scores())
		}
	}
	f, err := data.NewFrame(schema, []data.Column{data.Numbers([]float64{0, 1.5, 3, math.NaN()})})
	if err != nil {
		t.Fatal(err)
	}
	raw := predict(t, whole, f, model.Options{Output: model.Raw})
	want := []float64{-0.25, 0, 3.25, 1.75, -2, 2.25, 1.5, 4, -0.625, -0.25, 0, 3.25}
	if !slices.Equal(raw, want) {
		t.Errorf("scores %v, want %v", raw, want)
	}
	for _, o := range []model.Options{{Output: model.Raw}, {Output: model.Response}, {Output: model.Label}, {Output: model.Raw, Rounds: 1}} {
		if a, b := predict(t, whole, f, o), predict(t, separate, f, o); !slices.Equal(a, b) {
			t.Errorf("%s, %d rounds: %v, of trees for each class %v", o.Output, o.Rounds, a, b)
		}
	}
	probabilities := predict(t, whole, f, model.Options{Output: model.Response})
	sum := 0.0
	for _, s := range want[:3] {
		sum += kernel.Exp(s)
	}
	for k, s := range want[:3] {
		if math.Abs(probabilities[k]-kernel.Exp(s)/sum) > 1e-15 {
			t.Errorf("probability %d is %v, want %v", k, probabilities[k], kernel.Exp(s)/sum)
		}
	}
}

package parity_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/coppice-ml/coppice/codec/parity"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tree"
)

// Near 1.7e9 the numbers of single precision are 128 apart, near 0.3 they are not.
func TestMergedSplits(t *testing.T) {
	e := &model.Ensemble{Meta: model.Spec{Task: data.Regression, Schema: data.Schema{Fields: []data.Field{
		{Name: "time", Kind: data.Numeric}, {Name: "x", Kind: data.Numeric}}}}}
	for _, s := range []struct {
		feature int32
		point   float64
	}{{0, 1.7e9 + 1.5}, {0, 1.7e9 + 2.5}, {0, 1.7e9 + 1.5}, {0, 1.7e9 + 500}, {1, 0.3}, {1, 0.30001}} {
		b := tree.NewBuilder(tree.Scalar, 1, false)
		first := b.Split(0, tree.Split{Kind: tree.Numeric, Feature: s.feature, SplitPoint: s.point})
		b.SetValue(first, []float64{1})
		b.SetValue(first+1, []float64{2})
		made, err := b.Build()
		if err != nil {
			t.Fatal(err)
		}
		e.Trees = append(e.Trees, made)
	}
	want := []parity.Merged{{Column: "time", Points: 1, Pair: [2]float64{1.7e9 + 1.5, 1.7e9 + 2.5}}}
	if d := cmp.Diff(want, parity.MergedSplits(e)); d != "" {
		t.Error(d)
	}
}

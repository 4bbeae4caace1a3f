package explain_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/explain"
	"github.com/coppice-ml/coppice/internal/input"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tree"
)

// twoSplits is the tree
//
//	0: b <= 1, gain 3 -> 1: c <= 2, gain 1 -> 3, 4
//	                  -> 2
func twoSplits(t *testing.T, stats bool) *tree.Tree {
	t.Helper()
	b := tree.NewBuilder(tree.Counts, 2, stats)
	for n := range int32(5) {
		if n == 1 {
			b.Split(0, tree.Split{Kind: tree.Numeric, Feature: 1, SplitPoint: 1, Gain: 3})
		}
		if n == 3 {
			b.Split(1, tree.Split{Kind: tree.Numeric, Feature: 2, SplitPoint: 2, Gain: 1})
		}
		b.SetValue(n, []float64{1, 1})
		if stats {
			b.SetStats(n, 2, 2, 0.5)
		}
	}
	built, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return built
}

func ensemble(trees ...*tree.Tree) *model.Ensemble {
	schema := data.Schema{Fields: []data.Field{{Name: "a"}, {Name: "b"}, {Name: "c"}, {Name: "d"}}}
	return &model.Ensemble{Trees: trees, Combine: model.Mean,
		Meta: model.Spec{Schema: schema, Task: data.Binary, Classes: []string{"n", "y"}}}
}

func TestImpurity(t *testing.T) {
	m := ensemble(twoSplits(t, true))
	if err := m.Validate(); err != nil {
		t.Fatal(err)
	}
	got, err := explain.Impurity(m)
	if err != nil {
		t.Fatal(err)
	}
	want := []explain.Importance{{Feature: "b", Value: 0.75}, {Feature: "c", Value: 0.25},
		{Feature: "a"}, {Feature: "d"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("one tree (-want +got):\n%s", diff)
	}
}

func TestImpurityOfALeaf(t *testing.T) {
	b := tree.NewBuilder(tree.Counts, 2, true)
	b.SetValue(0, []float64{1, 1})
	b.SetStats(0, 2, 2, 0.5)
	leaf, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	got, err := explain.Impurity(ensemble(leaf))
	if err != nil {
		t.Fatal(err)
	}
	want := []explain.Importance{{Feature: "a"}, {Feature: "b"}, {Feature: "c"}, {Feature: "d"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("a single leaf (-want +got):\n%s", diff)
	}
	// Trees count by what they decrease: a leaf beside a tree changes nothing.
	both, err := explain.Impurity(ensemble(leaf, twoSplits(t, true)))
	if err != nil || both[0].Feature != "b" || both[0].Value != 0.75 {
		t.Errorf("leaf and tree: %v, %v, want b 0.75 first", both, err)
	}
}

func TestImpurityWithoutStatistics(t *testing.T) {
	if _, err := explain.Impurity(ensemble(twoSplits(t, false))); !errors.Is(err,
		explain.ErrNoStats) {
		t.Errorf("error %v, want ErrNoStats", err)
	}
}

// TestSeveralFeatures: the gain of a split along a direction is shared by its features.
func TestSeveralFeatures(t *testing.T) {
	b := tree.NewBuilder(tree.Scalar, 1, true)
	b.Split(0,
		tree.Split{Kind: tree.Oblique, Direction: []tree.Term{{Feature: 0, Coef: 1},
			{Feature: 2, Coef: -3}}, Gain: 6})
	b.Split(1, tree.Split{Kind: tree.Numeric, Feature: 2, Gain: 2})
	grown, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	m := &model.Ensemble{Trees: []*tree.Tree{grown},
		Meta: model.Spec{Schema: data.Schema{Fields: []data.Field{{Name: "a"}, {Name: "b"},
			{Name: "c"}}}}}
	got, err := explain.Impurity(m)
	if err != nil {
		t.Fatal(err)
	}
	want := []explain.Importance{{Feature: "c", Value: 5. / 8}, {Feature: "a", Value: 3. / 8},
		{Feature: "b", Value: 0}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// The gain of a split on a derived column is that of the column which it is made of, or of the
// combination of several.
func TestDerivedColumns(t *testing.T) {
	m := ensemble(twoSplits(t, true))
	fields := m.Meta.Schema.Fields[:2]
	for i := range fields {
		fields[i].Kind, fields[i].Levels = data.Categorical, []string{"p"}
	}
	m.Meta.Schema.Fields = fields
	m.Trees[0] = m.Trees[0].WithFeatures([]int32{0, 2, 3, 0})
	m.Inputs = input.Set{
		Tables:  []input.Table{{Source: []int32{0, 1}}, {Source: []int32{1}}},
		Columns: []input.Column{{Kind: input.Count}, {Kind: input.Count, Table: 1}},
	}
	if err := m.Validate(); err != nil {
		t.Fatal(err)
	}
	got, err := explain.Impurity(m)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]explain.Importance{{Feature: "a x b", Columns: []string{"a", "b"},
		Value: 0.75}, {Feature: "b", Value: 0.25}, {Feature: "a"}}, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

package ensembles_test

import (
	"slices"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/input"
	"github.com/coppice-ml/coppice/learn/internal/ensembles"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/model/training"
	"github.com/coppice-ml/coppice/tree"
)

// threeSplits builds a tree with statistics:
//
//	0: column 1, gain 8
//	|- 1: columns 0 and 2, gain 3
//	|  |- 3, 4
//	`- 2: column 1, gain 1
//	   |- 5, 6
func threeSplits(t *testing.T) *tree.Tree {
	t.Helper()
	b := tree.NewBuilder(tree.Scalar, 1, true)
	b.Split(0, tree.Split{Kind: tree.Numeric, Feature: 1, SplitPoint: 5, Gain: 8})
	b.Split(1, tree.Split{Kind: tree.Oblique, SplitPoint: 2, Gain: 3,
		Direction: []tree.Term{{Feature: 0, Coef: 1}, {Feature: 2, Coef: -1}}})
	b.Split(2, tree.Split{Kind: tree.Numeric, Feature: 1, SplitPoint: 9, Gain: 1})
	for n, rows := range []int{8, 4, 4, 2, 2, 2, 2} {
		b.SetValue(int32(n), []float64{float64(n)})
		b.SetStats(int32(n), rows, float64(rows), 1)
	}
	grown, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return grown
}

// A split on two columns counts half for each.
func TestGainsByHand(t *testing.T) {
	if got := tree.Gains(threeSplits(t), 4); !slices.Equal(got, []float64{1.5, 9, 1.5, 0}) {
		t.Errorf("gains %v", got)
	}
}

func schema(names ...string) *data.Schema {
	var s data.Schema
	for _, name := range names {
		s.Fields = append(s.Fields, data.Field{Name: name})
	}
	return &s
}

// Values are means over all members, fractions means over those that split.
func TestByImpurityByHand(t *testing.T) {
	found := training.ByImpurity(schema("a", "b"), [][]float64{{3, 1}, {0, 0}, {0, 5}})
	if found.Kind != "impurity" || len(found.Columns) != 2 {
		t.Fatalf("found %+v", found)
	}
	for i, want := range []struct {
		name            string
		value, fraction float64
	}{{"a", 1, 0.375}, {"b", 2, 0.625}} {
		c := found.Columns[i]
		if c.Column != want.name || c.Value != want.value || c.Fraction != want.fraction {
			t.Errorf("column %d: %+v, want %+v", i, c, want)
		}
	}
	for _, c := range training.ByImpurity(schema("a"), [][]float64{{0}}).Columns {
		if c.Value != 0 || c.Fraction != 0 {
			t.Errorf("members without splits: %+v", c)
		}
	}
}

func TestImportanceGroups(t *testing.T) {
	groups := [][]string{{"a", "b"}, {"c"}}
	if ensembles.CheckImportanceGroups(groups, true) != nil || ensembles.CheckImportanceGroups(nil, false) != nil {
		t.Error("groups that are permuted, and none, are refused")
	}
	if ensembles.CheckImportanceGroups(groups, false) == nil {
		t.Error("groups that are not permuted are accepted")
	}
}

// The gain of a derived column is divided among its sources. The tree that is kept has no
// statistics, and predicts the same.
func TestCompactMember(t *testing.T) {
	grown := threeSplits(t)
	m := &model.Ensemble{Trees: []*tree.Tree{grown}, Meta: model.Spec{Schema: *schema("a", "b")},
		// column 2 of the tree
		Inputs: input.Set{Tables: []input.Table{{Source: []int32{0, 1}}}, Columns: []input.Column{{Kind: input.Count}}}}
	kept, gains := ensembles.CompactMember(m)
	if !slices.Equal(gains, []float64{1.5 + 0.75, 9 + 0.75}) {
		t.Errorf("gains %v", gains)
	}
	small := kept.(*model.Ensemble).Trees[0]
	if small.Stats != nil || m.Trees[0].Stats == nil {
		t.Error("the kept tree has statistics, or the given one lost them")
	}
	for leaf := int32(3); leaf < 7; leaf++ {
		if !slices.Equal(small.Value(leaf), grown.Value(leaf)) {
			t.Errorf("leaf %d predicts %v, want %v", leaf, small.Value(leaf), grown.Value(leaf))
		}
	}
	two := &model.Ensemble{Trees: []*tree.Tree{grown, grown}}
	if kept, gains := ensembles.CompactMember(two); kept != model.Model(two) || gains != nil {
		t.Error("a forest is changed")
	}
}

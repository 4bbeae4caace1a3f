package tree_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/tree"
	"github.com/coppice-ml/coppice/tree/treetest"
)

// sample is x <= 2.5 ? (job in {1, 64} ? A : B) : C, with missing x last and missing job first.
func sample(t *testing.T) *tree.Tree {
	t.Helper()
	b := tree.NewBuilder(tree.Counts, 2, true)
	first := b.Split(0, tree.Split{Kind: tree.Numeric, Feature: 0, SplitPoint: 2.5,
		Missing: tree.MissingLast, Gain: 1})
	b.Split(first, tree.Split{Kind: tree.SetFirst, Feature: 1, Set: []uint64{2, 1},
		Missing: tree.MissingFirst})
	for n := range int32(5) {
		b.SetValue(n, []float64{float64(n), 1})
		b.SetStats(n, 10, 10, 0.5)
	}
	built, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return built
}

func TestBuilderRefuses(t *testing.T) {
	b := tree.NewBuilder(tree.Scalar, 1, false)
	b.Split(0, tree.Split{Kind: tree.Numeric})
	b.Split(0, tree.Split{Kind: tree.Numeric})
	if _, err := b.Build(); err == nil {
		t.Error("a node was split twice")
	}
}

// A surrogate whose set is empty has an index of sets all the same.
func TestBuilderKeepsEmptySets(t *testing.T) {
	b := tree.NewBuilder(tree.Scalar, 1, false)
	b.Split(0, tree.Split{Kind: tree.SetFirst, Missing: tree.MissingSurrogate,
		Surrogates: []tree.Surrogate{{Kind: tree.SetLast}}})
	s, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	if len(s.SetAt) != 2 || len(s.Surrogates.SetAt) != 2 {
		t.Errorf("indices %v and %v, want those of empty sets", s.SetAt, s.Surrogates.SetAt)
	}
}

// What SplitOf describes builds the same tree again, whatever is in it.
func TestSplitOfIsEnoughToBuild(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		schema := treetest.Schema().Draw(t, "schema")
		s := treetest.Tree(treetest.Shape{Fields: schema.Fields, Kind: tree.Vector, Width: 2,
			Splits: 8}).Draw(t, "tree")
		b := tree.NewBuilder(s.Leaf.Kind, s.Leaf.Width, s.Stats != nil)
		// Children were added when their parent was split, so first children give the order of the
		// splits.
		for b.Len() < s.Len() {
			for n := range int32(s.Len()) {
				if s.Kind(n) != tree.Leaf && int(s.Child(n)) == b.Len() {
					b.Split(n, s.SplitOf(n))
				}
			}
		}
		for n := range int32(s.Len()) {
			b.SetValue(n, s.Value(n))
			if s.Fraction != nil {
				b.SetFraction(n, s.Fraction[n])
			}
			if st := s.Stats; st != nil {
				b.SetStats(n, int(st.Rows[n]), st.Weight[n], st.Impurity[n])
			}
		}
		again, err := b.Build()
		if err != nil {
			t.Fatal(err)
		}
		// A split describes neither slots nor covers.
		s.Leaf, again.Leaf, s.Cover = tree.Leaves{}, tree.Leaves{}, nil
		if diff := cmp.Diff(s, again, cmpopts.EquateComparable(tree.Node{})); diff != "" {
			t.Fatalf("another tree (-want +got):\n%s", diff)
		}
	})
}

func TestSlots(t *testing.T) {
	s := sample(t)
	s.Leaf.Slot = []int32{-1, -1, 0, 1, 2}
	s.Leaf.Value = []float64{1, 2, 3, 4, 5, 6}
	if err := s.Validate(2); err != nil {
		t.Fatal(err)
	}
	if s.Value(0) != nil || s.Value(4)[1] != 6 {
		t.Errorf("values %v and %v", s.Value(0), s.Value(4))
	}
}

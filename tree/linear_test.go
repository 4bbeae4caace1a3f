package tree_test

import (
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/tree"
	"github.com/coppice-ml/coppice/tree/treetest"
)

// inclined is a tree whose last leaf, and whose node 2, at which rows may stop, have equations.
//
//	0 -> 1 2,  2 -> 3 4
func inclined(t *testing.T) *tree.Tree {
	t.Helper()
	b := tree.NewBuilder(tree.Scalar, 1, false)
	b.Split(0, tree.Split{Kind: tree.Numeric})
	b.Split(2, tree.Split{Kind: tree.Numeric, Missing: tree.MissingStop})
	b.SetLinear(2, 1, []tree.Term{{Feature: 0, Coef: 4}})
	b.SetLinear(3, 7, []tree.Term{{Feature: 0, Coef: 8}})
	b.SetLinear(3, 9, nil)
	b.SetLinear(4, 0.5, []tree.Term{{Feature: 0, Coef: 0}, {Feature: 2, Coef: -2}})
	for n := range int32(5) {
		b.SetValue(n, []float64{10 + float64(n)})
	}
	built, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return built
}

func TestEquations(t *testing.T) {
	s := inclined(t)
	want := &tree.Linear{At: []int32{0, 0, 0, 1, 1, 3}, Constant: []float64{0, 0, 1, 0, 0.5},
		Feature: []int32{0, 0, 2}, Coef: []float64{4, 0, -2}}
	if diff := cmp.Diff(want, s.Leaf.Linear); diff != "" {
		t.Errorf("equations (-want +got):\n%s", diff)
	}
	inf, nan := math.Inf(1), math.NaN()
	for _, c := range []struct {
		node int32
		row  []float64
		want float64
	}{
		{0, []float64{1, 2, 3}, 10},
		{1, []float64{1, 2, 3}, 11},
		{2, []float64{3, nan, nan}, 13},
		{3, []float64{nan, 2, 3}, 13},
		{4, []float64{7, nan, 3}, -5.5},
		{4, []float64{nan, 2, 3}, 14},
		{4, []float64{7, 2, nan}, 14},
		{4, []float64{inf, 2, 3}, 14}, // though its coefficient is 0
		{4, []float64{7, 2, -inf}, 14},
		{4, []float64{7, 2, math.MaxFloat64}, 14}, // the sum is beyond all numbers
	} {
		if got := s.Estimate(c.node, func(f int32) float64 { return c.row[f] }); got != c.want {
			t.Errorf("node %d predicts %v of %v, want %v", c.node, got, c.row, c.want)
		}
	}
}

func TestValidateEquations(t *testing.T) {
	damages{
		"is not one of numbers": func(s *tree.Tree) { s.Leaf.Kind = tree.Vector },
		"or that keeps samples": func(s *tree.Tree) {
			s.Leaf.Samples = &tree.Samples{At: []int32{0, 1, 2, 3, 4, 5},
				Rank: []uint32{1, 1, 1, 1, 1}}
		},
		"equations of unequal length":      func(s *tree.Tree) { s.Leaf.Linear.Constant = []float64{1} },
		"or without an index":              func(s *tree.Tree) { s.Leaf.Linear.At = nil },
		"equations of unequal length or":   func(s *tree.Tree) { s.Leaf.Linear.Coef = s.Leaf.Linear.Coef[1:] },
		"index of equations does not fit":  func(s *tree.Tree) { s.Leaf.Linear.At = s.Leaf.Linear.At[1:] },
		"equations: list 1 has a negative": func(s *tree.Tree) { s.Leaf.Linear.At[1] = 2 },
		"number of an equation is not":     func(s *tree.Tree) { s.Leaf.Linear.Coef[1] = math.Inf(1) },
		"of an equation is not finite":     func(s *tree.Tree) { s.Leaf.Linear.Constant[4] = math.NaN() },
		"slot 4: features of its equation": func(s *tree.Tree) { s.Leaf.Linear.Feature[2] = 0 },
		"feature 3 of 3":                   func(s *tree.Tree) { s.Leaf.Linear.Feature[2] = 3 },
		"feature -1 of 3":                  func(s *tree.Tree) { s.Leaf.Linear.Feature[1] = -1 },
	}.check(t, 3, inclined)
}

// A subtree with equations is grafted with them, and a value is copied with its equation.
func TestGraftEquations(t *testing.T) {
	want := inclined(t)
	whole, fraction := tree.NewBuilder(tree.Scalar, 1, false),
		tree.NewBuilder(tree.Scalar, 1, false)
	whole.Split(0, want.SplitOf(0))
	whole.CopyValue(0, want, 0)
	whole.CopyValue(1, want, 1)
	fraction.Split(0, want.SplitOf(2))
	for n := range int32(3) {
		fraction.CopyValue(n, want, 2+n)
	}
	whole.Graft(2, fraction)
	got, err := whole.Build()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got, cmpopts.EquateComparable(tree.Node{})); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// In the compact form every node at which rows end has the equation it had, and there is no other.
func TestCompactKeepsEquations(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		schema := treetest.Schema().Draw(t, "schema")
		s := treetest.Tree(treetest.Shape{Fields: schema.Fields, Kind: tree.Scalar, Width: 1,
			Splits: 6}).Draw(t, "tree")
		c := s.Compact()
		if err := c.Validate(len(schema.Fields)); err != nil {
			t.Fatal(err)
		}
		terms := 0
		for n := range int32(s.Len()) {
			if s.Kind(n) != tree.Leaf && s.Missing(n) != tree.MissingStop {
				continue
			}
			constant, features, coefs := s.Equation(n)
			gotConstant, gotFeatures, gotCoefs := c.Equation(n)
			terms += len(features)
			if len(features) > 0 && constant != gotConstant ||
				!slices.Equal(features, gotFeatures) || !slices.Equal(coefs, gotCoefs) ||
				c.Value(n)[0] != s.Value(n)[0] {
				t.Fatalf("node %d: %v %v %v, want %v %v %v", n, gotConstant, gotFeatures, gotCoefs,
					constant, features, coefs)
			}
		}
		if l := c.Leaf.Linear; (l == nil) != (terms == 0) || l != nil &&
			(len(l.Feature) != terms || cap(l.Coef) != terms) {
			t.Fatalf("%+v, want %d terms", l, terms)
		}
		if diff := cmp.Diff(c, c.Compact(), cmpopts.EquateComparable(tree.Node{})); diff != "" {
			t.Fatalf("the compact form of a compact form (-once +twice):\n%s", diff)
		}
	})
}

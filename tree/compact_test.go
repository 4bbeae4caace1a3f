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

// votes is a tree some of whose leaves vote alike.
//
//	x <= 1 ? (x <= 0 ? A : B) : (y <= 2 ? A : none)
func votes(t *testing.T) *tree.Tree {
	t.Helper()
	b := tree.NewBuilder(tree.Counts, 2, true)
	b.Split(0, tree.Split{Kind: tree.Numeric, Feature: 0, SplitPoint: 1})
	b.Split(1, tree.Split{Kind: tree.Numeric, Feature: 0, SplitPoint: 0})
	b.Split(2, tree.Split{Kind: tree.Numeric, Feature: 1, SplitPoint: 2, Missing: tree.MissingLast})
	for n, v := range [][]float64{{8, 4}, {3, 4}, {5, 0}, {3, 0}, {1, 3}, {5, 0}, {0, 0}} {
		b.SetValue(int32(n), v)
		b.SetFraction(int32(n), 0.5)
	}
	built, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return built
}

func TestCompact(t *testing.T) {
	c := votes(t).Compact()
	want := tree.Leaves{Kind: tree.Vector, Width: 2, InNodes: true,
		Value: []float64{1, 0, 0.25, 0.75, 0.5, 0.5}}
	if diff := cmp.Diff(want, c.Leaf); diff != "" {
		t.Errorf("leaves (-want +got):\n%s", diff)
	}
	var slots []int32
	for n := range int32(c.Len()) {
		slots = append(slots, c.Slot(n))
	}
	if !slices.Equal(slots, []int32{-1, -1, -1, 0, 1, 0, 2}) || c.Stats != nil ||
		c.Fraction != nil {
		t.Errorf("slots %v, statistics %v, fractions %v", slots, c.Stats, c.Fraction)
	}
	if c.Nodes[5].Slot() != 0 || c.Child(5) != -1 || c.Arity(5) != 0 || c.Child(2) != 5 {
		t.Errorf("node 5 has slot %d and children from %d on, node 2 from %d on", c.Nodes[5].Slot(),
			c.Child(5), c.Child(2))
	}
	if c.Value(0) != nil || !slices.Equal(c.Value(4), []float64{0.25, 0.75}) {
		t.Errorf("values %v and %v", c.Value(0), c.Value(4))
	}
}

// Zeros of both signs are different values, to the bit.
func TestCompactKeepsBits(t *testing.T) {
	b := tree.NewBuilder(tree.Scalar, 1, false)
	b.Split(0, tree.Split{Kind: tree.Numeric})
	b.SetValue(1, []float64{math.Copysign(0, -1)})
	built, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	if c := built.Compact(); len(c.Leaf.Value) != 2 || !math.Signbit(c.Value(1)[0]) ||
		math.Signbit(c.Value(2)[0]) {
		t.Errorf("values %v", c.Leaf.Value)
	}
}

// Many different values fill the table of slots more than once.
func TestCompactManyValues(t *testing.T) {
	b := tree.NewBuilder(tree.Scalar, 1, false)
	const leaves = 1000
	first := b.Split(0, tree.Split{Kind: tree.ByCode, Arity: leaves})
	for i := range int32(leaves) {
		b.SetValue(first+i, []float64{float64(i % 700)})
	}
	built, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	c := built.Compact()
	if len(c.Leaf.Value) != 700 {
		t.Errorf("%d values, want 700", len(c.Leaf.Value))
	}
	for i := range int32(leaves) {
		if got := c.Value(first + i)[0]; got != float64(i%700) {
			t.Errorf("leaf %d has the value %v", i, got)
		}
	}
}

// The compact form of any tree is valid, leads every row to the same places with the same values,
// and is its own compact form.
func TestCompactPredictsTheSame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		schema := treetest.Schema().Draw(t, "schema")
		kind := rapid.SampledFrom([]tree.LeafKind{tree.Vector, tree.Counts}).Draw(t, "kind")
		shape := treetest.Shape{Fields: schema.Fields, Kind: kind, Width: 2, Splits: 8}
		if kind == tree.Counts {
			shape.Number = rapid.Map(rapid.IntRange(0, 3),
				func(i int) float64 { return float64(i) })
		}
		s := treetest.Tree(shape).Draw(t, "tree")
		c := s.Compact()
		if err := c.Validate(len(schema.Fields)); err != nil {
			t.Fatal(err)
		}
		f := treetest.Frame(schema, 3).Draw(t, "table")
		for r := range int32(f.Rows()) {
			if diff := cmp.Diff(visit(s, f.Columns, r), visit(c, f.Columns, r)); diff != "" {
				t.Fatalf("row %d visits (-full +compact):\n%s", r, diff)
			}
			n := s.Over(f.Columns).LeafOf(r)
			want := slices.Clone(s.Value(n))
			if kind == tree.Counts {
				tree.Probabilities(want, want)
			}
			if got := c.Over(f.Columns).LeafOf(r); got != n || !slices.Equal(c.Value(n), want) {
				t.Fatalf("row %d: node %d with value %v, want %d with %v", r, got,
					c.Value(got), n, want)
			}
		}
		if diff := cmp.Diff(c, c.Compact(), cmpopts.EquateComparable(tree.Node{})); diff != "" {
			t.Fatalf("the compact form of a compact form (-once +twice):\n%s", diff)
		}
		rows := map[[2]float64]bool{}
		for i := 0; i < len(c.Leaf.Value); i += 2 {
			rows[[2]float64(c.Leaf.Value[i:])] = true
		}
		if 2*len(rows) != len(c.Leaf.Value) || c.Stats != nil || cap(c.Nodes) != len(c.Nodes) ||
			cap(c.Leaf.Value) != len(c.Leaf.Value) {
			t.Fatalf("%d different values of %d, capacity %d for %d nodes", len(rows),
				len(c.Leaf.Value)/2, cap(c.Nodes), len(c.Nodes))
		}
	})
}

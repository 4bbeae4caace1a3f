package tree_test

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/tree"
	"github.com/coppice-ml/coppice/tree/treetest"
)

// sampled is a tree of three leaves that keep weighted samples; rows may stop at node 2.
//
//	0 -> 1 2,  2 -> 3 4
func sampled(t *testing.T) *tree.Tree {
	t.Helper()
	b := tree.NewBuilder(tree.Scalar, 1, false)
	b.Split(0, tree.Split{Kind: tree.Numeric})
	b.Split(2, tree.Split{Kind: tree.Numeric, Missing: tree.MissingStop})
	built, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	built.Leaf.Samples = &tree.Samples{At: []int32{0, 0, 2, 4, 5, 6},
		Rank: []uint32{7, 7, 8, 8, 9, 9}, Weight: []float64{1, 2, 3, 4, 5, 6}}
	return built
}

func TestSamples(t *testing.T) {
	s := sampled(t)
	for n, want := range [][]uint32{{}, {7, 7}, {8, 8}, {9}, {9}} {
		rank, weight := s.Leaf.Samples.Of(s.Slot(int32(n)))
		if !slices.Equal(rank, want) || len(weight) != len(want) {
			t.Errorf("node %d: samples %v, weights %v, want %v", n, rank, weight, want)
		}
	}
	s.Leaf.Samples.Weight = nil
	if rank, weight := s.Leaf.Samples.Of(s.Slot(2)); len(rank) != 2 || weight != nil {
		t.Errorf("samples %v, weights %v", rank, weight)
	}
	s.Leaf.Samples = nil
	if rank, _ := s.Leaf.Samples.Of(s.Slot(1)); rank != nil {
		t.Errorf("samples %v of a tree without any", rank)
	}
}

func TestValidateSamples(t *testing.T) {
	damages{
		"not one of numbers":              func(s *tree.Tree) { s.Leaf.Kind = tree.Vector },
		"of unequal length":               func(s *tree.Tree) { s.Leaf.Samples.Weight = []float64{1} },
		"or without an index":             func(s *tree.Tree) { s.Leaf.Samples.At = nil },
		"index of samples does not fit":   func(s *tree.Tree) { s.Leaf.Samples.At = s.Leaf.Samples.At[1:] },
		"samples: list 1 has a negative":  func(s *tree.Tree) { s.Leaf.Samples.At[1] = 3 },
		"slot 1: the ranks of its":        func(s *tree.Tree) { s.Leaf.Samples.Rank[1] = 6 },
		"slot 1: a sample has weight 0":   func(s *tree.Tree) { s.Leaf.Samples.Weight[0] = 0 },
		"slot 2: a sample has weight -3":  func(s *tree.Tree) { s.Leaf.Samples.Weight[2] = -3 },
		"slot 4: a sample has weight NaN": func(s *tree.Tree) { s.Leaf.Samples.Weight[5] = math.NaN() },
		"slot 2: a sample has weight 1.797": func(s *tree.Tree) {
			s.Leaf.Samples.Weight[2], s.Leaf.Samples.Weight[3] = math.MaxFloat64, math.MaxFloat64
		},
		"node 1, at which rows end, has no":  func(s *tree.Tree) { s.Leaf.Samples.At[1] = 2 },
		"node 2, at which rows end, has no ": func(s *tree.Tree) { s.Leaf.Samples.At[2] = 4 },
		"node 3, at which rows end, has no ": func(s *tree.Tree) { s.Leaf.Samples.At[3] = 5 },
	}.check(t, 1, sampled)
}

// In the compact form every node at which rows end has the samples it had, and a slot of its own.
func TestCompactKeepsSamples(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		schema := treetest.Schema().Draw(t, "schema")
		s := treetest.Tree(treetest.Shape{Fields: schema.Fields, Kind: tree.Scalar, Width: 1,
			Splits: 6, Targets: 5}).Draw(t, "tree")
		c := s.Compact()
		if err := c.Validate(len(schema.Fields)); err != nil {
			t.Fatal(err)
		}
		ends := 0
		for n := range int32(s.Len()) {
			if s.Kind(n) != tree.Leaf && s.Missing(n) != tree.MissingStop {
				continue
			}
			ends++
			rank, weight := s.Leaf.Samples.Of(s.Slot(n))
			gotRank, gotWeight := c.Leaf.Samples.Of(c.Slot(n))
			if !slices.Equal(rank, gotRank) || !slices.Equal(weight, gotWeight) ||
				(weight == nil) != (gotWeight == nil) || c.Value(n)[0] != s.Value(n)[0] {
				t.Fatalf("node %d: samples %v %v with value %v, want %v %v with %v", n, gotRank,
					gotWeight, c.Value(n), rank, weight, s.Value(n))
			}
		}
		if len(c.Leaf.Value) != ends || cap(c.Leaf.Samples.Rank) != len(c.Leaf.Samples.Rank) {
			t.Fatalf("%d values for %d nodes, %d samples of capacity %d", len(c.Leaf.Value), ends,
				len(c.Leaf.Samples.Rank), cap(c.Leaf.Samples.Rank))
		}
	})
}

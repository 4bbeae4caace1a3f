package tree_test

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/tree"
	"github.com/coppice-ml/coppice/tree/treetest"
)

// covered is a tree with the given weights at its nodes, at the last of which rows may stop.
//
//	0 -> 1 2,  2 -> 3 4
func covered(t *testing.T, weights ...float64) *tree.Tree {
	t.Helper()
	b := tree.NewBuilder(tree.Scalar, 1, true)
	b.Split(0, tree.Split{Kind: tree.Numeric})
	b.Split(2, tree.Split{Kind: tree.Numeric, Missing: tree.MissingStop})
	for n, w := range weights {
		b.SetStats(int32(n), 1, w, 0)
	}
	built, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return built
}

// The compact form of a tree keeps the weights of leaves, and of the rows that stop at a node, in a
// byte each where they are small whole numbers.
func TestCompactKeepsCovers(t *testing.T) {
	for _, c := range []struct {
		weights []float64
		want    tree.Cover
	}{
		{[]float64{403, 3, 400, 300, 99}, tree.Cover{Counts: []byte{3, 1, 0xac, 2, 99}}},
		{[]float64{1 << 53, 0, 1 << 53, 1 << 53, 0},
			tree.Cover{Counts: []byte{0, 0, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x10, 0}}},
		{[]float64{4, 0.5, 3.5, 1, 2}, tree.Cover{Weights: []float64{0.5, 0.5, 1, 2}}},
		{[]float64{1 << 54, 0, 1 << 54, 1 << 54, 0}, tree.Cover{Weights: []float64{0, 0, 1 << 54, 0}}},
	} {
		full := covered(t, c.weights...)
		for name, small := range map[string]*tree.Tree{"compact": full.Compact(),
			"compact twice": full.Compact().Compact()} {
			got := small.Cover
			if got == nil || !slices.Equal(got.Counts, c.want.Counts) ||
				!slices.Equal(got.Weights, c.want.Weights) {
				t.Errorf("%s, %v: %+v, want %+v", name, c.weights, got, c.want)
				continue
			}
			if !slices.Equal(small.Covers(), c.weights) || !slices.Equal(full.Covers(), c.weights) {
				t.Errorf("%s: covers %v, want %v", name, small.Covers(), c.weights)
			}
		}
	}
	if covers := votes(t).Votes(func([]float64) int { return 1 }).Covers(); covers == nil ||
		covers[0] != 0 {
		t.Errorf("covers of votes without weights: %v", covers)
	}
	plain := tree.NewBuilder(tree.Scalar, 1, false)
	built, err := plain.Build()
	if err != nil || built.Covers() != nil || built.Compact().Covers() != nil {
		t.Errorf("covers of a tree that keeps none: %v, %v", built.Covers(), err)
	}
}

// A tree of which leaves alone have values keeps their weights, grafted subtrees included, also
// when its builder's memory is used again.
func TestLeafBuilderKeepsCovers(t *testing.T) {
	value := func(b *tree.Builder, n int32, weight float64) {
		b.SetValue(n, []float64{weight})
		b.SetStats(n, 1, weight, 0)
	}
	b, subtree := tree.NewLeafBuilder(tree.Scalar, 1), tree.NewLeafBuilder(tree.Scalar, 1)
	for round := range 2 {
		split := tree.Split{Kind: tree.Numeric}
		b.Split(0, split)
		value(b, 2, 5)
		if round == 0 {
			subtree.Split(0, split)
			value(subtree, 1, 7)
			value(subtree, 2, 11)
			b.Graft(1, subtree)
		} else {
			value(b, 1, 2.5)
		}
		built, err := b.Build()
		if err != nil {
			t.Fatal(err)
		}
		want := [][]float64{{23, 18, 5, 7, 11}, {7.5, 2.5, 5}}[round]
		number := func(int32) float64 { return 1 }
		for name, made := range map[string]*tree.Tree{"built": built, "compact": built.Compact(),
			"revalued": built.Revalued(number)} {
			if got := made.Covers(); !slices.Equal(got, want) {
				t.Errorf("%s: covers %v, want %v", name, got, want)
			}
		}
		b.Reset()
	}
	value(b, 0, 3)
	built, err := b.Build()
	if err != nil || !slices.Equal(built.Covers(), []float64{3}) {
		t.Errorf("covers %v of a single leaf, %v", built.Covers(), err)
	}
}

// Whatever the tree, the cover of an inner node is the sum of its children's and of what stops at
// it. The compact form has as many weights as nodes where rows end.
func TestCoversAreSums(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		schema := treetest.Schema().Draw(t, "schema")
		full := treetest.Tree(treetest.Shape{Fields: schema.Fields, Kind: tree.Vector, Width: 2,
			Splits: 8}).Draw(t, "tree")
		small := full.Compact()
		covers := small.Covers()
		if covers == nil {
			if full.Covers() != nil {
				t.Fatal("the compact form has lost the covers")
			}
			return
		}
		if full.Cover != nil && !slices.Equal(full.Covers(), covers) {
			t.Fatalf("covers %v, of the compact form %v", full.Covers(), covers)
		}
		for n := range int32(small.Len()) {
			sum := 0.0
			for c := small.Child(n); c < small.Child(n)+small.Arity(n); c++ {
				sum += covers[c]
			}
			stops := small.Missing(n) == tree.MissingStop
			if slack := math.Abs(sum) * 1e-9; small.Kind(n) != tree.Leaf &&
				(covers[n] < sum-slack || !stops && covers[n] > sum+slack) || covers[n] < 0 {
				t.Fatalf("node %d has the cover %v, its children %v", n, covers[n], sum)
			}
		}
	})
}

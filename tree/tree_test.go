package tree_test

import (
	"math"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/tree"
)

// sample is x <= 2.5 ? (job in {1, 64} ? A : B) : C, with missing x last and missing job first.
func sample(t *testing.T) *tree.Tree {
	t.Helper()
	b := tree.NewBuilder(tree.Counts, 2, true)
	first := b.Split(0, tree.Split{Kind: tree.Cut, Feature: 0, Cut: 2.5, Missing: tree.MissingLast, Gain: 1})
	b.Split(first, tree.Split{Kind: tree.SetFirst, Feature: 1, Set: []uint64{2, 1}, Missing: tree.MissingFirst})
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

func TestWalk(t *testing.T) {
	s := sample(t)
	nan := math.NaN()
	for _, c := range []struct {
		x    float64
		job  uint32
		leaf int32
	}{
		{2.5, 1, 3}, {2.5, 64, 3}, {math.Inf(-1), 0, 4}, {1, 65, 4}, {1, 1000, 4}, {1, data.UnseenCode, 4},
		{1, data.MissingCode, 3}, {math.Nextafter(2.5, 3), 1, 2}, {math.Inf(1), 1, 2}, {nan, 1, 2},
	} {
		columns := []data.Column{{Num: []float64{c.x}}, {Code: []uint32{c.job}}}
		if got := s.LeafOf(columns, 0); got != c.leaf {
			t.Errorf("x = %g, job = %d: leaf %d, want %d", c.x, c.job, got, c.leaf)
		}
	}
	if s.NumLeaves() != 3 || s.Depth() != 2 || s.Len() != 5 {
		t.Errorf("%d leaves, depth %d, %d nodes", s.NumLeaves(), s.Depth(), s.Len())
	}
	if p := s.Parents(); p[0] != -1 || p[1] != 0 || p[4] != 1 {
		t.Errorf("parents %v", p)
	}
}

// TestValidate breaks each invariant in turn.
func TestValidate(t *testing.T) {
	for want, damage := range map[string]func(*tree.Tree){
		"unequal length":         func(s *tree.Tree) { s.Cut = s.Cut[1:] },
		"unknown kind":           func(s *tree.Tree) { s.Kind[0] = 99 },
		"unknown missing rule":   func(s *tree.Tree) { s.Missing[0] = 9 },
		"children, not 2":        func(s *tree.Tree) { s.Arity[0] = 3 },
		"out of range":           func(s *tree.Tree) { s.Child[0] = 0 },
		"are out of range":       func(s *tree.Tree) { s.Child[1] = 4 },
		"child of two":           func(s *tree.Tree) { s.Child[1] = 2; s.Child[0] = 1 },
		"feature 7 of 2":         func(s *tree.Tree) { s.Feature[0] = 7 },
		"not a number":           func(s *tree.Tree) { s.Cut[0] = math.NaN() },
		"leaf 2 has children":    func(s *tree.Tree) { s.Arity[2] = 1 },
		"has no set":             func(s *tree.Tree) { s.Sets, s.SetAt = nil, nil },
		"sets without an index":  func(s *tree.Tree) { s.SetAt = nil },
		"index of sets":          func(s *tree.Tree) { s.SetAt[5] = 9 },
		"negative length":        func(s *tree.Tree) { s.SetAt[2] = 9 },
		"unknown kind or width":  func(s *tree.Tree) { s.Leaf.Kind = 9 },
		"number of leaf values":  func(s *tree.Tree) { s.Leaf.Value = s.Leaf.Value[2:] },
		"value slot -1":          func(s *tree.Tree) { s.Leaf.Slot = []int32{-1, -1, -1, 1, 2} },
		"value slot 5":           func(s *tree.Tree) { s.Leaf.Slot = []int32{-1, -1, 0, 1, 5} },
		"statistics of unequal":  func(s *tree.Tree) { s.Stats.Gain = nil },
		"tree without nodes":     func(s *tree.Tree) { *s = tree.Tree{} },
		"5 nodes and 2 child li": func(s *tree.Tree) { s.Kind[1], s.Arity[1], s.Child[1] = tree.Leaf, 0, -1 },
	} {
		s := sample(t)
		if err := s.Validate(2); err != nil {
			t.Fatal(err)
		}
		damage(s)
		if err := s.Validate(2); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one about %q", err, want)
		}
	}
}

func TestBuilderRefuses(t *testing.T) {
	b := tree.NewBuilder(tree.Scalar, 1, false)
	b.Split(0, tree.Split{Kind: tree.Cut})
	b.Split(0, tree.Split{Kind: tree.Cut})
	if _, err := b.Build(); err == nil {
		t.Error("a node was split twice")
	}
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

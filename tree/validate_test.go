package tree_test

import (
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/tree"
	"github.com/coppice-ml/coppice/tree/treetest"
)

// damages are broken invariants by a text within the error that they lead to.
type damages map[string]func(*tree.Tree)

// check breaks each invariant of a new tree in turn.
func (d damages) check(t *testing.T, features int, whole func(*testing.T) *tree.Tree) {
	t.Helper()
	for want, damage := range d {
		s := whole(t)
		if err := s.Validate(features); err != nil {
			t.Fatal(err)
		}
		damage(s)
		if err := s.Validate(features); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one about %q", err, want)
		}
	}
}

func TestValidate(t *testing.T) {
	damages{
		"unknown kind":                     func(s *tree.Tree) { s.SetKind(0, 15) },
		"unknown missing rule":             func(s *tree.Tree) { s.SetMissing(0, 9) },
		"out of range":                     func(s *tree.Tree) { s.SetChild(0, 0) },
		"are out of range":                 func(s *tree.Tree) { s.SetChild(1, 4) },
		"child of two":                     func(s *tree.Tree) { s.SetChild(1, 2); s.SetChild(0, 1) },
		"feature 7 of 2":                   func(s *tree.Tree) { s.SetFeature(0, 7) },
		"split point is not a number":      func(s *tree.Tree) { s.SetSplitPoint(0, math.NaN()) },
		"leaf 2 has children":              func(s *tree.Tree) { s.SetChild(2, 4) },
		"leaf 2 has a feature, a":          func(s *tree.Tree) { s.SetMissing(2, tree.MissingLast) },
		"leaf 3 has a feature, a":          func(s *tree.Tree) { s.SetFeature(3, 1) },
		"leaf 4 has a feature, a":          func(s *tree.Tree) { s.SetSplitPoint(4, math.NaN()) },
		"has no set":                       func(s *tree.Tree) { s.Sets, s.SetAt = nil, nil },
		"sets without an index":            func(s *tree.Tree) { s.SetAt = nil },
		"index of sets":                    func(s *tree.Tree) { s.SetAt[1] = 9 },
		"node 1 has no set: number 1 of 1": func(s *tree.Tree) { s.SetSplitPoint(1, 1) },
		"number -1 of 1":                   func(s *tree.Tree) { s.SetSplitPoint(1, -1) },
		"number 0.5 of 1":                  func(s *tree.Tree) { s.SetSplitPoint(1, 0.5) },
		"negative length":                  func(s *tree.Tree) { s.SetAt = []int32{0, 3, 2} },
		"unknown kind or width":            func(s *tree.Tree) { s.Leaf.Kind = 9 },
		"number of leaf values":            func(s *tree.Tree) { s.Leaf.Value = s.Leaf.Value[2:] },
		"value slot -1":                    func(s *tree.Tree) { s.Leaf.Slot = []int32{-1, -1, -1, 1, 2} },
		"value slot 5":                     func(s *tree.Tree) { s.Leaf.Slot = []int32{-1, -1, 0, 1, 5} },
		"a value is not finite":            func(s *tree.Tree) { s.Leaf.Value[1] = math.Inf(1) },
		"statistics of unequal":            func(s *tree.Tree) { s.Stats.Gain = nil },
		"a weight, impurity or":            func(s *tree.Tree) { s.Stats.Impurity[3] = math.NaN() },
		"tree without nodes":               func(s *tree.Tree) { *s = tree.Tree{} },
		"5 nodes and 2 child li":           func(s *tree.Tree) { s.Nodes[1] = s.Nodes[2] },
		"unknown kind 7":                   func(s *tree.Tree) { s.SetKind(1, tree.Sphere+1) },
		"missing rule 6":                   func(s *tree.Tree) { s.SetMissing(1, tree.MissingStop+1) },
		"stops rows and has no":            func(s *tree.Tree) { s.SetMissing(0, tree.MissingStop); s.Leaf.Slot = []int32{-1, 0, 1, 2, 3} },
		"divides rows and has n":           func(s *tree.Tree) { s.SetMissing(0, tree.MissingFractional) },
	}.check(t, 2, sample)
}

// rich is a tree with every array: a multiway root that divides rows, below it an oblique node with
// surrogates and a sphere.
//
//	0 -> 1 2 3,  1 -> 4 5,  3 -> 6 7
func rich(t *testing.T) *tree.Tree {
	t.Helper()
	b := tree.NewBuilder(tree.Scalar, 1, false)
	b.Split(0, tree.Split{Kind: tree.ByCode, Feature: 2, Arity: 3, Missing: tree.MissingFractional})
	b.Split(1, tree.Split{Kind: tree.Oblique, SplitPoint: 1,
		Direction: []tree.Term{{0, 0.5}, {1, -2}}, Missing: tree.MissingSurrogate,
		Surrogates: []tree.Surrogate{{Kind: tree.Numeric, Feature: 1, SplitPoint: 3, Agree: 0.9,
			Adjusted: 0.5}, {Kind: tree.SetLast, Feature: 2, Set: []uint64{1}, Agree: 0.8,
			Adjusted: 0.25}}})
	b.Split(3, tree.Split{Kind: tree.Sphere, SplitPoint: 2, Direction: []tree.Term{{1, 1}},
		Missing: tree.MissingStop})
	for n, fraction := range []float64{1, 0.5, 0.25, 0.25, 0.5, 0.5, 1, 0} {
		b.SetFraction(int32(n), fraction)
	}
	built, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return built
}

func TestValidateRichTree(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	damages{
		"node 0 has 0 children":                 func(s *tree.Tree) { s.SetSplitPoint(0, 0) },
		"node 0 has -3 children":                func(s *tree.Tree) { s.SetSplitPoint(0, -3) },
		"node 0 has 2.5 children":               func(s *tree.Tree) { s.SetSplitPoint(0, 2.5) },
		"node 0 has 8 children":                 func(s *tree.Tree) { s.SetSplitPoint(0, 8) },
		"node 0 has +Inf children":              func(s *tree.Tree) { s.SetSplitPoint(0, inf) },
		"node 0: children at 3 are out":         func(s *tree.Tree) { s.SetSplitPoint(0, 6); s.SetChild(0, 3) },
		"node 0: feature -1 of 3":               func(s *tree.Tree) { s.SetFeature(0, -1) },
		"node 0: feature 3 of 3":                func(s *tree.Tree) { s.SetFeature(0, 3) },
		"node 1: split point is not a number":   func(s *tree.Tree) { s.SetSplitPoint(1, nan) },
		"node 3 has no direction":               func(s *tree.Tree) { s.SetFeature(3, 0) },
		"node 1 has no direction":               func(s *tree.Tree) { s.Dirs = nil },
		"node 0 has a direction":                func(s *tree.Tree) { s.Dirs.At = []int32{0, 1, 2, 2, 3, 3, 3, 3, 3} },
		"without an index or not finite":        func(s *tree.Tree) { s.Dirs.At = nil },
		"directions of unequal length":          func(s *tree.Tree) { s.Dirs.Coef = s.Dirs.Coef[1:] },
		"an index or not finite":                func(s *tree.Tree) { s.Dirs.Coef[2] = inf },
		"index of directions does not fit":      func(s *tree.Tree) { s.Dirs.At = s.Dirs.At[1:] },
		"directions: list 2 has a negative":     func(s *tree.Tree) { s.Dirs.At[2] = 5 },
		"node 1: features of its direction":     func(s *tree.Tree) { s.Dirs.Feature[1] = 0 },
		"feature -1 of 3":                       func(s *tree.Tree) { s.Dirs.Feature[0] = -1 },
		"feature 9 of 3":                        func(s *tree.Tree) { s.Dirs.Feature[2] = 9 },
		"surrogates of unequal length":          func(s *tree.Tree) { s.Surrogates.Flip = nil },
		"surrogates of unequal length or wi":    func(s *tree.Tree) { s.Surrogates.At = nil },
		"index of surrogates does not fit":      func(s *tree.Tree) { s.Surrogates.At[8] = 3 },
		"surrogates: list 1 has a negative":     func(s *tree.Tree) { s.Surrogates.At[1] = 2; s.Surrogates.At[2] = 0 },
		"index of surrogates' sets":             func(s *tree.Tree) { s.Surrogates.SetAt = s.Surrogates.SetAt[1:] },
		"surrogates' sets without an index":     func(s *tree.Tree) { s.Surrogates.SetAt = nil },
		"surrogate 1: kind 3 without what":      func(s *tree.Tree) { s.Surrogates.SetAt, s.Surrogates.Sets = nil, nil },
		"surrogate 0: kind 4 without what":      func(s *tree.Tree) { s.Surrogates.Kind[0] = tree.ByCode },
		"surrogate 0: kind 1 without what":      func(s *tree.Tree) { s.Surrogates.SplitPoint[0] = nan },
		"surrogate 0: kind 0 without what":      func(s *tree.Tree) { s.Surrogates.Kind[0] = tree.Leaf },
		"surrogate 1: kind 3 without":           func(s *tree.Tree) { s.Surrogates.Flip[1] = 2 },
		"node 1 has surrogates":                 func(s *tree.Tree) { s.SetMissing(1, tree.MissingMajority) },
		"node 0 has surrogates":                 func(s *tree.Tree) { s.Surrogates.At[1] = 1; s.SetMissing(0, tree.MissingSurrogate) },
		"node 4 has surrogates":                 func(s *tree.Tree) { copy(s.Surrogates.At, []int32{0, 0, 0, 0, 0, 2, 2, 2, 2}) },
		"agreement of a surrogate":              func(s *tree.Tree) { s.Surrogates.Agree[0] = nan },
		"agreement of a surrogate is not":       func(s *tree.Tree) { s.Surrogates.Adjusted[1] = inf },
		"feature 4 of 3":                        func(s *tree.Tree) { s.Surrogates.Feature[1] = 4 },
		"fractions of unequal length":           func(s *tree.Tree) { s.Fraction = s.Fraction[1:] },
		"node 2: fraction -0.25 is not":         func(s *tree.Tree) { s.Fraction[2] = -0.25 },
		"node 4: fraction NaN is not":           func(s *tree.Tree) { s.Fraction[4] = nan },
		"node 4: fraction 1.5 is not between":   func(s *tree.Tree) { s.Fraction[4] = 1.5 },
		"node 0 divides rows by fractions that": func(s *tree.Tree) { s.Fraction[2] = 0 },
		"node 0 divides rows and has no":        func(s *tree.Tree) { s.Fraction = nil },
		"node 3 stops rows and has no value":    func(s *tree.Tree) { s.Leaf.Slot = []int32{0, 1, 2, -1, 4, 5, 6, 7} },
	}.check(t, 3, rich)

	// Sound, if unusual.
	for name, edit := range map[string]func(*tree.Tree){
		"fractions that nobody divides by": func(s *tree.Tree) { s.Fraction[6] = 0.125 },
		"fractions rounded":                func(s *tree.Tree) { s.Fraction[2] = math.Nextafter(0.25, 1) },
		"no surrogates":                    func(s *tree.Tree) { s.Surrogates = nil },
		"infinite split points": func(s *tree.Tree) {
			s.SetSplitPoint(1, inf)
			s.SetSplitPoint(3, -inf)
			s.Surrogates.SplitPoint[0] = inf
		},
		"one child": func(s *tree.Tree) {
			b := tree.NewBuilder(tree.Scalar, 1, false)
			b.Split(0, tree.Split{Kind: tree.ByCode, Feature: 2, Arity: 1})
			built, err := b.Build()
			if err != nil {
				t.Fatal(err)
			}
			*s = *built
		},
	} {
		s := rich(t)
		edit(s)
		if err := s.Validate(3); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// The quick check of plain nodes accepts what the check of each node does, whatever bits of a tree
// are turned around.
func TestValidateTwins(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		schema := treetest.Schema().Draw(t, "schema")
		s := treetest.Tree(treetest.Shape{Fields: schema.Fields, Kind: tree.Vector, Width: 2,
			Splits: 40}).Draw(t, "tree")
		if rapid.Bool().Draw(t, "compact") {
			s = s.Compact()
		}
		for range rapid.IntRange(0, 2).Draw(t, "damages") {
			n := rapid.IntRange(0, s.Len()-1).Draw(t, "node")
			if rapid.Bool().Draw(t, "swap") {
				m := rapid.IntRange(0, s.Len()-1).Draw(t, "other node")
				s.Nodes[n], s.Nodes[m] = s.Nodes[m], s.Nodes[n]
			} else {
				s.Flip(n, rapid.IntRange(0, 127).Draw(t, "bit"))
			}
		}
		features := rapid.IntRange(0, len(schema.Fields)).Draw(t, "features")
		fast, plain := s.ValidateNodes(features)
		if (fast == nil) != (plain == nil) {
			t.Fatalf("quickly %v, plainly %v", fast, plain)
		}
	})
}

// A set is one node's: else a small file could make many nodes large.
func TestValidateSharedSet(t *testing.T) {
	b := tree.NewBuilder(tree.Scalar, 1, false)
	b.Split(0, tree.Split{Kind: tree.SetFirst, Set: []uint64{1}})
	b.Split(1, tree.Split{Kind: tree.SetLast, Set: []uint64{2}})
	s, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	s.SetSplitPoint(1, 0)
	if err := s.Validate(1); err == nil ||
		!strings.Contains(err.Error(), "node 1 has the set of another node, number 0") {
		t.Errorf("error %v", err)
	}
}

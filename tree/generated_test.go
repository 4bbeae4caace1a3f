package tree_test

import (
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/tree"
	"github.com/coppice-ml/coppice/tree/treetest"
)

// Every kind of node, every missing rule and every optional array turns up in a few trees.
func TestTreesHaveEverything(t *testing.T) {
	fields := []data.Field{{Name: "x"}, {Name: "y"},
		{Name: "c", Kind: data.Categorical, Levels: []string{"p", "q", "r"}}}
	kinds, rules, features := map[tree.Kind]bool{}, map[tree.Missing]bool{}, map[string]bool{}
	for seed := range 60 {
		s := treetest.Tree(treetest.Shape{Fields: fields, Width: 1, Splits: 10}).Example(seed)
		k, r := treetest.Kinds(s)
		for _, kind := range k {
			kinds[kind] = true
		}
		for _, rule := range r {
			rules[rule] = true
		}
		for feature, has := range map[string]bool{
			"fractions": s.Fraction != nil, "directions": s.Dirs != nil, "surrogates": s.Surrogates != nil, "statistics": s.Stats != nil, "slots": s.Leaf.Slot != nil,
			"equations": s.Leaf.Linear != nil, "no equations": s.Leaf.Linear == nil,
			"no fractions": s.Fraction == nil, "surrogates' sets": s.Surrogates != nil && s.Surrogates.SetAt != nil, "three children": maxArity(s) == 3,
		} {
			features[feature] = features[feature] || has
		}
	}
	if len(kinds) != int(tree.Sphere)+1 || len(rules) != int(tree.MissingStop)+1 {
		t.Errorf("kinds %v, rules %v: some are never generated", kinds, rules)
	}
	for feature, has := range features {
		if !has {
			t.Errorf("no tree has %s", feature)
		}
	}
}

func maxArity(s *tree.Tree) int32 {
	most := int32(0)
	for n := range int32(s.Len()) {
		a := s.Arity(n)
		most = max(most, a)
	}
	return most
}

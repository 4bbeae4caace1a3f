package tree_test

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"unsafe"

	"github.com/coppice-ml/coppice/tree"
)

func TestNodeSize(t *testing.T) {
	if size := unsafe.Sizeof(tree.Node{}); size != 16 {
		t.Errorf("a node has %d bytes, want 16", size)
	}
}

// The nodes of a tree give back what they were made of.
func TestNode(t *testing.T) {
	s := rich(t)
	for n, want := range []string{
		"4 3 2 1 3", "5 4 -1 4 2", "0 0 -1 -1 0", "6 5 -1 6 2", "0 0 -1 -1 0",
	} {
		d := &s.Nodes[n]
		if got := fmt.Sprint(d.Kind(), d.Missing(), d.Feature(), d.Child(),
			d.Arity()); got != want {
			t.Errorf("node %d: kind, missing rule, feature, child and arity %s, want %s",
				n, got, want)
		}
		i := int32(n)
		if got := fmt.Sprint(s.Kind(i), s.Missing(i), s.Feature(i), s.Child(i),
			s.Arity(i)); got != want {
			t.Errorf("node %d of the tree: %s, want %s", n, got, want)
		}
	}
	if s.SplitPoint(1) != 1 || s.SplitPoint(3) != 2 {
		t.Errorf("split points %v and %v", s.SplitPoint(1), s.SplitPoint(3))
	}
}

// The last feature number that fits into a node, and the first that does not.
func TestFeatureLimit(t *testing.T) {
	build := func(feature int32) (*tree.Tree, error) {
		b := tree.NewBuilder(tree.Scalar, 1, false)
		first := b.Split(0, tree.Split{Kind: tree.Numeric, Feature: feature, SplitPoint: 1})
		b.SetValue(first+1, []float64{1})
		return b.Build()
	}
	s, err := build(tree.MaxFeatures - 1)
	if err != nil || s.Feature(0) != 16_777_214 || s.Validate(math.MaxInt32) != nil {
		t.Errorf("feature %v, error %v", s, err)
	}
	if err := s.Validate(tree.MaxFeatures - 1); err == nil {
		t.Error("a feature beyond the schema is valid")
	}
	if ok, err := tree.CheckFeatures(tree.MaxFeatures),
		tree.CheckFeatures(tree.MaxFeatures+1); ok != nil || err == nil {
		t.Errorf("errors %v and %v, want one for a column too many", ok, err)
	}
	if _, err := build(tree.MaxFeatures); err == nil ||
		!strings.Contains(err.Error(), "columns 0 to 16777214") {
		t.Errorf("error %v, want the limit", err)
	}
}

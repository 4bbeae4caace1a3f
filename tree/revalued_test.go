package tree_test

import (
	"slices"
	"testing"

	"github.com/coppice-ml/coppice/tree"
)

// Revalued requests the leaves in their order, and gives equal values one slot.
func TestRevalued(t *testing.T) {
	var wanted []int32
	old := votes(t)
	r := old.Revalued(func(leaf int32) float64 {
		wanted = append(wanted, leaf)
		return float64(leaf % 2)
	})
	if !slices.Equal(wanted, []int32{3, 4, 5, 6}) {
		t.Errorf("requested %v", wanted)
	}
	if want := []float64{1, 0}; !slices.Equal(r.Leaf.Value, want) || r.Leaf.Kind != tree.Scalar ||
		r.Leaf.Width != 1 {
		t.Errorf("leaves %+v", r.Leaf)
	}
	for n := range int32(r.Len()) {
		if r.Kind(n) != old.Kind(n) || r.Feature(n) != old.Feature(n) ||
			r.SplitPoint(n) != old.SplitPoint(n) || r.Kind(n) != tree.Leaf &&
			r.Child(n) != old.Child(n) {
			t.Errorf("node %d is another", n)
		}
		if r.Kind(n) == tree.Leaf && r.Value(n)[0] != float64(n%2) {
			t.Errorf("leaf %d predicts %v", n, r.Value(n))
		}
	}
	if err := r.Validate(2); err != nil {
		t.Error(err)
	}
	if old.Leaf.Width != 2 {
		t.Error("the tree itself has changed")
	}
}

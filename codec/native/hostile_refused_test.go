package native

import (
	"testing"

	"github.com/coppice-ml/coppice/codec/codectest"
	"github.com/coppice-ml/coppice/tree"
)

// hostileRefused are damages of the leaves without a prediction.
var hostileRefused = []damage{
	{"a leaf too few", func(d *draft) { d.refuse.leaves = d.refuse.leaves[:1] }, "1 leaves without a prediction of 2 trees"},
	{"a tree beyond the last", func(d *draft) { d.refuse.trees[1] = 2 }, "tree 2 of 2"},
	{"a tree below 0", func(d *draft) { d.refuse.trees[0] = -1 }, "tree -1 of 2"},
	{"an inner node", func(d *draft) { d.refuse.leaves[0] = 2 }, "node 2 of tree 0"},
	{"a node beyond the last", func(d *draft) { d.refuse.leaves[0] = 5 }, "node 5 of tree 0"},
	{"a node below 0", func(d *draft) { d.refuse.leaves[1] = -1 }, "node -1 of tree 1"},
	{"leaves that descend", func(d *draft) { d.refuse.trees, d.refuse.leaves = []int32{1, 0}, []int32{2, 4} }, "do not ascend"},
	{"a leaf twice", func(d *draft) {
		d.refuse.trees, d.refuse.leaves = []int32{0, 0}, []int32{4, 4}
	}, "do not ascend"},
}

func TestHostileRefused(t *testing.T) { refuse(t, codectest.Refusing, hostileRefused) }

// A row reaches one leaf of a tree that has leaves without a prediction: nodes that send rows to
// several children, or that stop them, are not in such a tree.
func TestRefusedOfDividedRows(t *testing.T) {
	for _, rule := range []tree.Missing{tree.MissingFractional, tree.MissingStop} {
		m := codectest.Refusing()
		b := tree.NewBuilder(tree.Scalar, 1, false)
		first := b.Split(0, tree.Split{Kind: tree.Numeric, SplitPoint: 7, Missing: rule})
		for n := int32(0); n < first+2; n++ {
			b.SetValue(n, []float64{float64(n)})
			b.SetFraction(n, 0.5)
		}
		made, err := b.Build()
		if err != nil {
			t.Fatal(err)
		}
		m.Trees[1] = made
		if err := m.Validate(); err == nil {
			t.Errorf("rule %v: the model is valid", rule)
		}
	}
}

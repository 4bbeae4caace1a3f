package tree_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/tree"
	"github.com/coppice-ml/coppice/tree/treetest"
)

// The gains of the columns add up to those of the splits, whatever the kinds of nodes.
func TestGainsAddUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		schema := treetest.Schema().Draw(t, "schema")
		shape := treetest.Shape{Fields: schema.Fields, Width: 1, Splits: 12}
		measured := func(t *tree.Tree) bool { return t.Stats != nil }
		grown := treetest.Tree(shape).Filter(measured).Draw(t, "tree")
		want, got := 0.0, 0.0
		for _, g := range grown.Stats.Gain {
			want += g
		}
		for _, g := range tree.Gains(grown, len(schema.Fields)) {
			got += g
		}
		if math.Abs(got-want) > 1e-9*(1+math.Abs(want)) {
			t.Errorf("the gains of columns add up to %g, those of splits to %g", got, want)
		}
	})
}

package tree_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/tree"
	"github.com/coppice-ml/coppice/tree/treetest"
)

// TestWithFeatures: rows end where they did when their columns have moved as the tree predicts;
// moving them back gives the tree.
func TestWithFeatures(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := treetest.Schema().Draw(t, "schema")
		k := len(s.Fields)
		grown := treetest.Tree(treetest.Shape{Fields: s.Fields, Kind: tree.Scalar, Width: 1,
			Splits: 6, Number: rapid.Float64Range(-9, 9)}).Draw(t, "tree")
		place := make([]int32, k)
		next := int32(0)
		for i := range place {
			next += int32(rapid.IntRange(0, 2).Draw(t, "skip"))
			place[i] = next
			next++
		}
		before := treetest.Frame(s, 3).Draw(t, "rows").Columns
		after := make([]data.Column, next)
		for i, p := range place {
			after[p] = before[i]
		}
		moved := grown.WithFeatures(place)
		if err := moved.Validate(int(next)); err != nil {
			t.Fatal(err)
		}
		for row := range int32(3) {
			if got, want := moved.Over(after).LeafOf(row), grown.Over(before).LeafOf(row); got != want {
				t.Fatalf("row %d ends at node %d, want %d", row, got, want)
			}
			end := grown.Over(before).LeafOf(row)
			got := moved.Estimate(end, func(f int32) float64 { return after[f].Number(int(row)) })
			if want := grown.Estimate(end,
				func(f int32) float64 { return before[f].Number(int(row)) }); got != want {
				t.Fatalf("row %d: %v, want %v", row, got, want)
			}
		}
		back := make([]int32, next)
		for i, p := range place {
			back[p] = int32(i)
		}
		if d := cmp.Diff(grown, moved.WithFeatures(back),
			cmpopts.EquateComparable(tree.Node{})); d != "" {
			t.Fatal(d)
		}
	})
}

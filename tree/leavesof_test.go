package tree_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/internal/treetest"
	"github.com/coppice-ml/coppice/tree"
)

// TestLeavesOf: rows that go down together, in any order and number, end where each ends alone.
func TestLeavesOf(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		schema := treetest.Schema().Draw(t, "schema")
		grown := treetest.Tree(treetest.Shape{Fields: schema.Fields, Kind: tree.Scalar, Width: 1,
			Splits: 12}).Draw(t, "tree")
		f := treetest.Frame(schema, 40).Draw(t, "table")
		rows := rapid.SliceOf(rapid.Int32Range(0, int32(f.Rows())-1)).Draw(t, "rows")
		ends := make([]int32, len(rows))
		grown.LeavesOf(ends, f.Columns, rows)
		for i, row := range rows {
			if want := grown.LeafOf(f.Columns, row); ends[i] != want {
				t.Fatalf("row %d ends at node %d, alone at %d", row, ends[i], want)
			}
		}
	})
}

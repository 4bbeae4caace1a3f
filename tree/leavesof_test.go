package tree_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/tree"
	"github.com/coppice-ml/coppice/tree/treetest"
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
		columns := f.Columns
		if rapid.Bool().Draw(t, "sparse") {
			columns = sparseColumns(columns)
		}
		grown.Over(columns).LeavesOf(ends, rows)
		for i, row := range rows {
			if want := grown.Over(f.Columns).LeafOf(row); ends[i] != want {
				t.Fatalf("row %d ends at node %d, alone at %d", row, ends[i], want)
			}
		}
	})
}

// sparseColumns returns the same columns, of which those of numbers are sparse.
func sparseColumns(columns []data.Column) []data.Column {
	same := slices.Clone(columns)
	for i := range same {
		if same[i].Codes() != nil {
			continue
		}
		var row []int32
		var value []float64
		for r, v := range same[i].Numbers() {
			if v != 0 {
				row, value = append(row, int32(r)), append(value, v)
			}
		}
		same[i] = data.Sparse(same[i].Len(), 0, row, value)
	}
	return same
}

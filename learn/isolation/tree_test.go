package isolation_test

import (
	"math/bits"
	"testing"

	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/isolation"
	"github.com/coppice-ml/coppice/tree/treetest"
)

// Where a tree is grown on all rows, each leaf has some; the leaf's value follows by the
// definition from their number, and rows that could be divided further are as deep as is allowed.
func TestLeavesAreDefined(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 60).Draw(t, "rows")
		f := treetest.Frame(treetest.Schema().Draw(t, "schema"), n).Draw(t, "table")
		for i := range f.Columns {
			for r, c := range f.Columns[i].Codes() {
				if uint(c) >= uint(len(f.Schema.Fields[i].Levels)) {
					// training takes others for missing, prediction does not
					f.Columns[i].Codes()[r] = data.MissingCode
				}
			}
		}
		m := fitRapid(t, &isolation.Learner{Trees: 3, Subsample: 60}, &data.Dataset{Frame: f},
			learn.Job{Seed: rapid.Uint64().Draw(t, "seed")})
		c := isolation.UsualPaths(n)
		limit := int32(bits.Len(uint(n - 1)))
		for i, grown := range m.Trees {
			depth, rows := grown.Depths(), map[int32][]int32{}
			for r := range int32(n) {
				leaf := grown.Over(f.Columns).LeafOf(r)
				rows[leaf] = append(rows[leaf], r)
			}
			if len(rows) != grown.NumLeaves() {
				t.Fatalf("tree %d: rows are in %d of %d leaves", i, len(rows), grown.NumLeaves())
			}
			for leaf, own := range rows {
				want := 1.0
				if n > 1 {
					want = (float64(depth[leaf]) + c[len(own)]) / c[n]
				}
				if got := grown.Value(leaf)[0]; got != want || depth[leaf] > limit {
					t.Fatalf("tree %d: leaf %d of %d rows at depth %d has value %v, want %v and "+
						"depth %d at most", i, leaf, len(own), depth[leaf], got, want, limit)
				}
				if depth[leaf] < limit && differ(f, own) {
					t.Fatalf("tree %d: leaf %d holds rows that differ, at depth %d of %d", i, leaf,
						depth[leaf], limit)
				}
			}
		}
	})
}

// differ reports whether some rows have different values, a missing one being one of them.
func differ(f *data.Frame, rows []int32) bool {
	for i := range f.Columns {
		for _, r := range rows[1:] {
			a, b := int(rows[0]), int(r)
			if f.IsMissing(a, i) && f.IsMissing(b, i) {
				continue
			}
			if c := &f.Columns[i]; f.IsMissing(a, i) != f.IsMissing(b, i) || c.Numbers() != nil &&
				c.Number(a) != c.Number(b) || c.Codes() != nil && c.Code(a) != c.Code(b) {
				return true
			}
		}
	}
	return false
}

package bins

import (
	"slices"
	"testing"
)

// Rows go to the blocks that have them.
func TestRowsIn(t *testing.T) {
	m := &Matrix{Blocks: []Block{{Rows: 5}, {First: 5, Rows: 3}, {First: 8, Rows: 0}, {First: 8, Rows: 4}}}
	for _, c := range []struct {
		rows, first []int32
		local       [][]int32
	}{
		{nil, nil, nil},
		{[]int32{0, 4, 5, 8, 11}, []int32{0, 5, 8}, [][]int32{{0, 4}, {0}, {0, 3}}},
		{[]int32{2, 3}, []int32{0}, [][]int32{{2, 3}}},
		{[]int32{9}, []int32{8}, [][]int32{{1}}},
		{[]int32{6, 7, 10}, []int32{5, 8}, [][]int32{{1, 2}, {2}}},
	} {
		var first []int32
		var local [][]int32
		for i := range m.Blocks {
			if rows := m.RowsIn(i, c.rows); len(rows) > 0 {
				first = append(first, m.Blocks[i].First)
				local = append(local, m.Blocks[i].Local(rows))
			}
		}
		if !slices.Equal(first, c.first) || !slices.EqualFunc(local, c.local, slices.Equal[[]int32]) {
			t.Errorf("%v: blocks at %v with %v, want %v with %v", c.rows, first, local, c.first, c.local)
		}
	}
}

package ranked

import (
	"math"
	"testing"

	"github.com/coppice-ml/coppice/learn/internal/exact/internal/sorting"
)

// TestRanks: ranks are read as they were written, in 3 bytes as in 4, beside those of other
// columns; equal values have one rank, and so have missing ones.
func TestRanks(t *testing.T) {
	sorted := []sorting.Entry{{Key: 0, Pos: 1}, {Key: 0, Pos: 2}, {Key: 1, Pos: 5},
		{Key: 2, Pos: 0}, {Key: sorting.MissingRank, Pos: 3}, {Key: sorting.MissingRank, Pos: 4}}
	var r ranks
	r.fill(sorted)
	for row, want := range []uint32{3, 0, 0, 4, 4, 2} {
		if got := r.of(uint32(row)); got != want {
			t.Errorf("row %d has rank %d, want %d", row, got, want)
		}
	}
	if r.known != 4 || r.full() {
		t.Errorf("%d rows have a value, want 4", r.known)
	}
	for rows, most := range map[int]uint32{6: 5, 1 << 24: 1<<24 - 1, 1<<24 + 1: 1 << 24,
		math.MaxInt32: math.MaxInt32 - 1} {
		a, b := ranks{rows: rows}, ranks{rows: rows}
		packed := make([]byte, 2*3*4+1) // of three rows, all that is read
		a.allot(packed, 0, 2)
		b.allot(packed, 1, 2)
		for row := range uint32(3) {
			a.set(row, most-row)
			b.set(row, row)
		}
		for row := range uint32(3) {
			if a.of(row) != most-row || b.of(row) != row {
				t.Errorf("of %d rows, row %d has ranks %d and %d, want %d and %d", rows, row,
					a.of(row), b.of(row), most-row, row)
			}
		}
		if most>>a.bucket >= mostBuckets {
			t.Errorf("of %d rows, the last is in bucket %d", rows, most>>a.bucket)
		}
	}
}

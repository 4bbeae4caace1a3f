package foreign_test

import (
	"strconv"
	"testing"

	"github.com/coppice-ml/coppice/codec/internal/foreign"
)

// Levels of bare codes are the texts of the codes, whatever columns were before, and columns share
// the memory of what they have in common.
func TestBareCodes(t *testing.T) {
	var b foreign.Bare
	taken := int64(0)
	take := func(n int64) error { taken += n; return nil }
	for _, n := range []int{3, 1, 12, 1001, 100, 0} {
		before := taken
		levels, err := b.Codes(n, take)
		if err != nil || len(levels) != n || cap(levels) != n {
			t.Fatalf("%d levels: %d, room for %d, %v", n, len(levels), cap(levels), err)
		}
		for i, level := range levels {
			if level != strconv.Itoa(i) {
				t.Fatalf("level %d of %d is %q", i, n, level)
			}
		}
		if fits := n == 1 || n == 100 || n == 0; fits != (taken == before) {
			t.Errorf("%d levels take %d bytes", n, taken-before)
		}
	}
	if most := int64(24 * (3 + 12 + 1001)); taken > most {
		t.Errorf("%d bytes, more than %d", taken, most)
	}
}

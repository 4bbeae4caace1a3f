package hugepage_test

import (
	"testing"

	"github.com/coppice-ml/coppice/internal/hugepage"
)

// The memory is zero and may be written to, of whatever size.
func TestMake(t *testing.T) {
	for _, n := range []int{0, 1, 4096, 4<<20 - 1, 4 << 20, 9<<20 + 123} {
		b := hugepage.Make(n)
		if len(b) != n {
			t.Fatalf("%d bytes, want %d", len(b), n)
		}
		for i := range b {
			if b[i] != 0 {
				t.Fatalf("byte %d of %d is %d", i, n, b[i])
			}
			b[i] = byte(i)
		}
		for i := range b {
			if b[i] != byte(i) {
				t.Fatalf("byte %d of %d is %d", i, n, b[i])
			}
		}
	}
}

package hugepage_test

import (
	"runtime/debug"
	"testing"

	"github.com/coppice-ml/coppice/internal/hugepage"
)

// BenchmarkReads makes 28 MB and reads 32 bytes at 62,500 random places, as a small node's
// histogram does.
func BenchmarkReads(b *testing.B) {
	const size, reads = 28 << 20, 62500
	for _, c := range []struct {
		name  string
		alloc func(int) []byte
	}{{"make", func(n int) []byte { return make([]byte, n) }}, {"huge", hugepage.Make}} {
		name, alloc := c.name, c.alloc
		b.Run(name+"/first touch", func(b *testing.B) {
			for b.Loop() {
				b.StopTimer()
				debug.FreeOSMemory()
				b.StartTimer()
				m := alloc(size)
				for i := 0; i < size; i += 4096 {
					m[i] = 1
				}
			}
		})
		b.Run(name+"/reads", func(b *testing.B) {
			debug.FreeOSMemory()
			m := alloc(size)
			for i := range m {
				m[i] = 1
			}
			x, sum := uint32(1), 0
			for b.Loop() {
				for range reads {
					x = x*1664525 + 1013904223
					at := int(uint64(x) * (size - 32) >> 32)
					sum += int(m[at]) + int(m[at+31])
				}
			}
			if sum == 0 {
				b.Fatal("nothing read")
			}
		})
	}
}

package kernel

import (
	"hash/crc32"
	"testing"

	"github.com/coppice-ml/coppice/internal/rng"
)

// FuzzChecksum compares Checksum with that of the standard library, from any address on.
func FuzzChecksum(f *testing.F) {
	for seed, n := range []uint16{0, 255, 256, 511, 512, 513, 767, 768, 4096, 65535} {
		f.Add(uint64(seed), n, uint32(seed)*0x9e3779b9)
	}
	f.Fuzz(func(t *testing.T, seed uint64, n uint16, before uint32) {
		s := rng.New(seed)
		b := make([]byte, int(n)+64)
		for i := range b {
			b[i] = byte(s.Uint64())
		}
		b = b[s.Intn(64):][:n]
		want := crc32.Update(before, crc32.MakeTable(crc32.Castagnoli), b)
		EveryPath(func() {
			if got := Checksum(before, b); got != want {
				t.Fatalf("%d bytes after %08x: %08x, want %08x", n, before, got, want)
			}
		})
	})
}

// TestChecksum holds it to the check value of CRC-32C, which catalogues of CRCs have.
func TestChecksum(t *testing.T) {
	if got := Checksum(0, []byte("123456789")); got != 0xe3069283 {
		t.Errorf("%08x", got)
	}
}

// BenchmarkChecksum sums 64 MB, which no cache holds, and as many bytes as a second cache does.
func BenchmarkChecksum(b *testing.B) {
	bytes := make([]byte, 64<<20)
	for i := range bytes {
		bytes[i] = byte(i)
	}
	for name, n := range map[string]int{"64 MB": len(bytes), "256 KB": 1 << 18} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(n))
			for b.Loop() {
				Checksum(0, bytes[:n])
			}
		})
		b.Run(name+", standard library", func(b *testing.B) {
			b.SetBytes(int64(n))
			for b.Loop() {
				crc32.Update(0, castagnoli, bytes[:n])
			}
		})
	}
}

package native

import (
	"hash/crc32"
	"testing"

	"pgregory.net/rapid"
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Sums of parts join to that of the whole, whatever was before and however many parts there are.
func TestChecksum(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := rapid.SliceOfN(rapid.Byte(), 0, 300).Draw(t, "bytes")
		before := rapid.Uint32().Draw(t, "sum of the bytes before")
		workers := rapid.IntRange(0, 9).Draw(t, "workers")
		if got, want := checksumOn(workers, before, b), crc32.Update(before, castagnoli, b); got != want {
			t.Fatalf("%08x, want %08x", got, want)
		}
	})
	large := make([]byte, 3*sumPart+5)
	for i := range large {
		large[i] = byte(i * i >> 7)
	}
	if got, want := checksum(7, large), crc32.Update(7, castagnoli, large); got != want {
		t.Errorf("%08x of many bytes, want %08x", got, want)
	}
}

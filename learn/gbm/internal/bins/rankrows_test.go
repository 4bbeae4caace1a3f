package bins

import (
	"hash/crc32"
	"testing"

	"pgregory.net/rapid"
)

// The checksum of two pieces follows from those of the pieces.
func TestSumsOfPiecesJoin(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := rapid.SliceOf(rapid.Byte()).Draw(t, "a")
		b := rapid.SliceOf(rapid.Byte()).Draw(t, "b")
		want := crc32.Checksum(append(append([]byte{}, a...), b...), castagnoli)
		got := joinedSum(crc32.Checksum(a, castagnoli), crc32.Checksum(b, castagnoli), uint64(len(b)))
		if got != want {
			t.Fatalf("%08x, want %08x", got, want)
		}
	})
}

// A message of another rank that is cut off is an error.
func TestDamagedSurvey(t *testing.T) {
	c := surveyed{keys: []uint64{1, 2, 3}, weight: []float64{1, 2, 3}, many: true}
	whole := c.encode(nil)
	var got surveyed
	if err := got.decode(whole, 255); err != nil || len(got.keys) != 3 || !got.many {
		t.Fatalf("%v %v", got, err)
	}
	for n := range whole {
		if got.decode(whole[:n], 255) == nil {
			t.Fatalf("%d bytes of %d are taken", n, len(whole))
		}
	}
}

package kernel

import (
	"slices"
	"testing"

	"github.com/coppice-ml/coppice/internal/rng"
)

// FuzzCumulateSquares compares CumulateSquares with its twin in plain Go, up to the greatest number
// of rows.
func FuzzCumulateSquares(f *testing.F) {
	f.Add(uint64(1), uint8(16), uint8(1), uint16(40))
	f.Add(uint64(2), uint8(0), uint8(0), uint16(32767))
	f.Add(uint64(3), uint8(255), uint8(3), uint16(32767))
	f.Fuzz(func(t *testing.T, seed uint64, values, vectors uint8, rows uint16) {
		EveryPath(func() {
			s := rng.New(seed)
			n, stride := int(values)+1, 16*(int(vectors)%4+1)
			counts := make([]uint16, n*stride)
			for left := int(rows) % (1 << 15); left > 0; {
				k := 1 + s.Intn(left)
				counts[s.Intn(len(counts))] += uint16(k)
				left -= k
			}
			other := slices.Clone(counts)
			out, want := make([]Squares, n+1), make([]Squares, n+1)
			got, wanted := CumulateSquares(out, counts, stride), plainSquares(want, other, stride)
			if !slices.Equal(out[:got], want[:wanted]) || !slices.Equal(counts, make([]uint16, len(counts))) {
				t.Fatalf("%d values, stride %d: %v, want %v; counts %v", n, stride, out[:got], want[:wanted], counts)
			}
		})
	})
}

// TestCumulateSquares holds it to the example of its documentation.
func TestCumulateSquares(t *testing.T) { EachPath(t, testCumulateSquares) }

func testCumulateSquares(t *testing.T) {
	const stride = 16
	counts, out := make([]uint16, 3*stride), make([]Squares, 4)
	counts[0], counts[2], counts[2*stride], counts[2*stride+2] = 2, 1, 1, 1
	n := CumulateSquares(out, counts, stride)
	if want := []Squares{{5, 8, 3, 0}, {13, 13, 5, 2}}; !slices.Equal(out[:n], want) {
		t.Errorf("%v, want %v", out[:n], want)
	}
}

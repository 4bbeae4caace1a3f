package kernel_test

import (
	"encoding/binary"
	"math"
	"slices"
	"testing"

	"github.com/coppice-ml/coppice/internal/kernel"
)

// checkLog1ps compares Log1ps with Log1p, bit by bit.
func checkLog1ps(t *testing.T, x []float64) {
	t.Helper()
	got := append(slices.Clone(x), 7)
	kernel.Log1ps(got, got[:len(x)])
	for i := range x {
		want := kernel.Log1p(x[i])
		if math.Float64bits(got[i]) != math.Float64bits(want) && !(want != want && got[i] != got[i]) {
			t.Fatalf("number %d of %d: log(1 + %v) = %v, Log1p has %v", i, len(x), x[i], got[i], want)
		}
	}
	if got[len(x)] != 7 {
		t.Fatal("wrote behind the last number")
	}
}

// FuzzLog1ps takes numbers of all kinds: the bytes are floats, and numbers between 0 and 1 made of
// them.
func FuzzLog1ps(f *testing.F) {
	var odd []byte
	for _, x := range []float64{0, math.Copysign(0, -1), 1, -1, 0x1p-8, math.Nextafter(0x1p-8, 0), math.Nextafter(1, 0), 5e-324, 2, -2, 1e300,
		math.Inf(1), math.NaN(), 53.0 / 128, 52.5 / 128, math.Nextafter(52.5/128, 0), 0.3} {
		odd = binary.LittleEndian.AppendUint64(odd, math.Float64bits(x))
	}
	f.Add(odd)
	f.Add(slices.Concat(odd[24:], odd, odd[8:]))
	f.Fuzz(func(t *testing.T, bytes []byte) {
		kernel.EveryPath(func() {
			var x []float64
			for ; len(bytes) >= 8; bytes = bytes[8:] {
				word := binary.LittleEndian.Uint64(bytes)
				x = append(x, math.Float64frombits(word), float64(word)*0x1p-64, float64(word)*0x1p-72)
			}
			slices.Sort(x[:len(x)/2]) // so that there are fours of which none is odd
			checkLog1ps(t, x)
		})
	})
}

// TestLog1psAroundEveryCentre takes numbers on both sides of each centre and of each middle of two.
func TestLog1psAroundEveryCentre(t *testing.T) { kernel.EachPath(t, testLog1psAroundEveryCentre) }

func testLog1psAroundEveryCentre(t *testing.T) {
	var x []float64
	for i := range 1 << 12 {
		v := float64(i) / (1 << 12)
		x = append(x, v, math.Nextafter(v, 1), v+0x1p-20, math.Abs(math.Nextafter(v, 0)), v*0x1p-9, v*v*v*v)
	}
	slices.Sort(x)
	checkLog1ps(t, x[8:])
}

func BenchmarkLog1ps(b *testing.B) {
	xs := points(1024, 0.001, 1)[:1024]
	dst := make([]float64, 1024)
	for b.Loop() {
		kernel.Log1ps(dst, xs)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/1024, "ns/number")
}

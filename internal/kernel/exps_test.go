package kernel_test

import (
	"encoding/binary"
	"math"
	"slices"
	"testing"

	"github.com/coppice-ml/coppice/internal/kernel"
	"github.com/coppice-ml/coppice/internal/rng"
)

// FuzzExps compares Exps with Exp, bit by bit, on numbers of all kinds: the bytes are floats, and
// numbers near 0 made of them.
func FuzzExps(f *testing.F) {
	var odd []byte
	for _, x := range []float64{0, math.Copysign(0, -1), 1, -1, 700, -700, 700.1, -700.1, 709.8, -745.2, 1e300, -1e300, math.Inf(1),
		math.Inf(-1), math.NaN(), 5e-324, -1e-17, 0.0054, -36} {
		odd = binary.LittleEndian.AppendUint64(odd, math.Float64bits(x))
	}
	f.Add(odd)
	f.Add(slices.Concat(odd[24:], odd, odd[8:]))
	f.Fuzz(func(t *testing.T, bytes []byte) {
		kernel.EveryPath(func() {
			var x []float64
			for ; len(bytes) >= 8; bytes = bytes[8:] {
				word := binary.LittleEndian.Uint64(bytes)
				x = append(x, math.Float64frombits(word), float64(int64(word))*0x1p-60, float64(int64(word))*0x1p-53)
			}
			slices.Sort(x[:len(x)/2]) // so that there are fours of which none is odd
			got := make([]float64, len(x)+1)
			got[len(x)] = 7
			kernel.Exps(got, x)
			for i := range x {
				want := kernel.Exp(x[i])
				if math.Float64bits(got[i]) != math.Float64bits(want) && !(want != want && got[i] != got[i]) {
					t.Fatalf("number %d of %d: e^%v = %v, Exp has %v", i, len(x), x[i], got[i], want)
				}
			}
			if got[len(x)] != 7 {
				t.Fatal("wrote behind the last number")
			}
		})
	})
}

// TestExpsOverAllPowers compares Exps with Exp on many numbers of every size that has a power.
func TestExpsOverAllPowers(t *testing.T) { kernel.EachPath(t, testExpsOverAllPowers) }

func testExpsOverAllPowers(t *testing.T) {
	var x []float64
	for v := -746.0; v < 711; v += 0.0137 {
		x = append(x, v)
	}
	got := slices.Clone(x)
	kernel.Exps(got, got)
	for i, v := range x {
		if got[i] != kernel.Exp(v) {
			t.Fatalf("e^%v = %v, Exp has %v", v, got[i], kernel.Exp(v))
		}
	}
}

// FuzzLogistic compares Logistic with the formulas, bit by bit.
func FuzzLogistic(f *testing.F) {
	f.Add(uint64(1), 1.0, 4)
	f.Add(uint64(2), 800.0, 1000)
	f.Add(uint64(3), 0.0, 7)
	f.Add(uint64(4), 1e-9, 33)
	f.Fuzz(func(t *testing.T, seed uint64, size float64, n int) {
		kernel.EveryPath(func() {
			s := rng.New(seed)
			n = max(0, n) % 3000
			y, raw, g, h := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
			for i := range raw {
				raw[i] = size * (2*s.Float64() - 1)
				y[i] = float64(s.Intn(2))
				if s.Intn(4) == 0 {
					y[i] = s.Float64()
				}
			}
			kernel.Logistic(g, h, y, raw)
			for i, x := range raw {
				e := kernel.Exp(-math.Abs(x))
				p := 1 / (1 + e)
				q := e * p
				if x < 0 {
					p, q = q, p
				}
				wantG, wantH := float64(p*(1-y[i]))-float64(q*y[i]), p*q
				if (g[i] != wantG || h[i] != wantH) && x == x {
					t.Fatalf("raw %v, y %v: %v, %v; want %v, %v", x, y[i], g[i], h[i], wantG, wantH)
				}
			}
		})
	})
}

func BenchmarkExps(b *testing.B) {
	xs := points(1024, 0.001, 20)[:1024]
	dst := make([]float64, 1024)
	for b.Loop() {
		kernel.Exps(dst, xs)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/1024, "ns/number")
}

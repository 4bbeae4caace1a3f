package kernel

import (
	"math"
	"slices"
	"testing"

	"github.com/coppice-ml/coppice/internal/rng"
)

// FuzzFix compares Fix of all rows with that of listed ones, which is in plain Go, and Sizes with its definition.
func FuzzFix(f *testing.F) {
	for n := range uint16(9) {
		f.Add(uint64(n), n, int8(20))
	}
	f.Add(uint64(9), uint16(1001), int8(2))
	f.Fuzz(func(t *testing.T, seed uint64, rows uint16, bits int8) {
		s := rng.New(seed)
		n := int(rows) % 3000
		g, h, list := make([]float64, n), make([]float64, n), make([]int32, n)
		for i := range g {
			size := math.Ldexp(1, -s.Intn(40))
			g[i], h[i], list[i] = (s.Float64()-0.5)*size*float64(s.Intn(4)), s.Float64()*size*float64(s.Intn(4)), int32(i)
		}
		perG := math.Ldexp(1, int(bits)%22)
		perH := perG / 4
		all, listed := make([]int64, n), make([]int64, n)
		a, b := Fix(all, g, h, nil, perG, perH, 16), Fix(listed, g, h, list, perG, perH, 16)
		if a != b || !slices.Equal(all, listed) {
			t.Fatalf("%d rows, %g and %g units: %+v, want %+v", n, perG, perH, a, b)
		}
		cut := n / 3
		first, second := Fix(all[:cut], g[:cut], h[:cut], nil, perG, perH, 16), Fix(all[cut:], g[cut:], h[cut:], nil, perG, perH, 16)
		if got := FixedNone.Plus(first).Plus(second); got != a {
			t.Fatalf("%d rows in two parts: %+v, want %+v", n, got, a)
		}
		var sumsG, sumsH [4]float64
		for i := range g {
			sumsG[i%4] += math.Abs(g[i])
			sumsH[i%4] += h[i]
		}
		var sizes Sizes
		some := n / 2 &^ 3
		sizes.Add(g[:some], h[:some])
		sizes.Add(g[some:], h[some:])
		x, y := sizes.Sums()
		if x != (sumsG[0]+sumsG[1])+(sumsG[2]+sumsG[3]) || y != (sumsH[0]+sumsH[1])+(sumsH[2]+sumsH[3]) {
			t.Fatalf("%d rows: sizes %v and %v, want %v and %v", n, x, y, sumsG, sumsH)
		}
	})
}

package kernel

import (
	"math"
	"slices"
	"testing"

	"github.com/coppice-ml/coppice/internal/rng"
)

func TestFixRoundsToTheNearest(t *testing.T) { EachPath(t, testFixRoundsToTheNearest) }

func testFixRoundsToTheNearest(t *testing.T) {
	packed := make([]int64, 4)
	f := Fix(packed, []float64{0.6, -0.6, 100, 0}, []float64{1, 0.001, 2.4, 0}, 2, 2, 16)
	want := []int64{1<<32 + 2, -1<<32 + 1, 200<<32 + 5, 0}
	if !slices.Equal(packed, want) || f != (Fixed{G: 200, H: 8, Least: 0, Most: 5, Rows: 4, Coarse: 2}) {
		t.Fatalf("%v, %+v", packed, f)
	}
}

// fix is Fix of one row.
func (f *Fixed) fix(g, h, perG, perH float64, coarse int64) int64 {
	a, b := int64(math.RoundToEven(g*perG)), int64(math.RoundToEven(h*perH))
	if b == 0 && h > 0 {
		b = 1
	}
	f.G += a
	f.H += b
	f.Least, f.Most = min(f.Least, b), max(f.Most, b)
	f.Rows++
	if max(a, -a) < coarse && g != 0 {
		f.Coarse++
	}
	return a<<32 + b
}

// FuzzFix compares Fix with its definition row by row, and Sizes with its own.
func FuzzFix(f *testing.F) {
	for n := range uint16(9) {
		f.Add(uint64(n), n, int8(20))
	}
	f.Add(uint64(9), uint16(1001), int8(2))
	f.Fuzz(func(t *testing.T, seed uint64, rows uint16, bits int8) {
		EveryPath(func() {
			s := rng.New(seed)
			n := int(rows) % 3000
			g, h := make([]float64, n), make([]float64, n)
			for i := range g {
				size := math.Ldexp(1, -s.Intn(40))
				g[i], h[i] = (s.Float64()-0.5)*size*float64(s.Intn(4)), s.Float64()*size*float64(s.Intn(4))
			}
			perG := math.Ldexp(1, int(bits)%22)
			perH := perG / 4
			all, single := make([]int64, n), make([]int64, n)
			a, b := Fix(all, g, h, perG, perH, 16), FixedNone
			for i := range g {
				single[i] = b.fix(g[i], h[i], perG, perH, 16)
			}
			if a != b || !slices.Equal(all, single) {
				t.Fatalf("%d rows, %g and %g units: %+v, want %+v", n, perG, perH, a, b)
			}
			threshold := n / 3
			first, second := Fix(all[:threshold], g[:threshold], h[:threshold], perG, perH, 16), Fix(all[threshold:], g[threshold:], h[threshold:], perG, perH, 16)
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
	})
}

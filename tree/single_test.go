package tree_test

import (
	"math"
	"testing"

	"github.com/coppice-ml/coppice/tree"
	"pgregory.net/rapid"
)

// around32 returns doubles at which decisions in single precision change: t, its neighbours, the
// middles between them, and the doubles beside all of these.
func around32(t float32) []float64 {
	inf := math.Inf(1)
	below := math.Nextafter32(t, float32(-inf))
	above := math.Nextafter32(t, float32(inf))
	marks := []float64{float64(below), float64(t), float64(above),
		float64(below)/2 + float64(t)/2, float64(t)/2 + float64(above)/2,
		1<<128 - 1<<103, -(1<<128 - 1<<103), 0, inf, -inf}
	var all []float64
	for _, x := range marks {
		all = append(all, x, math.Nextafter(x, inf), math.Nextafter(x, -inf))
	}
	return all
}

func checkSingle(t rapid.TB, u float32) {
	below, neverBelow := tree.Below32(u)
	upTo, neverUpTo := tree.UpTo32(u)
	for _, x := range around32(u) {
		if math.IsNaN(x) {
			continue
		}
		if want, got := float32(x) < u, !neverBelow && x <= below; got != want {
			t.Fatalf("float32(%v) < %v is %v, x <= %v is not", x, u, want, below)
		}
		if want, got := float32(x) <= u, !neverUpTo && x <= upTo; got != want {
			t.Fatalf("float32(%v) <= %v is %v, x <= %v is not", x, u, want, upTo)
		}
	}
	if neverBelow {
		return
	}
	if back := tree.As32(below); back != u || math.Signbit(float64(back)) && back == 0 {
		t.Fatalf("the split point of %v is that of %v on the way back", u, back)
	}
}

func TestSinglePrecision(t *testing.T) {
	inf := float32(math.Inf(1))
	for _, u := range []float32{0, float32(math.Copysign(0, -1)), 1, -1, math.SmallestNonzeroFloat32,
		-math.SmallestNonzeroFloat32, math.MaxFloat32, -math.MaxFloat32, inf, -inf,
		float32(math.NaN()), 0x1p-126, 1.5} {
		checkSingle(t, u)
	}
	rapid.Check(t, func(t *rapid.T) {
		checkSingle(t, math.Float32frombits(rapid.Uint32().Draw(t, "bits")))
	})
}

func TestWriteSinglePrecision(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := rapid.Float64().Draw(t, "split point")
		if math.IsNaN(c) {
			return
		}
		u := tree.As32(c)
		for _, wide := range append(around32(float32(c)), around32(u)...) {
			x := float32(wide)
			if x != x || math.IsInf(wide, 1) && math.IsInf(c, 1) {
				continue
			}
			if (x < u) != (float64(x) <= c) {
				t.Fatalf("%v < %v is %v, %v <= %v is not", x, u, x < u, x, c)
			}
		}
	})
}

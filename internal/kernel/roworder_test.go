package kernel

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestRowOrder(t *testing.T) {
	EachPath(t, func(t *testing.T) { rapid.Check(t, checkRowOrder) })
}

func FuzzRowOrder(f *testing.F) {
	f.Fuzz(rapid.MakeFuzz(func(t *rapid.T) { EveryPath(func() { checkRowOrder(t) }) }))
}

// checkRowOrder: the bits of the place of each split point are the rows whose values are above it,
// with those whose values are missing or without.
func checkRowOrder(t *rapid.T) {
	grid := rapid.SampledFrom([]int{3, 300, 70_000}).Draw(t, "grid")
	number := rapid.Map(rapid.IntRange(-grid, grid), func(i int) float64 { return float64(i) })
	point := rapid.OneOf(number, rapid.SampledFrom([]float64{math.Inf(1), math.Inf(-1), 0}))
	points := rapid.SliceOfN(point, 0, 400).Draw(t, "points")
	if rapid.Bool().Draw(t, "many") { // beyond one byte of codes
		for i := range 3000 {
			points = append(points, float64(i)*0.75)
		}
	}
	slices.Sort(points)
	points = slices.Compact(points)
	x := rapid.SliceOfN(rapid.OneOf(point, rapid.SampledFrom([]float64{math.NaN(),
		math.Copysign(0, -1), 0.5, 1000})), 1, ScanRows).Draw(t, "values")
	c := NewWideCoder(points)
	codes, plain := make([]uint16, len(x)), make([]uint16, len(x))
	c.Codes(codes, x)
	c.codesPlain(plain, x)
	if !slices.Equal(codes, plain) {
		t.Fatalf("codes %v, in plain Go %v", codes, plain)
	}
	const base = 1000
	var o RowOrder
	o.Sort(codes)
	place := make([]uint16, len(points)+PlaceStep)
	o.Places(place, c.NumPoints(), base)
	for _, first := range []bool{true, false} {
		bits := make([]RowBits, OrderPlaces)
		if missing := o.Bits(bits, first); missing != slices.ContainsFunc(x, math.IsNaN) {
			t.Fatalf("missing values: %v in %v", missing, x)
		}
		for i, p := range points {
			if c.NumberOf(p) != i {
				t.Fatalf("split point %d of %v has number %d", i, points, c.NumberOf(p))
			}
			row := bits[place[i]-base]
			for r, v := range x {
				want := v > p || math.IsNaN(v) && !first
				if got := row[r>>3&3]>>(8*(r&7)+r>>5)&1 == 1; got != want {
					t.Fatalf("value %v above %v: %v (first: %v)", v, p, got, first)
				}
			}
		}
	}
}

func TestScanPlaced(t *testing.T) {
	EachPath(t, func(t *testing.T) { rapid.Check(t, checkScanPlaced) })
}

func FuzzScanPlaced(f *testing.F) {
	f.Fuzz(rapid.MakeFuzz(func(t *rapid.T) { EveryPath(func() { checkScanPlaced(t) }) }))
}

// checkScanPlaced: nodes with places have the leaves that ScanCuts gives them with the bits of
// these.
func checkScanPlaced(t *rapid.T) {
	s := randomScan(t, MaxScanLeaves, -128)
	in := Placed{Tests: rapid.Bool().Draw(t, "tests")}
	for k := 0; k < len(s.codes); k += ScanRows {
		in.Bits = append(in.Bits, make([]RowBits, 256)...)
		codeBitsPlain(in.Bits[k:], s.codes[k:], -128)
	}
	var cuts Cuts
	for from, to := 0, 0; from < len(s.leaves); from = to {
		group, nodes := CutGroup{}, []CutNode(nil)
		group, nodes, to = s.cutGroup(from)
		placed, points := slices.Clone(nodes), make([]uint32, len(nodes))
		in.Place = make([]uint16, 3*len(nodes))
		for i := range placed {
			points[i] = uint32(3*i + rapid.IntRange(0, 2).Draw(t, "point"))
			test := uint16(rapid.IntRange(0, int(nodes[i].Test)).Draw(t, "test"))
			if placed[i].Test = test; !in.Tests {
				test = 0
			}
			in.Place[points[i]] = nodes[i].Test - test
		}
		n := (to - from) * ScanRows
		want, got, plain := make([]uint8, n), make([]uint8, n), make([]uint8, n)
		ScanCuts(want, group.Trees, nodes, in.Bits, &cuts)
		ScanPlaced(got, group.Trees, placed, points, &in, &cuts)
		scanPlacedPlain(plain, group.Trees, placed, points, &in, &cuts)
		if !slices.Equal(got, want) || !slices.Equal(plain, want) {
			t.Fatalf("trees from %d on: %v, in plain Go %v, want %v", from, got, plain, want)
		}
	}
}

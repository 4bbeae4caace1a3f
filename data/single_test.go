package data_test

import (
	"math"
	"slices"
	"testing"

	"github.com/coppice-ml/coppice/data"
)

// A column is narrowed if every value is a float32, and no value changes by it.
func TestNarrow(t *testing.T) {
	negative := math.Copysign(0, -1)
	for _, c := range []struct {
		values []float64
		narrow bool
	}{
		{[]float64{1, -2.5, math.NaN(), math.Inf(1), negative, 1 << 24, math.MaxFloat32}, true},
		{[]float64{1, 0.1}, false},
		{[]float64{1<<24 + 1}, false},
		{[]float64{1e39}, false},
		{[]float64{1e-50}, false},
	} {
		got := data.Numbers(c.values).Narrow()
		if got.InPlace() == c.narrow || got.IsSparse() {
			t.Errorf("%v: narrow is %v", c.values, !got.InPlace())
		}
		if !got.Equal(data.Numbers(c.values)) {
			t.Errorf("%v became %v", c.values, got.Numbers())
		}
		if c.narrow && !math.Signbit(got.Number(4)) {
			t.Error("-0 became 0")
		}
	}
	for _, c := range []data.Column{data.Codes([]uint32{0}), data.Sparse(9, 0, nil, nil)} {
		for _, same := range []data.Column{c.Narrow(), c.Compact()} {
			if !same.Equal(c) || same.IsSparse() != c.IsSparse() {
				t.Error("a column without a value for each row was changed")
			}
		}
	}
}

// The most compact storage depends on the values alone, and has the same ones.
func TestCompact(t *testing.T) {
	gap, negative := math.NaN(), math.Copysign(0, -1)
	for _, c := range []struct {
		values         []float64
		sparse, double bool
	}{
		{[]float64{0, 0, 0.1, 0}, true, false},
		{[]float64{0, 0, gap, 0}, true, false},
		{[]float64{gap, gap, 0.1, gap}, true, false},
		{[]float64{gap, gap, 0, gap}, true, false},
		{[]float64{0, 0, negative, 0}, true, false},
		{[]float64{0, 0, negative, 0.1}, false, true},
		{[]float64{0, 0, 1, 2}, false, false},
		{[]float64{0, 0, gap, gap}, false, false},
		{[]float64{0.1, 0.2, 0.3, 0}, false, true},
		{nil, false, true},
	} {
		got := data.Numbers(c.values).Compact()
		if got.IsSparse() != c.sparse || got.InPlace() != c.double {
			t.Errorf("%v: sparse is %v, double precision %v", c.values, got.IsSparse(),
				got.InPlace())
		}
		if !slices.EqualFunc(got.Numbers(), c.values, func(a, b float64) bool {
			return a != a && b != b || math.Float64bits(a) == math.Float64bits(b)
		}) {
			t.Errorf("%v became %v", c.values, got.Numbers())
		}
	}
}

// Go values of float32 are kept as they are: no table of twice their size is made.
func TestFramesOfFloat32(t *testing.T) {
	values := []float32{1, 2.5, 3, 4, 5, 6}
	a, err := data.FromMatrix(data.RowMajor[float32]{Values: values, Columns: 2}, nil)
	if err != nil {
		t.Fatal(err)
	}
	b, err := data.FromColumns(data.NamedColumn{Name: "x", Values: values},
		data.NamedColumn{Name: "y", Values: values, Categorical: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []data.Column{a.Columns[0], a.Columns[1], b.Columns[0]} {
		if c.InPlace() {
			t.Error("a column of float32 is stored in double precision")
		}
	}
	wantColumn(t, a.Columns[1], 2.5, 4, 6)
	wantColumn(t, b.Columns[0], 1, 2.5, 3, 4, 5, 6)
	if want := []string{"1", "2.5", "3", "4", "5", "6"}; !slices.Equal(b.Schema.Fields[1].Levels,
		want) {
		t.Errorf("categories %v, want %v", b.Schema.Fields[1].Levels, want)
	}
	values[1] = 7
	if b.Columns[0].Number(1) != 7 {
		t.Error("the slice was copied")
	}
}

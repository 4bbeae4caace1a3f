package data

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

// Summaries of a table in blocks are those of the table, but for rounding.
func TestDescribeBlocks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 300).Draw(t, "rows")
		values := []float64{0, math.Copysign(0, -1), 1.5, -2, 1e308, 1.7e308, math.NaN(), math.Inf(1), math.Inf(-1), 0.1, 3}
		x, day, class := make([]float64, n), make([]float64, n), make([]uint32, n)
		for i := range n {
			x[i] = rapid.SampledFrom(values).Draw(t, "x")
			day[i] = rapid.SampledFrom([]float64{math.NaN(), 0, 8.64e10}).Draw(t, "day")
			class[i] = rapid.SampledFrom([]uint32{0, 1, 2, MissingCode, UnseenCode}).Draw(t, "class")
		}
		f, err := NewFrame(Schema{Fields: []Field{{Name: "x", Format: "1234,5"}, {Name: "day", Kind: Date},
			{Name: "c", Kind: Categorical, Levels: []string{"p", "q", "r"}}}}, []Column{Numbers(x), Numbers(day), Codes(class)})
		if err != nil {
			t.Fatal(err)
		}
		got, err := DescribeBlocks(t.Context(), &blocksOf{f, rapid.IntRange(1, n).Draw(t, "block")}, 2)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(Describe(f, 1), got, cmpopts.EquateApprox(1e-12, 0), cmpopts.EquateEmpty()); diff != "" {
			t.Fatal(diff)
		}
	})
}

// The number of different values is exact while there are few, and within some standard errors of
// 0.4 % beyond.
func TestDistinctValues(t *testing.T) {
	for _, n := range []int{1, distinctKept, distinctKept + 1, 1_000_000} {
		var d valueCounter
		for i := range 2 * n {
			d.add(float64(i % n))
		}
		got, estimated := d.count()
		if estimated != (n > distinctKept) || math.Abs(float64(got-n)) > 0.016*float64(n) || !estimated && got != n {
			t.Errorf("%d of %d, estimated %v", got, n, estimated)
		}
	}
}

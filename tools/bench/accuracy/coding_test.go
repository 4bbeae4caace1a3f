//go:build linux

package accuracy

import (
	"math"
	"slices"
	"testing"

	"github.com/coppice-ml/coppice/data"
)

// Numbers are filled with their median, categories with the most frequent, and codes or columns of
// 0 and 1 stand for categories.
func TestCoded(t *testing.T) {
	frame, err := data.NewFrame(
		data.Schema{Fields: []data.Field{{Name: "size"},
			{Name: "colour", Kind: data.Categorical, Levels: []string{"red", "green", "blue"}}}},
		[]data.Column{data.Numbers([]float64{4, math.NaN(), 1, 3, 2}),
			data.Codes([]uint32{2, 1, 1, data.MissingCode, 0})})
	if err != nil {
		t.Fatal(err)
	}
	ds := &data.Dataset{Frame: frame, Target: data.Target{Y: [][]float64{{1, 2, 3, 4, 5}}}}
	size := []float64{4, 2.5, 1, 3, 2}
	for coding, want := range map[string][][]float64{
		asCodes: {size, {2, 1, 1, 1, 0}},
		oneHot:  {size, {0, 0, 0, 0, 1}, {0, 1, 1, 1, 0}, {1, 0, 0, 0, 0}},
	} {
		got, err := coded(ds, coding)
		if err != nil {
			t.Fatal(err)
		}
		if len(got.Columns) != len(want) {
			t.Fatalf("%s: %d columns, want %d", coding, len(got.Columns), len(want))
		}
		for i := range want {
			if !slices.Equal(got.Columns[i].Numbers(), want[i]) {
				t.Errorf("%s, %s: %v, want %v", coding, got.Schema.Fields[i].Name,
					got.Columns[i].Numbers(), want[i])
			}
		}
		if &got.Target.Y[0][0] != &ds.Target.Y[0][0] {
			t.Errorf("%s: the label is another", coding)
		}
	}
}

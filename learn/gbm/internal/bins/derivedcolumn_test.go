package bins_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn/gbm/internal/bins"
)

// A column that a Maker has put in bins is in the matrix as if the frame had it.
func TestMadeColumnsAreThoseOfTheFrame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 300).Draw(t, "rows")
		number := rapid.SampledFrom([]float64{-2, 0, 0.5, 1, 3, 1e9})
		if rapid.Bool().Draw(t, "many values") {
			number = rapid.Float64Range(-5, 5)
		}
		var s data.Schema
		var columns []data.Column
		for _, name := range []string{"a", "b", "c", "d"} {
			s.Fields = append(s.Fields, data.Field{Name: name})
			columns = append(columns, data.Numbers(rapid.SliceOfN(number, n, n).Draw(t, name)))
		}
		f, err := data.NewFrame(s, columns)
		if err != nil {
			t.Fatal(err)
		}
		var rows []int32
		if rapid.Bool().Draw(t, "some rows") {
			rows = data.Distinct(rapid.SliceOfN(rapid.Int32Range(0, int32(n-1)), 1, n).Draw(t, "which"))
		}
		var weight []float64
		if rapid.Bool().Draw(t, "weights") {
			weight = rapid.SliceOfN(rapid.SampledFrom([]float64{0, 0.5, 1, 2}), n, n).Draw(t, "weight")
		}
		o := bins.Options{Bins: rapid.SampledFrom([]int{2, 20, 255, 300}).Draw(t, "bins"), MinInBin: rapid.IntRange(0, 3).Draw(t, "least"),
			Sample: rapid.SampledFrom([]int{0, 50}).Draw(t, "sample"), Seed: 3}
		want, err := bins.Make(t.Context(), f, rows, weight, o, 2)
		if err != nil {
			t.Fatal(err)
		}
		maker, err := bins.NewMaker(f, rows, weight, o, 2)
		if err != nil {
			t.Fatal(err)
		}
		made := []bins.Made{maker.Column(columns[2].Numbers()), maker.Column(columns[3].Numbers())}
		got, err := bins.MakeWith(t.Context(), f.Select([]int{0, 1}), made, rows, weight, o, 2)
		if err != nil {
			t.Fatal(err)
		}
		if d := differs(want, got); d != "" {
			t.Error(d)
		}
		o.Bundle = true
		if got, err = bins.MakeWith(t.Context(), f.Select([]int{0, 1}), made, rows, weight, o, 2); err != nil {
			t.Fatal(err)
		}
		for _, g := range got.Groups {
			if len(g.Columns) > 1 && slices.Max(g.Columns) > 1 {
				t.Errorf("a column that was made is bundled: %v", g.Columns)
			}
		}
	})
}

func TestMakerRefusesWhatMakeRefuses(t *testing.T) {
	f, err := data.NewFrame(data.Schema{Fields: []data.Field{{Name: "a"}}}, []data.Column{data.Numbers([]float64{1, 2})})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name   string
		rows   []int32
		weight []float64
		o      bins.Options
	}{
		{"bins", nil, nil, bins.Options{Bins: 1}},
		{"rows", []int32{1, 0}, nil, bins.Options{}},
		{"weights", nil, []float64{1, -1}, bins.Options{}},
	} {
		_, made := bins.NewMaker(f, c.rows, c.weight, c.o, 1)
		_, matrix := bins.MakeWith(t.Context(), f, nil, c.rows, c.weight, c.o, 1)
		if made == nil || matrix == nil || made.Error() != matrix.Error() {
			t.Errorf("%s: %v, and %v", c.name, made, matrix)
		}
	}
}

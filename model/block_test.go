package model_test

import (
	"errors"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tree"
)

// TestFirstRefused: of all values that policies refuse the error names the first of the first row.
// A walk through the request row by row would name the same, for any number of workers.
func TestFirstRefused(t *testing.T) {
	b := tree.NewBuilder(tree.Scalar, 1, false)
	b.Split(0, tree.Split{Kind: tree.Numeric, Feature: 1})
	grown, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	m := &model.Ensemble{Trees: []*tree.Tree{grown}, Meta: model.Spec{Task: data.Regression, Schema: data.Schema{Fields: []data.Field{
		{Name: "a", Missing: data.Refuse}, {Name: "b", Missing: data.Refuse}, {Name: "c"}, {Name: "d", Missing: data.Refuse}}}}}
	if err := m.Validate(); err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.SampledFrom([]int{1, 64, 65, 200, 1500}).Draw(t, "rows")
		cells := make([][]float64, n)
		for i := range cells {
			cells[i] = make([]float64, 4)
		}
		for range rapid.IntRange(0, 5).Draw(t, "missing") {
			cells[rapid.IntRange(0, n-1).Draw(t, "row")][rapid.IntRange(0, 3).Draw(t, "column")] = math.NaN()
		}
		f, err := data.FromRows(cells, []string{"a", "b", "c", "d"})
		if err != nil {
			t.Fatal(err)
		}
		rows := data.AllRows(n)
		var requested []int32
		if rapid.Bool().Draw(t, "some rows") {
			rows = rapid.SliceOfN(rapid.Int32Range(0, int32(n-1)), 1, 2*n).Draw(t, "rows")
			requested = rows
		}
		var want *model.ValueError
		for _, r := range rows {
			for k, name := range []string{"a", "b", "c", "d"} {
				if want == nil && name != "c" && math.IsNaN(cells[r][k]) {
					want = &model.ValueError{Column: name, Row: int(r), What: "missing value"}
				}
			}
		}
		p, err := m.Bind(&f.Schema, model.Options{Workers: rapid.IntRange(1, 3).Draw(t, "workers")})
		if err != nil {
			t.Fatal(err)
		}
		var got *model.ValueError
		err = p.Predict(make([]float64, len(rows)), f, requested)
		if errors.As(err, &got); (got == nil) != (want == nil) || got != nil && *got != *want {
			t.Fatalf("error %v, want %v", err, want)
		}
	})
}

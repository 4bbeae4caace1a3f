// Package modeltest predicts, for the tests of all packages that have models.
package modeltest

import (
	"math"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/model"
)

// TB is what prediction needs of a test: testing.TB and rapid.TB have it.
type TB interface {
	Helper()
	Fatal(args ...any)
	Fatalf(format string, args ...any)
}

// Predict returns an output of a model for rows of a table, nil = all, one row after the other.
func Predict(t TB, m model.Model, f *data.Frame, o model.Options, rows []int32) []float64 {
	t.Helper()
	p, err := m.Bind(&f.Schema, o)
	if err != nil {
		t.Fatal(err)
	}
	dst := make([]float64, len(f.Chosen(rows))*p.Width())
	if err := p.Predict(dst, f, rows); err != nil {
		t.Fatal(err)
	}
	return dst
}

// PredictBoth is Predict, and checks that each row alone gives the same, dense and sparse.
func PredictBoth(t TB, m model.Model, f *data.Frame, o model.Options, rows []int32) []float64 {
	t.Helper()
	dst := Predict(t, m, f, o, rows)
	p, err := m.Bind(&f.Schema, o)
	if err != nil {
		t.Fatal(err)
	}
	w := p.Width()
	alone, row := make([]float64, w), make([]float64, len(f.Columns))
	absent := m.Spec().Schema.AbsentValues
	for i, r := range f.Chosen(rows) {
		for k := range f.Columns {
			row[k] = value(&f.Columns[k], r)
		}
		if err := p.PredictRow(alone, row); err != nil {
			t.Fatal(err)
		}
		if in := dst[i*w : (i+1)*w]; !slices.Equal(alone, in) {
			t.Fatalf("row %d alone: %v, in the table: %v", r, alone, in)
		}
		var index []int32
		var values []float64
		for k := len(row) - 1; k >= 0; k-- {
			usual := model.AbsentValue(&f.Schema.Fields[k], absent)
			if x := row[k]; x != usual && (x == x || usual == usual) {
				index, values = append(index, int32(k)), append(values, x)
			}
		}
		if err := p.PredictSparse(alone, index, values); err != nil {
			t.Fatal(err)
		}
		if in := dst[i*w : (i+1)*w]; !slices.Equal(alone, in) {
			t.Fatalf("sparse row %d alone: %v, in the table: %v", r, alone, in)
		}
	}
	return dst
}

// value returns a value of a column as PredictRow takes it.
func value(c *data.Column, row int32) float64 {
	switch {
	case c.Codes() == nil:
		return c.Number(int(row))
	case c.Code(int(row)) == data.MissingCode:
		return math.NaN()
	case c.Code(int(row)) == data.UnseenCode:
		return -1
	}
	return float64(c.Code(int(row)))
}

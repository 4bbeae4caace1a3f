package data_test

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/data"
)

var nan = math.NaN()

// column is what a test expects of a column of a frame.
type column struct {
	Name   string
	Num    []float64
	Code   []uint32
	Levels []string
}

func columnsOf(f *data.Frame) []column {
	var columns []column
	for i, field := range f.Schema.Fields {
		columns = append(columns, column{field.Name, f.Columns[i].Numbers(), f.Columns[i].Codes(),
			field.Levels})
	}
	return columns
}

func wantColumns(t *testing.T, f *data.Frame, want ...column) {
	t.Helper()
	if diff := cmp.Diff(want, columnsOf(f), cmpopts.EquateNaNs(),
		cmpopts.EquateEmpty()); diff != "" {
		t.Error("columns (-want +got)\n" + diff)
	}
}

func TestFromRows(t *testing.T) {
	f := must(data.FromRows([][]float64{{1, nan}, {math.Inf(1), 4}, {5, 6}}, nil))(t)
	wantColumns(t, f,
		column{Name: "f0", Num: []float64{1, math.Inf(1), 5}},
		column{Name: "f1", Num: []float64{nan, 4, 6}})
	f = must(data.FromRows(nil, []string{"a", "b"}))(t)
	wantColumns(t, f, column{Name: "a"}, column{Name: "b"})
	_, err := data.FromRows([][]float64{{1, 2}, {3}}, nil)
	wantError(t, err, "row 2 has 1 values, want 2")
	_, err = data.FromRows([][]float64{{1, 2}}, []string{"a"})
	wantError(t, err, "row 1 has 2 values, want 1")
	_, err = data.FromRows([][]float64{{1, 2}}, []string{"a", "a"})
	wantError(t, err, `two columns are called "a"`)
}

func TestFromMatrixTakesGonum(t *testing.T) {
	m := mat.NewDense(2, 3, []float64{1, 2, 3, 4, nan, 6})
	f := must(data.FromMatrix(m, []string{"a", "b", "c"}))(t)
	wantColumns(t, f,
		column{Name: "a", Num: []float64{1, 4}},
		column{Name: "b", Num: []float64{2, nan}},
		column{Name: "c", Num: []float64{3, 6}})
	f = must(data.FromMatrix(m.T(), nil))(t)
	wantColumns(t, f,
		column{Name: "f0", Num: []float64{1, 2, 3}},
		column{Name: "f1", Num: []float64{4, nan, 6}})
	_, err := data.FromMatrix(m, []string{"a"})
	wantError(t, err, "1 names for 3 columns")
}

func TestFromColumns(t *testing.T) {
	type celsius float32
	type code int16
	seven := 7
	f := must(data.FromColumns(
		data.NamedColumn{Name: "float", Values: []float64{1, nan, 3}},
		data.NamedColumn{Name: "single", Values: []celsius{0.5, 1, -2}},
		data.NamedColumn{Name: "int", Values: []int8{-1, 0, 1}},
		data.NamedColumn{Name: "uint", Values: []uint64{1 << 53, 0, 1}},
		data.NamedColumn{Name: "pointer", Values: []*int{nil, &seven, nil}},
		data.NamedColumn{Name: "text", Values: []string{" b ", "", "a"}},
		data.NamedColumn{Name: "bool", Values: []bool{true, false, true}},
		data.NamedColumn{Name: "code", Values: []code{10, -9, 10}, Categorical: true},
		data.NamedColumn{Name: "fraction", Values: []float32{0.1, float32(math.NaN()), 1e6},
			Categorical: true},
		data.NamedColumn{Name: "level", Values: []float64{2, nan, 1.5}, Categorical: true},
		data.NamedColumn{Name: "pin", Values: []*int{&seven, nil, &seven}, Categorical: true},
	))(t)
	const none = data.MissingCode
	wantColumns(t, f,
		column{Name: "float", Num: []float64{1, nan, 3}},
		column{Name: "single", Num: []float64{0.5, 1, -2}},
		column{Name: "int", Num: []float64{-1, 0, 1}},
		column{Name: "uint", Num: []float64{1 << 53, 0, 1}},
		column{Name: "pointer", Num: []float64{nan, 7, nan}},
		column{Name: "text", Code: []uint32{1, none, 0}, Levels: []string{"a", "b"}},
		column{Name: "bool", Code: []uint32{1, 0, 1}, Levels: []string{"false", "true"}},
		column{Name: "code", Code: []uint32{1, 0, 1}, Levels: []string{"-9", "10"}},
		column{Name: "fraction", Code: []uint32{0, none, 1}, Levels: []string{"0.1", "1000000"}},
		column{Name: "level", Code: []uint32{1, none, 0}, Levels: []string{"1.5", "2"}},
		column{Name: "pin", Code: []uint32{0, none, 0}, Levels: []string{"7"}})
}

func TestFromColumnsRefuses(t *testing.T) {
	for _, c := range []struct {
		values any
		want   string
	}{
		{3.5, `column "x": want a slice, got float64`},
		{nil, `column "x": want a slice, got <nil>`},
		{[]complex128{1}, `column "x": cannot use values of type complex128`},
		{[][]float64{{1}}, `column "x": cannot use values of type []float64`},
		{[]**int{nil}, `column "x": cannot use values of type **int`},
		{[]any{1}, `column "x": cannot use values of type interface {}`},
	} {
		_, err := data.FromColumns(data.NamedColumn{Name: "x", Values: c.values})
		wantError(t, err, c.want)
	}
	_, err := data.FromColumns(data.NamedColumn{Name: "x", Values: []int{1}},
		data.NamedColumn{Name: "y", Values: []int{1, 2}})
	wantError(t, err, `column "y" has 2 rows, the first column has 1`)
}

// The dictionary has each text once, in order, and decoding the column gives the texts back,
// whatever their order.
func TestDictionaryRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		texts := rapid.SliceOf(rapid.SampledFrom([]string{"", "a", "b", "B", "é", "10",
			"9"})).Draw(t, "texts")
		f, err := data.FromColumns(data.NamedColumn{Name: "x", Values: texts})
		if err != nil {
			t.Fatal(err)
		}
		levels := f.Schema.Fields[0].Levels
		for i := 1; i < len(levels); i++ {
			if levels[i-1] >= levels[i] {
				t.Fatalf("levels %q are not sorted", levels)
			}
		}
		for row, code := range f.Columns[0].Codes() {
			if code == data.MissingCode != (texts[row] == "") {
				t.Fatalf("row %d: code %d for %q", row, code, texts[row])
			}
			if code != data.MissingCode && levels[code] != texts[row] {
				t.Fatalf("row %d: %q became %q", row, texts[row], levels[code])
			}
		}
	})
}

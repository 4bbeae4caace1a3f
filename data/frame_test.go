package data_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/coppice-ml/coppice/data"
)

// wantError fails unless err has all the texts in it and is one line.
func wantError(t *testing.T, err error, parts ...string) {
	t.Helper()
	if err == nil {
		t.Fatalf("no error, want one with %q", parts)
	}
	for _, part := range parts {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("error %q does not contain %q", err, part)
		}
	}
	if strings.Contains(err.Error(), "\n") {
		t.Errorf("error %q has several lines", err)
	}
}

// must returns v of a call that may not fail.
func must[T any](v T, err error) func(*testing.T) T {
	return func(t *testing.T) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

func TestNewFrameRefuses(t *testing.T) {
	num := func(v ...float64) data.Column { return data.Numbers(v) }
	code := func(v ...uint32) data.Column { return data.Codes(v) }
	field := func(name string, kind data.Kind, levels ...string) data.Field {
		return data.Field{Name: name, Kind: kind, Levels: levels}
	}
	for _, c := range []struct {
		fields  []data.Field
		columns []data.Column
		want    string
	}{
		{[]data.Field{field("a", data.Numeric)}, nil, "0 columns for 1 fields"},
		{[]data.Field{field("", data.Numeric)}, []data.Column{num(1)}, "column 1 has no name"},
		{[]data.Field{field("a", data.Numeric), field("a", data.Numeric)}, []data.Column{num(1), num(1)}, `two columns are called "a"`},
		{[]data.Field{field("a", data.Numeric), field("b", data.Numeric)}, []data.Column{num(1, 2), num(1)}, `column "b" has 1 rows, the first column has 2`},
		{[]data.Field{field("a", data.Numeric)}, []data.Column{code(0)}, `column "a" is numeric and holds codes`},
		{[]data.Field{field("a", data.Categorical, "x")}, []data.Column{num(0)}, `column "a" is categorical and holds numbers`},
		{[]data.Field{field("a", data.Categorical, "x")}, []data.Column{code(0, 1)}, `column "a", row 1: code 1 is outside its dictionary of 1 levels`},
		{[]data.Field{field("a", data.Categorical, "x", "x")}, []data.Column{code(0)}, `column "a" has level "x" twice`},
		{[]data.Field{field("a", data.Categorical, "b", "a", "b")}, []data.Column{code(0)}, `column "a" has level "b" twice`},
		{[]data.Field{field("a", data.Numeric, "x")}, []data.Column{num(0)}, `column "a" is numeric and has levels`},
	} {
		_, err := data.NewFrame(data.Schema{Fields: c.fields}, c.columns)
		wantError(t, err, c.want)
	}
}

func TestSubsetKeepsValuesAndPlaces(t *testing.T) {
	f := must(data.FromColumns(
		data.NamedColumn{Name: "x", Values: []float64{10, 11, 12, 13, 14}},
		data.NamedColumn{Name: "c", Values: []string{"b", "a", "", "b", "a"}},
	))(t)
	f.Origin = &data.Origin{Files: []string{"one.csv", "empty.csv", "two.csv"},
		First: []int32{0, 3, 3}, Skip: 2}
	g := f.Subset([]int32{4, 0, 2, 3, 3})
	if diff := cmp.Diff([]float64{14, 10, 12, 13, 13}, g.Columns[0].Numbers()); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]uint32{0, 1, data.MissingCode, 1, 1}, g.Columns[1].Codes()); diff != "" {
		t.Error(diff)
	}
	places := func(f *data.Frame) (s []string) {
		for row := range f.Rows() {
			s = append(s, f.Locate(row))
		}
		return s
	}
	if diff := cmp.Diff([]string{"two.csv:3", "one.csv:2", "one.csv:4", "two.csv:2", "two.csv:2"},
		places(g)); diff != "" {
		t.Error(diff)
	}
	h := g.Subset([]int32{1, 0})
	if diff := cmp.Diff([]string{"one.csv:2", "two.csv:3"}, places(h)); diff != "" {
		t.Error(diff)
	}
	if !g.IsMissing(2, 1) || g.IsMissing(2, 0) {
		t.Error("the wrong values are missing")
	}
	f.Origin = nil
	if got := f.Subset([]int32{2}).Locate(0); got != "row 1" {
		t.Errorf("without an origin the row is called %q", got)
	}
}

func TestLocateByLine(t *testing.T) {
	f := must(data.FromRows([][]float64{{1}, {2}, {3}}, nil))(t)
	f.Origin = &data.Origin{Files: []string{"a.csv", "b.csv"}, First: []int32{0, 2},
		Line: []int32{2, 5, 2}}
	for row, want := range []string{"a.csv:2", "a.csv:5", "b.csv:2"} {
		if got := f.Locate(row); got != want {
			t.Errorf("row %d is at %q, want %q", row, got, want)
		}
	}
}

func TestColumnEqual(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		a, b data.Column
		want bool
	}{
		{data.Numbers([]float64{1, nan}), data.Numbers([]float64{1, nan}), true},
		{data.Numbers([]float64{1, nan}), data.Numbers([]float64{1, 2}), false},
		{data.Numbers([]float64{1}), data.Numbers([]float64{1, 1}), false},
		{data.Codes([]uint32{0, 2}), data.Codes([]uint32{0, 2}), true},
		{data.Codes([]uint32{0, 2}), data.Codes([]uint32{0, 1}), false},
		{data.Codes([]uint32{1}), data.Numbers([]float64{1}), false},
	} {
		if c.a.Equal(c.b) != c.want {
			t.Errorf("%v and %v: equal is not %v", c.a, c.b, c.want)
		}
	}
}

// Rows that ascend are not copied; others are put in order.
func TestInOrder(t *testing.T) {
	rows := []int32{1, 4, 9}
	if got := data.InOrder(rows); &got[0] != &rows[0] || len(got) != 3 {
		t.Errorf("%v was copied to %v", rows, got)
	}
	for _, rows := range [][]int32{{4, 1, 9, 4}, {1, 4, 4, 9}} {
		if got := data.InOrder(rows); !slices.Equal(got, []int32{1, 4, 9}) {
			t.Errorf("%v is in the order %v", rows, got)
		}
	}
	if data.InOrder(nil) != nil {
		t.Error("all rows became some")
	}
}

package data_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/coppice-ml/coppice/data"
)

// fromFile is a table with a numeric column x and a categorical column c, read from a file of that
// name.
func fromFile(t *testing.T, file string, x []float64, levels []string, c []uint32) *data.Frame {
	t.Helper()
	f := must(data.NewFrame(data.Schema{Fields: []data.Field{
		{Name: "x"}, {Name: "c", Kind: data.Categorical, Levels: levels, Unseen: data.Refuse},
	}}, []data.Column{data.Numbers(x), data.Codes(c)}))(t)
	f.Origin = &data.Origin{Files: []string{file}, First: []int32{0}, Skip: 2}
	return f
}

func TestConcat(t *testing.T) {
	a := fromFile(t, "a.csv", []float64{1, 2}, []string{"p", "q"}, []uint32{0, 1})
	b := fromFile(t, "b.csv", []float64{3, 4, 5, 6}, []string{"q", "r"},
		[]uint32{1, 0, data.MissingCode, data.UnseenCode})
	b = b.Select([]int{1, 0}) // the order of columns is a's
	f := must(data.Concat(a, b))(t)
	if diff := cmp.Diff([]string{"x", "c"}, f.Schema.Names()); diff != "" {
		t.Errorf("columns (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]float64{1, 2, 3, 4, 5, 6}, f.Columns[0].Numbers()); diff != "" {
		t.Errorf("numbers (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"p", "q", "r"}, f.Schema.Fields[1].Levels); diff != "" {
		t.Errorf("levels (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]uint32{0, 1, 2, 1, data.MissingCode, data.UnseenCode},
		f.Columns[1].Codes()); diff != "" {
		t.Errorf("codes (-want +got):\n%s", diff)
	}
	if f.Schema.Fields[1].Unseen != data.Refuse {
		t.Error("the policy of the first table is lost")
	}
	if f.Rows() != 6 {
		t.Errorf("%d rows, want 6", f.Rows())
	}
	for row, want := range []string{"a.csv:2", "a.csv:3", "b.csv:2", "b.csv:3", "b.csv:4",
		"b.csv:5"} {
		if got := f.Locate(row); got != want {
			t.Errorf("row %d is %s, want %s", row, got, want)
		}
	}
	if diff := cmp.Diff([]string{"p", "q"}, a.Schema.Fields[1].Levels); diff != "" {
		t.Errorf("the first table changed (-want +got):\n%s", diff)
	}
}

// The lines of two tables stay distinct, however each table stores them.
func TestConcatKeepsLines(t *testing.T) {
	a := fromFile(t, "a.csv", []float64{1, 2}, []string{"p"}, []uint32{0, 0})
	b := fromFile(t, "b.csv", []float64{3, 4, 5}, []string{"p"},
		[]uint32{0, 0, 0}).Subset([]int32{2, 0})
	f := must(data.Concat(must(data.Concat(a, b))(t), a))(t)
	for row, want := range []string{"a.csv:2", "a.csv:3", "b.csv:4", "b.csv:2", "a.csv:2",
		"a.csv:3"} {
		if got := f.Locate(row); got != want {
			t.Errorf("row %d is %s, want %s", row, got, want)
		}
	}
	a.Origin = nil
	f = must(data.Concat(a, b))(t)
	if got := f.Locate(3); got != "row 4" {
		t.Errorf("without an origin row 3 is %s, want row 4", got)
	}
}

func TestConcatRefuses(t *testing.T) {
	a := fromFile(t, "a.csv", []float64{1}, []string{"p"}, []uint32{0})
	b := fromFile(t, "b.csv", []float64{1}, []string{"p"}, []uint32{0})
	_, err := data.Concat(a, b.Select([]int{0}))
	wantError(t, err, `b.csv: there is no column "c"`)
	a.Schema.Fields[0].Name, b.Schema.Fields[0].Name = "width", "widht"
	_, err = data.Concat(a, b)
	wantError(t, err, `b.csv: there is no column "width"; did you mean "widht"?`)
	b.Schema.Fields[0] = data.Field{Name: "width", Kind: data.Categorical, Levels: []string{"p"}}
	b.Columns[0] = data.Codes([]uint32{0})
	_, err = data.Concat(a, b)
	wantError(t, err, `b.csv: column "width" is categorical, in the table before it it is numeric`)
}

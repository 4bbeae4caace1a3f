package data_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/data"
)

// The columns of texts that some rows choose, with their names, are those of a table of these rows
// alone, whatever the others hold.
func TestFitTexts(t *testing.T) {
	words := rapid.SampledFrom(strings.Fields("ax bee cow dog eel fox gnu hen ibis jay kea lynx"))
	rapid.Check(t, func(r *rapid.T) {
		texts := rapid.SliceOfN(rapid.Custom(func(r *rapid.T) string {
			return strings.Join(rapid.SliceOfN(words, 0, 4).Draw(r, "words"), " ")
		}), 1, 40).Draw(r, "texts")
		rows := rapid.SliceOfNDistinct(rapid.Int32Range(0, int32(len(texts)-1)), 1, -1,
			rapid.ID[int32]).Draw(r, "rows")
		slices.Sort(rows)
		raw := texted(t, "min_rows=2 buckets=16", texts...)
		all := must(data.Roles{}.Apply(raw))(t)
		own := *all
		own.Frame = all.FitTexts(append(rows, rows...), nil) // a row that repeats is one
		got := own.NameTexts(rows, raw)
		want := must(data.Expand(raw.Subset(rows), nil))(t)
		if diff := cmp.Diff(want.Schema, got.Schema); diff != "" {
			r.Fatalf("rows %v of %q: %s", rows, texts, diff)
		}
		for i := range want.Columns {
			for k, row := range rows {
				if a, b := want.Columns[i].Number(k), got.Columns[i].Number(int(row)); a != b {
					r.Fatalf("%s, row %d: %v, want %v", want.Schema.Fields[i].Name, row, b, a)
				}
			}
		}
		if again := got.FitTexts(rows, nil); again != got.Frame {
			r.Fatal("columns that fit are chosen again")
		}
	})
}

// A schema decides in place of the rows, and rows that the table does not have leave it as it is.
func TestFitTextsLike(t *testing.T) {
	f := must(data.Expand(texted(t, "min_rows=2", "ax bee", "ax", "bee", "cow", "cow"), nil))(t)
	few := f.FitTexts([]int32{0, 1, 3}, nil)
	if got := few.Schema.Names(); !slices.Equal(got, []string{"t.words", "t~ax"}) {
		t.Errorf("columns %q", got)
	}
	if got := f.FitTexts(nil, &few.Schema); !slices.Equal(got.Schema.Names(), few.Schema.Names()) {
		t.Errorf("columns %q, want those of the schema", got.Schema.Names())
	}
	if f.FitTexts(nil, nil) != f || f.FitTexts([]int32{9}, nil) != f {
		t.Error("all columns stay, and the table is another one")
	}
}

// Names are by rows of the table that has the texts, of which a data set may lack some.
func TestNameTexts(t *testing.T) {
	format := must(data.NewTextFormat("min_rows=1", "words=0", "chars=3", "buckets=2"))(t)
	label, texts := []string{"", "n", "y", "y"}, []string{"zoo", "abc", "abc", "xyz"}
	raw := must(data.FromColumns(data.NamedColumn{Name: "y", Values: label},
		data.NamedColumn{Name: "t", Values: texts}))(t)
	ds := must(data.Roles{Label: "y", DropUnlabeled: true,
		Texts: map[string]data.TextFormat{"t": format}}.Apply(raw))(t)
	names := func(ds *data.Dataset) string { return strings.Join(ds.Schema.Names(), " ") }
	few := ds.NameTexts([]int32{2}, raw)
	alone := must(data.Expand(texted(t, "min_rows=1 words=0 chars=3 buckets=2", "xyz"), nil))(t)
	if got, want := names(few), strings.Join(alone.Schema.Names(), " "); got != want {
		t.Errorf("columns %s, want %s", got, want)
	}
	if got := names(few.NameTexts(nil, raw)); got != names(ds) || got == names(few) {
		t.Errorf("columns %s, want %s", got, names(ds))
	}
	if got := names(few.NameTexts(nil, ds.Frame)); got != names(few) {
		t.Errorf("without the texts the columns are %s, want %s", got, names(few))
	}
}

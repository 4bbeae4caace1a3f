package data_test

import (
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/data"
)

// texted makes a table of one column of texts; "-" is a missing one.
func texted(t *testing.T, settings string, texts ...string) *data.Frame {
	t.Helper()
	values := make([]*string, len(texts))
	for i := range texts {
		if texts[i] != "-" {
			values[i] = &texts[i]
		}
	}
	f := must(data.FromColumns(data.NamedColumn{Name: "t", Values: values, Text: true}))(t)
	f.Schema.Fields[0].Format = must(data.NewTextFormat(strings.Fields(settings)...))(t).Code()
	return f
}

// Words are counted by n-gram; a missing text has no number of words, and an empty one has 0.
// The hash is part of model files, so the buckets are frozen.
func TestExpandTexts(t *testing.T) {
	f := texted(t, "min_rows=1 words=2", "Not good.", "good, GOOD don't", "", "-")
	g := must(data.Expand(f, nil))(t)
	nan := math.NaN()
	want := map[string][]float64{
		"t.words":      {2, 3, 0, nan},
		"t~not":        {1, 0, 0, 0},
		"t~good":       {1, 2, 0, 0},
		"t~not good":   {1, 0, 0, 0},
		"t~good good":  {0, 1, 0, 0},
		"t~don't":      {0, 1, 0, 0},
		"t~good don't": {0, 1, 0, 0},
	}
	if len(g.Columns) != len(want) {
		t.Errorf("columns %q", g.Schema.Names())
	}
	for i := range g.Columns {
		field := &g.Schema.Fields[i]
		if c := data.Numbers(want[field.Name]); !c.Equal(g.Columns[i]) {
			t.Errorf("%s is %v, want %v", field.Name, g.Columns[i].Numbers(), want[field.Name])
		}
	}
	if got := g.Schema.Fields[g.Schema.Index("t~not good")].Text.Bucket; got != frozenBucket {
		t.Errorf("the bucket of \"not good\" is %d, and models expect %d", got, frozenBucket)
	}
}

const frozenBucket = 1368

// N-grams of characters have the ends of words.
func TestCharacterGrams(t *testing.T) {
	g := must(data.Expand(texted(t, "min_rows=1 words=0 chars=3", "Gräs"), nil))(t)
	for _, name := range []string{"t~gr*", "t~*grä*", "t~*räs*", "t~*äs"} {
		if g.Schema.Index(name) < 0 {
			t.Errorf("no column %s in %q", name, g.Schema.Names())
		}
	}
}

// The same text has the same columns in any table that is expanded for the same schema.
func TestTextsExpandAlike(t *testing.T) {
	words := rapid.SampledFrom([]string{"ax", "Bee", "cow", "d'or", "é", "42", "!", "", "\xff",
		"’", "a’", "İx", "e\u0301", "\x00", strings.Repeat("long", 99)})
	rapid.Check(t, func(r *rapid.T) {
		texts := rapid.SliceOfN(rapid.Custom(func(r *rapid.T) string {
			return strings.Join(rapid.SliceOfN(words, 0, 6).Draw(r, "words"), " ")
		}), 1, 30).Draw(r, "texts")
		f := texted(t, "min_rows=1 words=2 chars=4 buckets=64", texts...)
		g, err := data.Expand(f, nil)
		if err != nil {
			r.Fatal(err)
		}
		rows := rapid.SliceOfN(rapid.Int32Range(0, int32(len(texts)-1)), 1, 9).Draw(r, "rows")
		few, err := data.Expand(f.Subset(rows), &g.Schema)
		if err != nil {
			r.Fatal(err)
		}
		some := data.ExpandTexts(f, &g.Schema, rows)
		write := data.TextWriter(g.Schema.Fields)
		one := make([]float64, len(g.Columns))
		for k, row := range rows {
			write(one, texts[row], true)
			for i := range g.Columns {
				want := g.Columns[i].Number(int(row))
				if a, b := few.Columns[i].Number(k), some.Columns[i].Number(int(row)); a != want ||
					b != want || one[i] != want {
					r.Fatalf("%q in %s: %v, %v and %v, want %v", texts[row],
						g.Schema.Fields[i].Name, a, b, one[i], want)
				}
			}
		}
	})
}

func TestTextsRefused(t *testing.T) {
	f := must(data.FromColumns(data.NamedColumn{Name: "n", Values: []float64{1, 2}},
		data.NamedColumn{Name: "t~ax", Values: []float64{1, 2}},
		data.NamedColumn{Name: "t", Values: []string{"ax", "ax"}}))(t)
	format := must(data.NewTextFormat("min_rows=1"))(t)
	_, err := data.Roles{Texts: map[string]data.TextFormat{"n": format}}.Apply(f)
	wantError(t, err, `column "n" is numeric, want texts`)
	_, err = data.Roles{Texts: map[string]data.TextFormat{"t": format}}.Apply(f)
	wantError(t, err, `texts of column "t" become a column "t~ax", and there is such a column`)
	_, err = data.NewTextFormat("words=0")
	wantError(t, err, "leave no n-grams")
	_, err = data.NewTextFormat("buckets=70000")
	wantError(t, err, "want an integer >= 2 and <= 65536")
}

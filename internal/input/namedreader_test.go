package input

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/data"
)

// namedSchema has a column of each kind, as a model stores them.
func namedSchema(t *testing.T) (*data.Schema, *data.Frame) {
	f, err := data.FromStructs([]struct {
		Size  float64
		Plan  string
		Codes int    `coppice:",categorical"`
		Note  string `coppice:",text"`
		Day   string
		Fresh bool
	}{{1, "basic", 7, "a plain note", "2024-01-31", true}, {2, "plus", 8, "plain plain", "2024-03-01", false}})
	if err != nil {
		t.Fatal(err)
	}
	day := f.Schema.Index("Day")
	f.Schema.Fields[day] = data.Field{Name: "Day", Kind: data.Date, Format: "dmy"}
	f.Columns[day] = data.Numbers([]float64{0, 86400e6})
	made, err := data.Expand(f, nil)
	if err != nil {
		t.Fatal(err)
	}
	made.Schema.Tokens = []string{"", "none"}
	return &made.Schema, f
}

func TestNamedReaderReadsEachKind(t *testing.T) {
	s, _ := namedSchema(t)
	r := NewNamedReader(s)
	if _, absent := s.Absent(r.Schema()); absent {
		t.Fatalf("%v lacks a column of %v", r.Schema().Names(), s.Names())
	}
	row := make([]float64, len(r.Schema().Fields))
	at := func(name string) float64 { return row[r.Schema().Index(name)] }
	for _, c := range []struct {
		column string
		value  any
		place  string // in the row, if it is another
		want   float64
		err    string
	}{
		{"Size", 2.5, "", 2.5, ""},
		{"Size", "2.5", "", 2.5, ""},
		{"Size", true, "", 1, ""},
		{"Size", "none", "", math.NaN(), ""},
		{"Size", "  ", "", math.NaN(), ""},
		{"Size", "big", "", 0, `want a number, not "big"`},
		{"Size", strings.Repeat("é", 30), "", 0, `want a number, not "éééééééééééééééééééé..."`},
		{"Plan", "plus", "", 1, ""},
		{"Plan", " plus ", "", 1, ""},
		{"Plan", "gold", "", -1, ""},
		{"Plan", "", "", math.NaN(), ""},
		{"Plan", 3.0, "", -1, ""},
		{"Codes", 8.0, "", 1, ""},
		{"Codes", "8.0", "", 1, ""},
		{"Codes", math.NaN(), "", math.NaN(), ""},
		{"Fresh", true, "", 1, ""},
		{"Fresh", "FALSE", "", 0, ""},
		{"Day", "02/01/1970", "", 86400e6, ""},
		{"Day", "1970-01-02T00:00:01Z", "", 86401e6, ""},
		{"Day", "01/13/1970", "", 0, `want a date such as "2024-01-31" or "2024-01-31T17:05:09Z", not "01/13/1970"`},
		{"Day", 5.0, "", 0, `want a date such as "2024-01-31" or "2024-01-31T17:05:09Z", not the number 5`},
		{"Day", false, "", 0, `want a date such as "2024-01-31" or "2024-01-31T17:05:09Z", not false`},
		{"Note", "one two three", "Note:words", 3, ""},
		{"Note", "", "Note:words", 0, ""},
		{"Note", 5.0, "", 0, "want a text, not the number 5"},
	} {
		column, err := r.Index([]byte(c.column)), error(nil)
		switch v := c.value.(type) {
		case float64:
			err = r.Number(row, column, v)
		case bool:
			err = r.Truth(row, column, v)
		case string:
			err = r.Text(row, column, []byte(v))
		}
		if err != nil || c.err != "" {
			if err == nil || err.Error() != c.err {
				t.Errorf("%s = %#v: %v, want %s", c.column, c.value, err, c.err)
			}
			continue
		}
		place := c.place
		if place == "" {
			place = c.column
		} else {
			place = textWords(r.Schema(), c.column)
		}
		if got := at(place); got != c.want && !(math.IsNaN(got) && math.IsNaN(c.want)) {
			t.Errorf("%s = %#v is %v, want %v", c.column, c.value, got, c.want)
		}
	}
	if r.Index([]byte("other")) != -1 {
		t.Error("a column of another name has a place")
	}
}

// textWords returns the name of the field with the words of a text.
func textWords(s *data.Schema, source string) string {
	i := slices.IndexFunc(s.Fields, func(f data.Field) bool {
		return f.Text != nil && f.Text.Source == source && f.Text.Bucket == data.WordCount
	})
	return s.Fields[i].Name
}

func TestNamedReaderMissing(t *testing.T) {
	s, _ := namedSchema(t)
	r := NewNamedReader(s)
	row := slices.Repeat([]float64{5}, len(r.Schema().Fields))
	for i := range r.Columns() {
		r.Missing(row, i)
	}
	words := r.Schema().Index(textWords(s, "Note"))
	for i, v := range row {
		if f := &r.Schema().Fields[i]; f.Text != nil && i != words {
			if v != 0 {
				t.Errorf("%s of a missing text is %v", f.Name, v)
			}
		} else if !math.IsNaN(v) {
			t.Errorf("%s is %v, not missing", f.Name, v)
		}
	}
}

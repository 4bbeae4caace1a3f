package csvdata

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/tabletest"
)

// oneColumn writes texts as a CSV of one column.
func oneColumn(texts ...string) string {
	var b strings.Builder
	b.WriteString("a\n")
	for _, text := range texts {
		fmt.Fprintf(&b, "\"%s\"\n", text)
	}
	return b.String()
}

// repeat returns a text so many times, with others behind.
func repeat(n int, text string, behind ...string) []string {
	return append(slices.Repeat([]string{text}, n), behind...)
}

// TestNumbersOfPeople: what the texts of a column of inferred kind are, and the note of it.
func TestNumbersOfPeople(t *testing.T) {
	for _, c := range []struct {
		name    string
		texts   []string
		options data.ReadOptions
		want    string // the numbers; "" for a categorical column
		format  string
		note    string // a part of it
	}{
		{name: "thousands", texts: []string{"950", "1,234,567.89", "1,007"}, want: "950 1.23456789e+06 1007", format: "1,234.5",
			note: `column "a" is numeric, written as 1,234.5: "1,234,567.89" at t.csv:3 is 1234567.89 (data.ReadOptions.Categorical a keeps the texts)`},
		{name: "points between thousands", texts: []string{"1.234.567,89", "2.5e3", "1.007"}, note: `"1.234.567,89" at t.csv:2`},
		{name: "points between thousands, decimal comma", texts: []string{"1.234.567,89", "1.007"}, want: "1.23456789e+06 1007", format: "1.234,5"},
		{name: "points between thousands alone", texts: []string{"1.234.567", "1.007"}, want: "1.234567e+06 1007", format: "1.234,5"},
		{name: "blanks", texts: []string{"12 345", "1\u202f007,5", "1\u00a0000"}, want: "12345 1007.5 1000", format: "1 234,5"},
		{name: "apostrophes", texts: []string{"12'345.5", "1\u2019007"}, want: "12345.5 1007", format: "1'234.5"},
		{name: "decimal comma", texts: []string{"3,14", "2", "NA", "1,007"}, want: "3.14 2 - 1.007", format: "1234,5"},
		{name: "a zero before a comma is no group", texts: []string{"0,125", "0,375"}, want: "0.125 0.375", format: "1234,5"},
		{name: "currency", texts: []string{"$950", "$1550.62", "?"}, want: "950 1550.62 -", format: "$1234.5"},
		{name: "currency and thousands", texts: []string{"$950", "$1,550.62", "-$3", "($4.10)"}, want: "950 1550.62 -3 -4.1", format: "$1,234.5"},
		{name: "currency behind", texts: []string{"12 €", "1.550,62 €"}, want: "12 1550.62", format: "1.234,5 €"},
		{name: "percent", texts: []string{"32%", "0.5 %", "-7%"}, want: "32 0.5 -7", format: "1234.5%"},
		{name: "two currencies", texts: []string{"$5", "€5"}, note: `column "a" is categorical: "$5" at t.csv:2`},
		{name: "percent and none", texts: []string{"32%", "0.32"}, note: `column "a" is categorical: "32%" at t.csv:2`},
		{name: "a name among them", texts: []string{"$5", "$6", "free"}, note: `column "a" is categorical: "$5" at t.csv:2`},
		{name: "two decimal marks", texts: []string{"1,5", "1.5"}, note: `column "a" is categorical: "1,5" at t.csv:2`},

		{name: "comma of either use", texts: []string{"950", "1,007"}, note: `column "a" is categorical: "1,007" at t.csv:3 may be 1007 or 1.007 (data.ReadOptions.Thousands , or data.ReadOptions.Decimal , decides)`},
		{name: "point of either use", texts: []string{"1.007 €"}, note: `"1.007 €" at t.csv:2 may be 1007 or 1.007 (data.ReadOptions.Thousands . or data.ReadOptions.Decimal . decides)`},
		{name: "a point alone is decimal", texts: []string{"1.007", "2.345"}, want: "1.007 2.345"},
		{name: "comma is declared decimal", texts: []string{"950", "1,007"}, options: data.ReadOptions{Decimal: ','}, want: "950 1.007", format: "1234,5"},
		{name: "comma is declared a separator", texts: []string{"950", "1,007"}, options: data.ReadOptions{Thousands: ','}, want: "950 1007", format: "1,234.5"},
		{name: "point is declared a separator", texts: []string{"1.007 €", "5"}, options: data.ReadOptions{Thousands: '.'}, want: "1007 5", format: "1.234,5 €"},
		{name: "a point is none of the marks", texts: []string{"1.5", "7"}, options: data.ReadOptions{Decimal: ','}, note: `column "a" is categorical: "1.5" at t.csv:2`},
		{name: "another separator beside the mark", texts: []string{"1.007", "7"}, options: data.ReadOptions{Decimal: ','}, want: "1007 7", format: "1.234,5"},
		{name: "the mark alone stays a format", texts: []string{"7"}, options: data.ReadOptions{Decimal: ','}, want: "7", format: "1234,5"},
		{name: "decimal point is the rule", texts: []string{"7.5"}, options: data.ReadOptions{Decimal: '.'}, want: "7.5"},
		{name: "decimal point decides", texts: []string{"1,007"}, options: data.ReadOptions{Decimal: '.'}, want: "1007", format: "1,234.5"},

		{name: "zeros before", texts: []string{"1234", "01234"}, note: `column "a" is categorical: "01234" at t.csv:3 begins with a zero (data.ReadOptions.Numeric a takes the values for numbers)`},
		{name: "two zeros", texts: []string{"00", "1"}, note: `"00" at t.csv:2 begins with a zero`},
		{name: "negative, zeros before", texts: []string{"-007", "1"}, note: `"-007" at t.csv:2 begins with a zero`},
		{name: "zeros that count", texts: []string{"0", "0.5", "-0.5", "-0", "0e1", "+0"}, want: "0 0.5 -0.5 -0 0 0"},
		{name: "insisted zeros", texts: []string{"1234", "01234", "00.5"}, options: data.ReadOptions{Numeric: []string{"a"}}, want: "1234 1234 0.5"},
		{name: "zeros before, with marks", texts: []string{"7", "01234"}, options: data.ReadOptions{Thousands: ','}, note: `"01234" at t.csv:3 begins with a zero`},
		{name: "insisted zeros, with marks", texts: []string{"01234", "1,5"}, options: data.ReadOptions{Numeric: []string{"a"}, Decimal: ','}, want: "1234 1.5", format: "1234,5"},
		{name: "2^53", texts: []string{"9007199254740992", "-9007199254740992"}, want: "9.007199254740992e+15 -9.007199254740992e+15"},
		{name: "beyond 2^53", texts: []string{"1", "-9007199254740993"}, note: `"-9007199254740993" at t.csv:3 is an integer beyond 2^53 (data.ReadOptions.Numeric a takes the values for numbers)`},
		{name: "far beyond 2^53", texts: []string{"123456789012345678901"}, note: `is an integer beyond 2^53`},
		{name: "no integers", texts: []string{"1e20", "9007199254740993.0"}, want: "1e+20 9.007199254740992e+15"},
		{name: "insisted integers", texts: []string{"9007199254740993"}, options: data.ReadOptions{Numeric: []string{"a"}}, want: "9.007199254740992e+15"},
		{name: "insisted format", texts: []string{"$1,550.62", "7"}, options: data.ReadOptions{Numeric: []string{"a"}}, want: "1550.62 7", format: "$1,234.5"},
		{name: "given format", texts: []string{"$1,550", "1,007"}, options: data.ReadOptions{Numeric: []string{"a"}, Formats: map[string]string{"a": "$1,234.5"}}, want: "1550 1007", format: "$1,234.5"},

		{name: "nearly", texts: repeat(99, "5", "x"), note: `column "a" is categorical though 99 of 100 values are numbers: "x" at t.csv:101 is none (data.ReadOptions.Missing x makes the column numeric)`},
		{name: "nearly, but for two", texts: repeat(18, "5", "x", "y"), note: `"x" at t.csv:20, "y" are none (data.ReadOptions.Missing x,y makes the column numeric)`},
		{name: "not nearly", texts: repeat(17, "5", "x", "y"), note: `column "a" is categorical: "x" at t.csv:19`},
		{name: "a word for no value", texts: []string{"1", "2", "unknown", "unknown", "unknown"}, note: `column "a" is categorical though 2 of 5 values are numbers: "unknown" at t.csv:4 is none (data.ReadOptions.Missing unknown makes the column numeric)`},
		{name: "marks for no value", texts: []string{"--", "1.5", "--", "2"}, note: `(data.ReadOptions.Missing -- makes the column numeric)`},
		{name: "a word for no value, and one number", texts: []string{"1", "1", "unknown"}, note: `column "a" is categorical: "unknown" at t.csv:4`},
		{name: "another word", texts: []string{"1", "2", "few"}, note: `column "a" is categorical: "few" at t.csv:4`},
		{name: "another word beside ten numbers", texts: []string{"1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "few", "few", "few"}, note: `(data.ReadOptions.Missing few makes the column numeric)`},
		{name: "another word beside nine numbers", texts: []string{"1", "2", "3", "4", "5", "6", "7", "8", "9", "few", "few"}, note: `column "a" is categorical: "few" at t.csv:11`},
		{name: "a word for no value, of a format", texts: []string{"none", "$1,550.62", "none", "$7"}, note: `2 of 4 values are numbers written as $1,234.5: "none" at t.csv:2 is none (data.ReadOptions.Missing none makes the column numeric)`},
		{name: "two words", texts: []string{"1", "unknown", "2", "none"}, note: `2 of 4 values are numbers: "unknown" at t.csv:3, "none" are none (data.ReadOptions.Missing unknown,none makes the column numeric)`},
		{name: "two words, of a format", texts: []string{"unknown", "7 €", "none", "1.550,62 €"}, note: `2 of 4 values are numbers written as 1.234,5 €: "unknown" at t.csv:2, "none" are none`},
		{name: "a word and another", texts: []string{"1", "2", "unknown", "few"}, note: `column "a" is categorical: "unknown" at t.csv:4`},
		{name: "nearly, of a format", texts: repeat(99, "$1,550.62", "free"),
			note: `though 99 of 100 values are numbers written as $1,234.5: "free" at t.csv:101 is none (data.ReadOptions.Missing free makes the column numeric)`},
		{name: "nearly, but for several texts", texts: repeat(600, "5", "b", "a c", "b", "d,e", "?", "NA"),
			note: `600 of 604 values are numbers: "b" at t.csv:602, "a c", "d,e" are none (data.ReadOptions.Missing 'b,a c,"d,e",?,NA' makes the column numeric)`},
		{name: "nearly, but for many texts", texts: repeat(900, "5", "a", "b", "c", "d", "e", "f", "g"), note: `(data.ReadOptions.Missing a,b,c,d,e and 2 further texts makes the column numeric)`},
		{name: "nearly, with zeros before", texts: repeat(99, "05", "x"), note: `(data.ReadOptions.Missing x with data.ReadOptions.Numeric a makes the column numeric)`},
		{name: "nearly, with a comma of either use", texts: repeat(99, "1,007", "x"), note: `(data.ReadOptions.Missing x with data.ReadOptions.Thousands , or data.ReadOptions.Decimal , makes the column numeric)`},
	} {
		var notes []string
		c.options.Log = func(format string,
			args ...any) {
			notes = append(notes, fmt.Sprintf(format, args...))
		}
		f, err := readBytes(t.Context(), Options{ReadOptions: c.options}, "t.csv", []byte(oneColumn(c.texts...)))
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		field := f.Schema.Fields[0]
		if c.want != "" && tabletest.Render(f) != "a "+c.want+"\n" || c.want == "" &&
			field.Kind != data.Categorical {
			t.Errorf("%s: got %s", c.name, tabletest.Render(f))
		}
		if note := strings.Join(notes, "\n"); field.Format != c.format ||
			!strings.Contains(note, c.note) || c.note == "" && field.Format == "" && note != "" {
			t.Errorf("%s: format %q, note %q", c.name, field.Format, note)
		}
	}
}

// TestInsistedTexts: a column of Options.Numeric has the errors of its texts, at the place of the
// first one.
func TestInsistedTexts(t *testing.T) {
	for _, c := range []struct {
		texts   []string
		options data.ReadOptions
		want    string
	}{
		{[]string{"$5", "x"}, data.ReadOptions{}, `t.csv:3: column "a": "x" is not a number`},
		{[]string{"$5", "€5"}, data.ReadOptions{}, `t.csv:3: column "a": "€5" is not a number`},
		{[]string{"1", "1,007"}, data.ReadOptions{}, `t.csv:3: column "a": "1,007" may be 1007 or 1.007 (data.ReadOptions.Thousands , or data.ReadOptions.Decimal , decides)`},
		{[]string{"1", "1,007"}, data.ReadOptions{Formats: map[string]string{"a": ""}}, `t.csv:3: column "a": "1,007" is not a number`},
		{[]string{"1.5"}, data.ReadOptions{Decimal: ','}, `t.csv:2: column "a": "1.5" is not a number`},
	} {
		c.options.Numeric = []string{"a"}
		_, err := readBytes(t.Context(), Options{ReadOptions: c.options}, "t.csv", []byte(oneColumn(c.texts...)))
		if err == nil || err.Error() != c.want || !errors.Is(err, data.ErrNumber) {
			t.Errorf("%q: got %v, want %s", c.texts, err, c.want)
		}
	}
}

func TestBadMarks(t *testing.T) {
	for want, o := range map[string]data.ReadOptions{
		`',' cannot both separate thousands and stand before decimals`:                                      {Thousands: ',', Decimal: ','},
		`';' cannot stand before decimals: want a point or a comma`:                                         {Decimal: ';'},
		`'_' cannot separate thousands: want a comma, a point, a blank or an apostrophe`:                    {Thousands: '_'},
		`column "a": "1" is no number format (want the number 1234.5 as it is written, such as "$1,234.5")`: {Formats: map[string]string{"a": "1"}},
	} {
		if _, err := readBytes(t.Context(), Options{ReadOptions: o}, "t.csv", []byte("a\n1\n")); err == nil || err.Error() != want ||
			!errors.Is(err, data.ErrOption) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

// TestFormatOfModel: a table for a model is read in the formats of its schema, and nothing is
// inferred.
func TestFormatOfModel(t *testing.T) {
	for _, c := range []struct {
		format, text string
		options      data.ReadOptions
		want         string // the number, or the error
	}{
		{"$1,234.5", "$1,550.62", data.ReadOptions{}, "1550.62"},
		{"$1,234.5", "1550.62", data.ReadOptions{}, "1550.62"},
		{"$1,234.5", "1,007", data.ReadOptions{}, "1007"},
		{"$1,234.5", "€5", data.ReadOptions{}, `t.csv:2: column "a": "€5" is not a number (the column is written as $1,234.5)`},
		{"$1,234.5", "€5", data.ReadOptions{Decimal: ','}, `t.csv:2: column "a": "€5" is not a number (the column is written as $1.234,5)`},
		{"$1,234.5", "$1.007,5", data.ReadOptions{Decimal: ','}, "1007.5"},
		{"1.234,5", "1.007", data.ReadOptions{}, "1007"},
		{"1.234,5", "1.5", data.ReadOptions{}, "1.5"},
		{"1.234,5", "1.5", data.ReadOptions{Decimal: ','}, `t.csv:2: column "a": "1.5" is not a number (the column is written as 1.234,5)`},
		{"1234.5%", "7", data.ReadOptions{}, `t.csv:2: column "a": "7" is not a number (the column is written as 1234.5%)`},
		{"1234.5%", "7%", data.ReadOptions{}, "7"},
		{"", "1,007", data.ReadOptions{}, `t.csv:2: column "a": "1,007" is not a number`},
		{"", "1,007", data.ReadOptions{Thousands: ','}, "1007"},
		{"", "007", data.ReadOptions{}, "7"},
		{"", "9007199254740993", data.ReadOptions{}, "9.007199254740992e+15"},
	} {
		c.options.Schema = &data.Schema{Fields: []data.Field{{Name: "a", Format: c.format}}}
		c.options.Verbatim = []string{"a"}
		sources := oneColumn(c.text)
		f, err := readBytes(t.Context(), Options{ReadOptions: c.options}, "t.csv", []byte(sources))
		got := ""
		if err != nil {
			got = err.Error()
		} else {
			got = strings.TrimSpace(strings.TrimPrefix(tabletest.Render(f), "a "))
		}
		if got != c.want {
			t.Errorf("format %q: %q is %s, want %s", c.format, c.text, got, c.want)
		}
	}
}

// TestColumnFormatRoundTrip: numbers that a person writes in one format become the same numbers in
// a column, whichever of them come first.
func TestColumnFormatRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cents := rapid.SliceOfN(rapid.Int64Range(-1e11, 1e11), 1, 20).Draw(t, "cents")
		comma := rapid.Bool().Draw(t, "comma")
		marks := map[bool]string{false: ",.", true: ".,"}[comma]
		// one that decides what the marks are
		texts := []string{"$1" + marks[:1] + "234" + marks[1:] + "56"}
		want := []float64{1234.56}
		for _, c := range cents {
			whole := fmt.Sprint(abs(c) / 100)
			for at := len(whole) - 3; at > 0; at -= 3 {
				whole = whole[:at] + marks[:1] + whole[at:]
			}
			text := fmt.Sprintf("$%s%s%02d", whole, marks[1:], abs(c)%100)
			if c < 0 {
				text = "-" + text
			}
			texts, want = append(texts, text), append(want, float64(c)/100)
		}
		order := rapid.Permutation(want).Draw(t, "order")
		shuffled := make([]string, len(order))
		for i, v := range order {
			shuffled[i] = texts[slices.Index(want, v)]
		}
		f, err := readBytes(t.Context(), Options{}, "t.csv", []byte(oneColumn(shuffled...)))
		if err != nil || !slices.Equal(f.Columns[0].Numbers(), order) {
			t.Fatalf("%q are %v, %v, want %v", shuffled, f.Columns[0].Numbers(), err, order)
		}
	})
}

func abs(v int64) int64 { return max(v, -v) }

// TestBinaryHead: a file whose first bytes hold a NUL is no CSV, though it be UTF-8.
func TestBinaryHead(t *testing.T) {
	for _, text := range []string{"\x00a,b\n1,2\n", "a,b\x00\n1,2\n", "\x00\n1\n"} {
		_, err := readBytes(t.Context(), Options{}, "t.csv", []byte(text))
		if err == nil || err.Error() != "t.csv:1: this is binary data, not CSV" ||
			!errors.Is(err, data.ErrText) {
			t.Errorf("%q: got %v", text, err)
		}
	}
}

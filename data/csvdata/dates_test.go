package csvdata

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/tabletest"
)

// logged reads a text, and returns what was read and the notes.
func logged(t testing.TB, o Options, text string) (string, []string) {
	t.Helper()
	var notes []string
	o.Log = func(format string, args ...any) { notes = append(notes, fmt.Sprintf(format, args...)) }
	f, err := readBytes(t.Context(), o, "t.csv", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return tabletest.Render(f), notes
}

func TestDates(t *testing.T) {
	for _, c := range []struct {
		name, text, want, note string
	}{
		{"year first", "d\n2024-01-31\n?\n2024/02/01\n", "d 2024-01-31 - 2024-02-01 date\n", ""},
		{"times and zones", "d\n2024-01-31T17:05:09Z\n2024-01-31 18:05:09.5+01:00\n", "d 2024-01-31T17:05:09Z 2024-01-31T17:05:09.5Z date\n", ""},
		{"blanks in quotes", "d\n\" 2024-01-31 \"\n2024-02-01\n", "d 2024-01-31 2024-02-01 date\n", ""},
		{"day first", "d\n01/02/2024\n13/02/2024\n2024-01-01\n", "d 2024-02-01 2024-02-13 2024-01-01 date dmy\n",
			`column "d" holds dates with the day first, as "13/02/2024" at t.csv:3 shows`},
		{"month first", "d\n01/02/2024 5:00 PM\n02/13/2024 12:00 AM\n", "d 2024-01-02T17:00:00Z 2024-02-13 date mdy\n",
			`column "d" holds dates with the month first, as "02/13/2024 12:00 AM" at t.csv:3 shows`},
		{"undecided", "d\n2024-01-01\n01/02/2024\n03.04.2024\n", "d 2024-01-01 01/02/2024 03.04.2024 {01/02/2024|03.04.2024|2024-01-01}\n",
			`column "d" is categorical: the day or the month may come first in all its dates, such as "01/02/2024" at t.csv:3 (data.ReadOptions.Dates d=dmy or data.ReadOptions.Dates d=mdy decides)`},
		{"neither", "d\n13/02/2024\n02/13/2024\n", "d 13/02/2024 02/13/2024 {02/13/2024|13/02/2024}\n", `column "d" is categorical: "13/02/2024" at t.csv:2`},
		{"two digits of the year", "d\n31/01/24\n", "d 31/01/24 {31/01/24}\n", `column "d" is categorical: "31/01/24" at t.csv:2`},
		{"times of the day", "d\n17:05\n", "d 17:05 {17:05}\n", `column "d" is categorical: "17:05" at t.csv:2`},
		{"no such day", "d\n2024-02-30\n", "d 2024-02-30 {2024-02-30}\n", `column "d" is categorical: "2024-02-30" at t.csv:2`},
		{"numbers", "d\n20240131\n20240201\n", "d 2.0240131e+07 2.0240201e+07\n", ""},
		{"numbers and dates", "d\n2024\n2024-01-31\n", "d 2024 2024-01-31 {2024|2024-01-31}\n", `column "d" is categorical: "2024-01-31" at t.csv:3`},
	} {
		got, notes := logged(t, Options{}, c.text)
		if got != c.want || strings.Join(notes, "\n") != c.note {
			t.Errorf("%s: got\n%s%q, want\n%s%q", c.name, got, notes, c.want, c.note)
		}
	}
}

// TestNearlyDates: from 90 % of dates on, or where one text alone is none, the note names the texts
// that spoil the column, and what to do about them.
func TestNearlyDates(t *testing.T) {
	for _, c := range []struct {
		none []string // in place of dates
		want string
	}{
		{[]string{"n/k"}, `column "d" is categorical though 99 of 100 values are dates: "n/k" at t.csv:12 is none (data.ReadOptions.Missing n/k makes it a date column)`},
		{slices.Repeat([]string{"n/k"}, 60), `column "d" is categorical though 40 of 100 values are dates: "n/k" at t.csv:12 is none (data.ReadOptions.Missing n/k makes it a date column)`},
		{[]string{"n/k", "n/k", "n/k", "n/k", "n/k", "n/k", "n/k", "n/k", "n/k", "soon"}, `column "d" is categorical though 90 of 100 values are dates: "n/k" at t.csv:12, "soon" are none (data.ReadOptions.Missing n/k,soon makes it a date column)`},
		{[]string{"n/k", "n/k", "n/k", "n/k", "n/k", "n/k", "n/k", "n/k", "n/k", "n/k", "soon"}, `column "d" is categorical: "2024-01-01" at t.csv:2`},
	} {
		rows, want := len(c.none), c.want
		var b strings.Builder
		b.WriteString("d\n")
		for i := range 100 {
			if i >= 10 && i < 10+rows {
				b.WriteString(c.none[i-10] + "\n")
			} else {
				fmt.Fprintf(&b, "2024-%02d-%02d\n", i/28+1, i%28+1)
			}
		}
		got, notes := logged(t, Options{}, b.String())
		if !slices.Equal(notes, []string{want}) {
			t.Errorf("%d rows: notes %q, want %q", rows, notes, want)
		}
		if !strings.Contains(got, "{") {
			t.Errorf("%d rows: %s", rows, got)
		}
		o := Options{ReadOptions: data.ReadOptions{Missing: []string{"n/k", "soon"}}}
		if got, notes := logged(t, o, b.String()); !strings.HasSuffix(got, " date\n") ||
			len(notes) > 0 {
			t.Errorf("%d rows, with missing tokens: %s%q", rows, got, notes)
		}
	}
}

func TestDatesOnRequest(t *testing.T) {
	as := func(format data.DateFormat) Options {
		return Options{ReadOptions: data.ReadOptions{Dates: map[string]data.DateFormat{"d": format}}}
	}
	for _, c := range []struct {
		text   string
		format data.DateFormat
		want   string
	}{
		{"d\n01/02/2024\n", data.DayFirst, "d 2024-02-01 date dmy\n"},
		{"d\n01/02/2024\n2024-01-31\nNA\n", data.MonthFirst, "d 2024-01-02 2024-01-31 - date mdy\n"},
		{"d\n1706720400\nNA\n-0.5\n", data.SinceSeconds, "d 2024-01-31T17:00:00Z - 1969-12-31T23:59:59.5Z date s\n"},
		{"d\n1706720400123\n", data.SinceMilliseconds, "d 2024-01-31T17:00:00.123Z date ms\n"},
		{"d\n1706720400123456\n", data.SinceMicroseconds, "d 2024-01-31T17:00:00.123456Z date us\n"},
		{"d\n1500\n", data.SinceNanoseconds, "d 1970-01-01T00:00:00.000001Z date ns\n"},
		{"d\n19753\n", data.SinceDays, "d 2024-01-31 date days\n"},
	} {
		got, notes := logged(t, as(c.format), c.text)
		if got != c.want || len(notes) > 0 {
			t.Errorf("%s: %s%q, want %s", c.text, got, notes, c.want)
		}
	}
	for _, c := range []struct {
		text   string
		format data.DateFormat
		reason error
		want   string
	}{
		{"d\n2024-01-31\n01/02/2024\n", data.YearFirst, data.ErrDate, `t.csv:3: column "d": "01/02/2024" is not a date with the year first (data.ReadOptions.Dates d=dmy reads such dates)`},
		{"d\n13/02/2024\n", data.MonthFirst, data.ErrDate, `t.csv:2: column "d": "13/02/2024" is not a date with the month first (data.ReadOptions.Dates d=dmy reads such dates)`},
		{"d\nx,y\n", data.YearFirst, ErrFields, "t.csv:2"},
		{"d\nsoon\n", data.DayFirst, data.ErrDate, `t.csv:2: column "d": "soon" is not a date`},
		{"d\n2024-01-31\n", data.SinceDays, data.ErrNumber, `t.csv:2: column "d": "2024-01-31" is not a number`},
		{"e\n1\n", data.SinceDays, data.ErrOption, `there is no column "d"`},
	} {
		_, err := readBytes(t.Context(), as(c.format), "t.csv", []byte(c.text))
		if !errors.Is(err, c.reason) || !strings.HasPrefix(err.Error(), c.want) &&
			!strings.HasSuffix(err.Error(), c.want) {
			t.Errorf("%q: %v, want %s", c.text, err, c.want)
		}
	}
	both := as(data.DayFirst)
	both.Numeric = []string{"d"}
	if _, err := readBytes(t.Context(), both, "t.csv", []byte("d\n1\n")); !errors.Is(err,
		data.ErrOption) {
		t.Errorf("a date that is numeric: %v", err)
	}
}

// TestDatesOfModels: the source of parts is read by their format; a file that has the parts
// themselves is read as they are.
func TestDatesOfModels(t *testing.T) {
	part := func(p data.Part) data.Field {
		d := &data.DatePart{Source: "d", Format: data.DayFirst, Part: p}
		return data.Field{Name: d.Name(), From: d, Missing: data.Refuse}
	}
	o := Options{ReadOptions: data.ReadOptions{Schema: &data.Schema{Fields: []data.Field{{Name: "x"},
		part(data.Year), part(data.Days)}}}}
	if got, _ := logged(t, o,
		"d,y,x\n01/02/2024,a,1\n2024-03-01,b,2\n"); got != "x 1 2\nd 2024-02-01 "+
		"2024-03-01 date dmy\n" {
		t.Error(got)
	}
	if got, _ := logged(t, o,
		"d.days,x,d.year\n1.5,2,2024\n"); got != "x 2\nd.year 2024\nd.days 1.5\n" {
		t.Error(got)
	}
	if _, err := readBytes(t.Context(), o, "t.csv", []byte("d,x\n02/13/2024,1\n")); !errors.Is(err,
		data.ErrDate) {
		t.Errorf("a date of another format: %v", err)
	}
	o.Dates = map[string]data.DateFormat{"d": data.MonthFirst}
	if got, _ := logged(t, o, "d,x\n02/13/2024,1\n"); got != "x 1\nd 2024-02-13 date mdy\n" {
		t.Error(got)
	}
	raw := Options{ReadOptions: data.ReadOptions{Schema: &data.Schema{Fields: []data.Field{{Name: "d",
		Kind: data.Date, Format: "s"}}}}}
	if got, _ := logged(t, raw, "d\n1706720400\n"); got != "d 2024-01-31T17:00:00Z date s\n" {
		t.Error(got)
	}
}

// TestDateColumnsComeBack: times that package time writes are read as what they were, whatever the
// layout and the missing ones.
func TestDateColumnsComeBack(t *testing.T) {
	layouts := map[string]string{"2006-01-02": "ymd", "02/01/2006 15:04:05": "dmy",
		"1/2/2006 3:04:05 PM": "mdy", time.RFC3339Nano: "ymd", "2006/01/02 15:04:05 -0700": "ymd"}
	rapid.Check(t, func(t *rapid.T) {
		layout := rapid.SampledFrom([]string{"2006-01-02", "02/01/2006 15:04:05",
			"1/2/2006 3:04:05 PM", time.RFC3339Nano, "2006/01/02 15:04:05 -0700"}).Draw(t, "layout")
		seconds := rapid.SliceOfN(rapid.Int64Range(-5e9, 5e9), 1, 20).Draw(t, "seconds")
		var format data.DateFormat
		if err := format.UnmarshalText([]byte(layouts[layout])); err != nil {
			t.Fatal(err)
		}
		text, want := "d,x\n", []float64{}
		for i, s := range seconds {
			when := time.Unix(s, 0).UTC()
			if layout == time.DateOnly {
				when = when.Truncate(24 * time.Hour)
			}
			if i%7 == 3 {
				text, want = text+",1\n", append(want, math.NaN())
			} else {
				text, want = text+when.Format(layout)+",1\n",
					append(want, float64(when.UnixMicro()))
			}
		}
		o := Options{ReadOptions: data.ReadOptions{Dates: map[string]data.DateFormat{"d": format}}}
		f, err := readBytes(t.Context(), o, "t", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if fmt.Sprint(f.Columns[0].Numbers()) != fmt.Sprint(want) {
			t.Fatalf("%s is read as %v, want %v", text, f.Columns[0].Numbers(), want)
		}
	})
}

package data_test

import (
	"encoding/json"
	"math"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/data"
)

func TestParseDate(t *testing.T) {
	at := func(year, month, day, hour, minute, second, micro int) float64 {
		return data.DateOf(time.Date(year, time.Month(month), day, hour, minute, second,
			micro*1000, time.UTC))
	}
	day := at(2024, 1, 31, 0, 0, 0, 0)
	for _, c := range []struct {
		text   string
		format data.DateFormat
		want   float64
	}{
		{"2024-01-31", data.YearFirst, day},
		{"2024-1-31", data.DayFirst, day},
		{"2024/01/31", data.MonthFirst, day},
		{"2024.01.31", data.YearFirst, day},
		{"31/01/2024", data.DayFirst, day},
		{"31.1.2024", data.DayFirst, day},
		{"31-01-2024", data.DayFirst, day},
		{"01/31/2024", data.MonthFirst, day},
		{"2024-02-29", data.YearFirst, at(2024, 2, 29, 0, 0, 0, 0)},
		{"2000-02-29", data.YearFirst, at(2000, 2, 29, 0, 0, 0, 0)},
		{"1970-01-01", data.YearFirst, 0},
		{"Jan 31, 2024", data.YearFirst, day}, {"January 31 2024", data.DayFirst, day},
		{"jan. 31, 2024", data.MonthFirst, day}, {"31 Jan 2024", data.YearFirst, day},
		{"31-JAN-2024", data.YearFirst, day}, {"31 January, 2024", data.MonthFirst, day},
		{"Sept 1, 2004", data.YearFirst, at(2004, 9, 1, 0, 0, 0, 0)}, {"1 May 2004", data.YearFirst, at(2004, 5, 1, 0, 0, 0, 0)},
		{"Jul 1, 2004 5:05 PM", data.YearFirst, at(2004, 7, 1, 17, 5, 0, 0)},
		{"2024-05", data.YearFirst, at(2024, 5, 1, 0, 0, 0, 0)}, {"1999/12", data.DayFirst, at(1999, 12, 1, 0, 0, 0, 0)},
		{"0001-01-01", data.YearFirst, at(1, 1, 1, 0, 0, 0, 0) + 0},
		{"2024-01-31T17:05", data.YearFirst, at(2024, 1, 31, 17, 5, 0, 0)},
		{"2024-01-31 17:05:09", data.YearFirst, at(2024, 1, 31, 17, 5, 9, 0)},
		{"2024-01-31T17:05:09.25Z", data.YearFirst, at(2024, 1, 31, 17, 5, 9, 250000)},
		{"2024-01-31T17:05:09,123456789", data.YearFirst, at(2024, 1, 31, 17, 5, 9, 123456)},
		{"2024-01-31T17:05:09+01:00", data.YearFirst, at(2024, 1, 31, 16, 5, 9, 0)},
		{"2024-01-31 17:05:09-0730", data.YearFirst, at(2024, 2, 1, 0, 35, 9, 0)},
		{"2024-01-31 17:05:09+01", data.YearFirst, at(2024, 1, 31, 16, 5, 9, 0)},
		{"2024-01-31 17:05:09 UTC", data.YearFirst, at(2024, 1, 31, 17, 5, 9, 0)},
		{"1/31/2024 5:05 PM", data.MonthFirst, at(2024, 1, 31, 17, 5, 0, 0)},
		{"1/31/2024 12:00:00 AM", data.MonthFirst, day},
		{"1/31/2024 12:30am", data.MonthFirst, at(2024, 1, 31, 0, 30, 0, 0)},
	} {
		got, ok := data.ParseDate(c.text, c.format)
		if c.text == "0001-01-01" { // DateOf takes the zero Time for a missing value
			c.want = float64(time.Time{}.UnixMicro())
		}
		if !ok || got != c.want {
			t.Errorf("%q as %s: %v, %v, want %v", c.text, c.format, got, ok, c.want)
		}
	}
}

func TestParseDateRefuses(t *testing.T) {
	for _, text := range []string{
		"", "2024", "20240131", "2024-01-32", "2024-13", "2024-1", "1899-12", "2100-01", "2024-05 ", "2024.05",
		"05/2024", "2024-05T10:00", "Jan 32, 2024", "Feb 30, 2024", "Jan 2024", "Janu 1, 2024", "Jan1, 2024",
		"31-Jan 2024", "31 Jan-2024", "31Jan2024", "Jan 31, 24", "31-Jan-24", "Jan 31,2024", "may", "1 mai 2004", "2023-02-29", "1900-02-29", "2024-00-10",
		"2024-13-01", "2024-01-00", "0000-00-00", "0000-01-01",
		"2024-01/31", "2024--01-31", "-2024-01-31", "24-01-31", "31/01/24", "02024-01-31",
		"2024-001-31", "2024-01-031", "12024-01-31",
		"2024-01-31T", "2024-01-31 ", "2024-01-31X17:05", "2024-01-31T17", "2024-01-31T17:5",
		"2024-01-31T24:00", "2024-01-31T17:60", "2024-01-31T17:05:60",
		"2024-01-31T17:05:09.", "2024-01-31T17:05:09.1234567890", "2024-01-31T17:05+1",
		"2024-01-31T17:05+1:00", "2024-01-31T17:05+01:0", "2024-01-31T17:05+24:00",
		"2024-01-31T17:05+01:00x", "2024-01-31T17:05ZZ", "2024-01-31 13:00 PM",
		"2024-01-31 0:00 AM", "31/01/2024", "01/31/2024", "2024-01-31Z", " 2024-01-31",
		"١٢/٠١/٢٠٢٤",
	} {
		if v, ok := data.ParseDate(text, data.YearFirst); ok {
			t.Errorf("%q is %s", text, data.DateText(v))
		}
	}
	for text, format := range map[string]data.DateFormat{"13/13/2024": data.DayFirst,
		"31/01/2024": data.MonthFirst, "01/31/2024": data.DayFirst,
		"1/31/2024": data.SinceSeconds} {
		if v, ok := data.ParseDate(text, format); ok {
			t.Errorf("%q as %s is %s", text, format, data.DateText(v))
		}
	}
}

// TestDatesComeBack: a random time, formatted in any of many layouts by package time, is read back.
func TestDatesComeBack(t *testing.T) {
	dates := map[data.DateFormat][]string{
		data.YearFirst:  {"2006-01-02", "2006/1/2", "2006.01.02"},
		data.DayFirst:   {"02/01/2006", "2.1.2006", "02-01-2006", "2006-01-02"},
		data.MonthFirst: {"01/02/2006", "1.2.2006", "01-02-2006", "2006-01-02"},
	}
	clocks := []string{"", "T15:04:05.000000", " 15:04:05.000000", " 3:04:05.000000 PM",
		"  03:04:05.000000pm", "T15:04:05.000000000"}
	zones := []string{"", "Z07:00", "-0700", "-07:00", " -07:00"}
	rapid.Check(t, func(t *rapid.T) {
		micros := rapid.Int64Range(-62135596800e6, 253402300799e6).Draw(t, "micros")
		format := rapid.SampledFrom([]data.DateFormat{data.YearFirst, data.DayFirst,
			data.MonthFirst}).Draw(t, "format")
		layout := rapid.SampledFrom(dates[format]).Draw(t,
			"date") + rapid.SampledFrom(clocks).Draw(t, "clock")
		when := time.UnixMicro(micros).UTC()
		if !strings.Contains(layout, ":") {
			when = when.Truncate(24 * time.Hour)
		} else if zone := rapid.SampledFrom(zones).Draw(t, "zone"); zone != "" {
			minutes := rapid.IntRange(-23*60-59, 23*60+59).Draw(t, "minutes before UTC")
			if local := when.In(time.FixedZone("", 60*minutes)); 1 <= local.Year() &&
				local.Year() <= 9999 {
				when, layout = local, layout+zone
			}
		}
		text := when.Format(layout)
		if got, ok := data.ParseDate(text, format); !ok || got != float64(when.UnixMicro()) {
			t.Fatalf("%q as %s is %v, %v, want %d", text, format, got, ok, when.UnixMicro())
		}
		text = data.DateText(float64(micros))
		if got, ok := data.ParseDate(text, format); !ok || got != float64(micros) &&
			micros < 1<<53 && micros > -1<<53 {
			t.Fatalf("DateText %q is %v, %v, want %d", text, got, ok, micros)
		}
	})
}

// FuzzParseDate: what is read as a date is written as one, and package time reads the same of that.
func FuzzParseDate(f *testing.F) {
	for _, text := range []string{"2024-01-31", "31/01/2024 5:05 PM",
		"2024-01-31T17:05:09.25+01:00", "9999-12-31 23:59:59.999999-23:59", "0001-01-01T00:00Z", "2024-05", "Jul 1, 2004"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for format := data.YearFirst; format <= data.MonthFirst; format++ {
			v, ok := data.ParseDate(text, format)
			if !ok {
				continue
			}
			if v != math.Trunc(v) || len(text) < len("2024-01") {
				t.Fatalf("%q is %v", text, v)
			}
			again := data.DateText(v)
			layout := time.RFC3339
			if !strings.Contains(again, "T") {
				layout = time.DateOnly
			}
			if when, err := time.Parse(layout, again); err == nil {
				if float64(when.UnixMicro()) != v {
					t.Fatalf("%q is %v, written as %q", text, v, again)
				}
			} else if v >= -62135596800e6 && v < 253402300800e6 {
				t.Fatalf("%q is written as %q: %v", text, again, err)
			}
		}
	})
}

func TestDateText(t *testing.T) {
	for _, c := range []struct {
		micros float64
		want   string
	}{
		{0, "1970-01-01"}, {-1, "1969-12-31T23:59:59.999999Z"}, {3600e6, "1970-01-01T01:00:00Z"}, {1.5e6, "1970-01-01T00:00:01.5Z"},
		{math.NaN(), ""}, {1e30, "1e+30"}, {-9e18, "-9000000000000000000"},
	} {
		if got := data.DateText(c.micros); got != c.want {
			t.Errorf("%v: %q, want %q", c.micros, got, c.want)
		}
	}
}

func TestDateFormats(t *testing.T) {
	const day = 24 * 3600 * 1e6
	for name, micros := range map[string]float64{"days": day, "s": 1e6, "ms": 1e3, "us": 1,
		"ns": 1e-3} {
		f := must((&data.Field{Format: name}).DateFormat())(t)
		if got := f.FromNumber(3); got != 3*micros || f.String() != name {
			t.Errorf("%s: 3 is %v, want %v", f, got, 3*micros)
		}
	}
	for _, name := range []string{"ymd", "dmy", "mdy"} {
		if f := must((&data.Field{Format: name}).DateFormat())(t); f.String() != name || f.Unit() != 0 {
			t.Errorf("%s is %s, unit %v", name, f, f.Unit())
		}
	}
	_, err := (&data.Field{Format: "dym"}).DateFormat()
	wantError(t, err, `"dym"`, "want one of ymd, dmy, mdy, days, s, ms, us, ns")
}

func TestDatePartsOf(t *testing.T) {
	const day = 24 * 3600 * 1e6
	parts := func(micros float64) [5]float64 {
		var all [5]float64
		for p := data.Year; p <= data.Days; p++ {
			d := data.DatePart{Source: "t", Part: p}
			if p == data.Days {
				d.Origin = day
			}
			all[p] = d.Of(micros)
		}
		return all
	}
	for text, want := range map[string][5]float64{
		"1970-01-01":             {1970, 1, 4, 0, -1},
		"2024-02-29T18:00:00":    {2024, 2, 4, 18, 19781.75},
		"2024-03-03T23:59:59.9":  {2024, 3, 7, 23, 19784 + 1 - 0.1/86400 - 0},
		"1969-12-29T01:30+02:00": {1969, 12, 7, 23, -5 + 23.5/24},
	} {
		v, ok := data.ParseDate(text, data.YearFirst)
		got := parts(v)
		if !ok || got[0] != want[0] || got[1] != want[1] || got[2] != want[2] ||
			got[3] != want[3] || math.Abs(got[4]-want[4]) > 1e-9 {
			t.Errorf("%s: %v, want %v", text, got, want)
		}
	}
	for _, v := range []float64{math.NaN(), 1e20, -1e20} {
		if got := parts(v); !math.IsNaN(got[0]) || !math.IsNaN(got[3]) ||
			math.IsNaN(v) != math.IsNaN(got[4]) {
			t.Errorf("%v: %v", v, got)
		}
	}
}

// stamps are dates of one column.
func stamps(t *testing.T, texts ...string) []float64 {
	t.Helper()
	values := make([]float64, len(texts))
	for i, text := range texts {
		var ok bool
		if values[i], ok = data.ParseDate(text, data.YearFirst); !ok {
			values[i] = math.NaN()
			if text != "" {
				t.Fatalf("%q is no date", text)
			}
		}
	}
	return values
}

// dated makes a table of a date column and numbers.
func dated(t *testing.T, format string, texts ...string) *data.Frame {
	t.Helper()
	y := make([]float64, len(texts))
	for i := range y {
		y[i] = float64(i) + 0.5
	}
	s := data.Schema{Fields: []data.Field{{Name: "x"},
		{Name: "when", Kind: data.Date, Format: format, Missing: data.Refuse}, {Name: "y"}}}
	return must(data.NewFrame(s, []data.Column{data.Numbers(y), data.Numbers(stamps(t, texts...)), data.Numbers(y)}))(t)
}

func TestExpandDates(t *testing.T) {
	const day = 24 * 3600 * 1e6
	f := dated(t, "dmy", "2024-03-01", "", "2024-03-02T12:00", "2024-02-28")
	g := must(data.Expand(f, nil))(t)
	want := []string{"x", "when.month", "when.weekday", "when.hour", "when.days", "y"} // one year
	if got := strings.Join(g.Schema.Names(), " "); got != strings.Join(want, " ") {
		t.Fatalf("columns %s, want %s", got, want)
	}
	if got := g.Columns[4].Numbers(); got[0] != 2 || !math.IsNaN(got[1]) || got[2] != 3.5 || got[3] != 0 {
		t.Errorf("days %v", got)
	}
	if got := g.Columns[2].Numbers(); got[0] != 5 || !math.IsNaN(got[1]) || got[2] != 6 || got[3] != 3 {
		t.Errorf("weekdays %v", got)
	}
	from := g.Schema.Fields[4].From
	if from == nil ||
		*from != (data.DatePart{Source: "when", Format: data.DayFirst, Part: data.Days,
			Origin: 19781 * day}) || g.Schema.Fields[4].Missing != data.Refuse {
		t.Errorf("field %+v, from %+v", g.Schema.Fields[4], from)
	}
	if again := must(data.Expand(g, nil))(t); again != g {
		t.Error("a table without dates is not returned as it is")
	}
	if f.Schema.Fields[1].Kind != data.Date {
		t.Error("the table itself was changed")
	}
}

// TestExpandDatesLike: another table's dates become the parts that the first table chose, counted
// from its origin.
func TestExpandDatesLike(t *testing.T) {
	// weekday, days
	first := must(data.Expand(dated(t, "", "2024-03-01", "2024-03-02"), nil))(t)
	g := must(data.Expand(dated(t, "", "2031-05-01T07:00", "2020-01-01"), &first.Schema))(t)
	if got := strings.Join(g.Schema.Names(), " "); got != "x when.weekday when.days y" {
		t.Fatalf("columns %s", got)
	}
	if got := g.Columns[2].Numbers(); got[0] != 2617+7.0/24 || got[1] != -1521 {
		t.Errorf("days %v", got)
	}
}

// TestExpandLike: a table has the parts that a schema has, whether it has the dates, days since
// another date, or the parts already. Other columns stay, and so do dates that the schema has not.
func TestExpandLike(t *testing.T) {
	first := must(data.Expand(dated(t, "", "2024-03-01", "2024-03-02"), nil))(t) // weekday, days
	read := dated(t, "", "2031-05-01T07:00", "2020-01-01", "")
	want := must(data.Expand(read, &first.Schema))(t)
	other := must(data.Expand(read, nil))(t) // year, month, weekday, hour and days, since 2020
	for name, f := range map[string]*data.Frame{"read": read, "expanded": want, "of another origin": other} {
		g := data.ExpandLike(f, &first.Schema)
		for _, part := range []string{"when.weekday", "when.days", "x", "y"} {
			i, k := g.Schema.Index(part), want.Schema.Index(part)
			if i < 0 {
				t.Fatalf("%s: there is no %s among %s", name, part, g.Schema.Names())
			}
			for row, v := range want.Columns[k].Numbers() {
				if got := g.Columns[i].Number(row); got != v && !math.IsNaN(v) {
					t.Errorf("%s: row %d has %s %v, want %v", name, row, part, got, v)
				}
			}
		}
	}
	if g := data.ExpandLike(want, &first.Schema); g != want {
		t.Error("a table that has the columns is not returned itself")
	}
	if g := data.ExpandLike(read, &data.Schema{Fields: []data.Field{{Name: "x"}}}); g != read {
		t.Error("dates that the schema has not were expanded")
	}
}

func TestExpandDatesRefusesNames(t *testing.T) {
	s := data.Schema{Fields: []data.Field{{Name: "when", Kind: data.Date}, {Name: "when.days"}}}
	f := must(data.NewFrame(s, []data.Column{data.Numbers([]float64{0}), data.Numbers([]float64{1})}))(t)
	_, err := data.Expand(f, nil)
	wantError(t, err, `dates of column "when" become a column "when.days"`, "rename one")
}

func TestExpandDatesWithoutDates(t *testing.T) {
	g := must(data.Expand(dated(t, "", "", ""), nil))(t)
	if got := strings.Join(g.Schema.Names(), " "); got != "x when.days y" ||
		!math.IsNaN(g.Columns[1].Number(0)) || g.Schema.Fields[1].From.Origin != 0 {
		t.Errorf("columns %s, %+v", got, g.Schema.Fields[1].From)
	}
}

func TestDatesInSchemas(t *testing.T) {
	part := func(d data.DatePart) []data.Field { return []data.Field{{Name: "p", From: &d}} }
	for want, fields := range map[string][]data.Field{
		`unknown date format "dym"`:                       {{Name: "d", Kind: data.Date, Format: "dym"}},
		"is date and has levels":                          {{Name: "d", Kind: data.Date, Levels: []string{"a"}}},
		"unknown kind":                                    {{Name: "d", Kind: data.Text + 1}},
		"a part of a date column without name":            part(data.DatePart{Part: data.Days}),
		"an unknown part of a date":                       part(data.DatePart{Source: "d", Part: data.Days + 1}),
		"an unknown date format":                          part(data.DatePart{Source: "d", Format: data.SinceNanoseconds + 1}),
		"the hour of a date has no origin":                part(data.DatePart{Source: "d", Part: data.Hour, Origin: 1}),
		"days since +Inf microseconds":                    part(data.DatePart{Source: "d", Part: data.Days, Origin: math.Inf(1)}),
		"days since NaN microseconds":                     part(data.DatePart{Source: "d", Part: data.Days, Origin: math.NaN()}),
		`made of column "p", which is there too`:          part(data.DatePart{Source: "p", Part: data.Days}),
		`column "p" is categorical and part of a date`:    {{Name: "p", Kind: data.Categorical, From: &data.DatePart{Source: "d"}}},
		`column "d" has dates of the formats ymd and dmy`: {{Name: "p", From: &data.DatePart{Source: "d"}}, {Name: "q", From: &data.DatePart{Source: "d", Format: data.DayFirst}}},
	} {
		s := data.Schema{Fields: fields}
		wantError(t, s.Validate(), want)
	}
	_, err := data.NewFrame(data.Schema{Fields: []data.Field{{Name: "d", Kind: data.Date}}},
		[]data.Column{data.Numbers([]float64{0, math.Inf(1)})})
	wantError(t, err, `column "d", row 1: the date is infinite`)
	_, err = data.NewFrame(data.Schema{Fields: []data.Field{{Name: "d", Kind: data.Date}}},
		[]data.Column{data.Codes([]uint32{0})})
	wantError(t, err, `column "d" is date and holds codes`)
}

// TestSchemaOfDatesAsJSON: schemas without dates keep their bytes, those with dates come back.
func TestSchemaOfDatesAsJSON(t *testing.T) {
	plain := string(must(json.Marshal(data.Schema{Fields: []data.Field{{Name: "x"}}}))(t))
	if plain != `{"fields":[{"name":"x","kind":"numeric","missing":"learned","unseen":"learned"}]}` {
		t.Errorf("plain schema %s", plain)
	}
	g := must(data.Expand(dated(t, "mdy", "2024-03-01", "2025-04-02T01:00"), nil))(t)
	text := must(json.Marshal(g.Schema))(t)
	var back data.Schema
	if err := json.Unmarshal(text, &back); err != nil {
		t.Fatal(err)
	}
	if again := must(json.Marshal(back))(t); string(again) != string(text) ||
		*back.Fields[5].From != *g.Schema.Fields[5].From {
		t.Errorf("%s came back as %s", text, again)
	}
	for _, bad := range []string{`{"source":"a","part":"minute"}`,
		`{"source":"a","part":"year","format":"x"}`} {
		if err := json.Unmarshal([]byte(`{"fields":[{"name":"p","kind":"numeric","from":`+bad+
			`}]}`), &back); err == nil {
			t.Errorf("%s is read", bad)
		}
	}
}

func TestSchemaAbsent(t *testing.T) {
	g := must(data.Expand(dated(t, "", "2024-03-01", "2024-03-02"), nil))(t)
	for want, names := range map[string][]string{"": {"when", "x", "y"}, "x": {"when", "y"},
		"when": {"x", "y", "when.days"}, "-": {"x", "when.weekday", "when.days", "y"}} {
		var table data.Schema
		for _, n := range names {
			table.Fields = append(table.Fields, data.Field{Name: n})
		}
		if got, absent := g.Schema.Absent(&table); absent != (len(want) > 1 || want == "x") ||
			absent && got != want {
			t.Errorf("%v without %q, want %q", names, got, want)
		}
	}
}

// TestFindParts: a part of dates is its own column where there is one, whatever the guess; else its
// source; else the days.
func TestFindParts(t *testing.T) {
	g := must(data.Expand(dated(t, "", "2024-03-01", "2024-03-02"), nil))(t)
	hour := data.Field{Name: "when.hour", From: &data.DatePart{Source: "when", Part: data.Hour}}
	both := data.Schema{Fields: []data.Field{{Name: "when", Kind: data.Date}, {Name: "when.hour"}}}
	source := data.Schema{Fields: []data.Field{{Name: "x"}, {Name: "when", Kind: data.Date}}}
	for _, c := range []struct {
		name  string
		table *data.Schema
		want  int
	}{{"both", &both, 1}, {"source", &source, 1}, {"days", &g.Schema, 2}} {
		for guess := -1; guess < 5; guess++ {
			at := []int{guess}
			if missing := c.table.Find([]data.Field{hour}, at); missing != nil || at[0] != c.want {
				t.Errorf("%s, guess %d: column %d, want %d", c.name, guess, at[0], c.want)
			}
		}
	}
	if missing := (&data.Schema{Fields: []data.Field{{Name: "x"}}}).Find([]data.Field{hour},
		[]int{0}); missing == nil || missing.Name != "when.hour" {
		t.Errorf("a table without dates is missing %v", missing)
	}
}

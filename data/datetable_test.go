package data_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/coppice-ml/coppice/data"
)

// stamp is derived from time.Time.
type stamp time.Time

func TestTimesInStructs(t *testing.T) {
	noon := time.Date(2024, 2, 29, 12, 0, 0, 999, time.FixedZone("", 3600))
	type visit struct {
		When    time.Time `coppice:"when"`
		Back    *time.Time
		Derived stamp
		Name    time.Time `coppice:"name,categorical"`
		Took    time.Duration
	}
	f := must(data.FromStructs([]visit{{noon, &noon, stamp(noon), noon, 1500 * time.Nanosecond},
		{}}))(t)
	const micros = 1709204400e6
	want := []data.Column{
		data.Numbers([]float64{micros, math.NaN()}), data.Numbers([]float64{micros, math.NaN()}), data.Numbers([]float64{micros, math.NaN()}),
		data.Codes([]uint32{0, data.MissingCode}), data.Numbers([]float64{1.5, 0}),
	}
	for i, c := range want {
		if diff := cmp.Diff(fmt.Sprint(c), fmt.Sprint(f.Columns[i])); diff != "" {
			t.Errorf("column %s: %s", f.Schema.Fields[i].Name, diff)
		}
	}
	var kinds []string
	for i := range f.Schema.Fields {
		kinds = append(kinds, f.Schema.Fields[i].Kind.String())
	}
	if !slices.Equal(kinds, []string{"date", "date", "date", "categorical", "numeric"}) ||
		f.Schema.Fields[3].Levels[0] != "2024-02-29T11:00:00Z" {
		t.Errorf("kinds %v, levels %v", kinds, f.Schema.Fields[3].Levels)
	}
	type embeds struct{ time.Time }
	if f := must(data.FromStructs([]embeds{{noon}}))(t); f.Schema.Fields[0].Kind != data.Date ||
		f.Schema.Fields[0].Name != "Time" {
		t.Errorf("an embedded time is %+v", f.Schema.Fields[0])
	}
}

func TestTimesInColumns(t *testing.T) {
	day := time.Date(2024, 3, 1, 0, 0, 0, 0, time.UTC)
	f := must(data.FromColumns(named("when", []time.Time{day, {}}),
		named("back", []*time.Time{nil, &day}),
		data.NamedColumn{Name: "took", Values: []time.Duration{time.Second, 1},
			Categorical: true}))(t)
	if got := fmt.Sprint(f.Columns[0].Numbers(), f.Columns[1].Numbers(),
		f.Schema.Fields[2].Levels); got != "[1.7092512e+15 NaN] [NaN 1.7092512e+15] [0.001 1000000]" {
		t.Error(got)
	}
}

// TestDatesHaveRoles: a date column gives the same times as its texts, groups by date, and is
// refused where numbers are needed.
func TestDatesHaveRoles(t *testing.T) {
	texts := []string{"2024-03-01", "2024-02-29", "2024-03-01T00:00:00.5+01:00"}
	days := data.Numbers(stamps(t, texts...))
	asTexts := table(t, named("x", []float64{1, 2, 3}), named("t", texts))
	asDates := table(t, named("x", []float64{1, 2, 3}), named("t", []float64{0, 0, 0}))
	asDates.Schema.Fields[1].Kind, asDates.Columns[1] = data.Date, days

	want := must(data.Roles{Time: "t"}.Apply(asTexts))(t)
	got := must(data.Roles{Time: "t"}.Apply(asDates))(t)
	if diff := cmp.Diff(want.Target, got.Target); diff != "" {
		t.Error(diff)
	}
	if names := got.Schema.Names(); !slices.Equal(names, []string{"x"}) {
		t.Errorf("features %v", names)
	}
	got = must(data.Roles{Time: "t", TimeFeature: true}.Apply(asDates))(t)
	if names := strings.Join(got.Schema.Names(),
		" "); names != "x t.month t.weekday t.hour t.days" || got.Target.Time == nil {
		t.Errorf("features %v", names)
	}
	got = must(data.Roles{Group: "t"}.Apply(asDates))(t)
	if diff := cmp.Diff(want.Target.Time, got.Target.Group); diff != "" {
		t.Error(diff)
	}
	for want, r := range map[string]data.Roles{
		`t.csv: the label "t" holds dates`:                              {Label: "t", Task: data.Regression},
		`t.csv: the weight column "t" holds dates, want numbers`:        {Weight: "t"},
		`t.csv: the initial score column "t" holds dates, want numbers`: {Start: []string{"t"}},
		`t.csv: the upper end column "t" holds dates, want numbers`:     {Label: "x", Upper: "t"},
		`t.csv:2: the event in column "t" is "2024-03-01"`:              {Label: "x", Event: "t"},
	} {
		_, err := r.Apply(asDates)
		wantError(t, err, want)
	}
	asDates.Columns[1] = data.Numbers([]float64{0, math.NaN(), 0})
	_, err := data.Roles{Time: "t"}.Apply(asDates)
	wantError(t, err, `t.csv:3: the time in column "t" is missing`)
}

func TestRolesExpandDates(t *testing.T) {
	var logged notes
	f := dated(t, "", "2024-03-01", "2024-03-02", "2025-01-01")
	ds := must(data.Roles{Label: "y", Log: logged.log}.Apply(f))(t)
	if names := strings.Join(ds.Schema.Names(),
		" "); names != "x when.year when.month when.weekday when.days" {
		t.Errorf("features %s", names)
	}
	if want := (notes{`column "when" holds dates and becomes when.year, when.month, when.weekday, when.days`}); !slices.Equal(logged, want) {
		t.Errorf("notes %q", logged)
	}
	more := must(data.Concat(f, dated(t, "dmy", "2019-01-01T10:00")))(t)
	again := must(data.Roles{Label: "y", Like: &ds.Schema}.Apply(more))(t)
	if diff := cmp.Diff(ds.Schema, again.Schema); diff != "" {
		t.Error(diff)
	}
	if days := again.Columns[4].Numbers(); again.Rows() != 4 || days[0] != 0 || days[3] != -1886+10.0/24 {
		t.Errorf("days %v", days)
	}
}

func TestConcatRefusesOtherOrigins(t *testing.T) {
	a := must(data.Expand(dated(t, "", "2024-03-01", "2024-03-02"), nil))(t)
	b := must(data.Expand(dated(t, "", "2024-03-02", "2024-03-03"), nil))(t)
	_, err := data.Concat(a, b)
	wantError(t, err, `column "when.days" is another part of a date`)
	_, err = data.Concat(a, dated(t, ""))
	wantError(t, err, `there is no column "when.weekday"`)
	_, err = data.Concat(dated(t, "", "2024-03-01"),
		must(data.FromColumns(named("x", []float64{1}), named("when", []float64{1}),
			named("y", []float64{1})))(t))
	wantError(t, err, `column "when" is numeric, in the table before it it is date`)
}

func TestDescribeDates(t *testing.T) {
	s := data.Describe(dated(t, "", "2024-03-01", "", "2024-02-29T17:05", "2024-03-01"), 0)[1]
	want := data.ColumnSummary{Name: "when", Kind: data.Date, Rows: 4, Missing: 1, Distinct: 2,
		First: "2024-02-29T17:05:00Z", Last: "2024-03-01"}
	if diff := cmp.Diff(want, s); diff != "" {
		t.Error(diff)
	}
}

func TestDatesInSubsets(t *testing.T) {
	f := dated(t, "dmy", "2024-03-01", "", "2024-02-29").Subset([]int32{2, 1}).Select([]int{1})
	if !f.IsMissing(1, 0) || f.IsMissing(0, 0) ||
		data.DateText(f.Columns[0].Number(0)) != "2024-02-29" || f.Schema.Fields[0].Format != "dmy" {
		t.Errorf("%+v", f)
	}
}

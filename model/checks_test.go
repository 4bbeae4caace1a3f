package model_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/model"
)

// checked is a model of three columns: x from 1 to 5, day in 2024 and never missing, kind of two
// levels and sometimes missing.
func checked(t *testing.T) *model.Ensemble {
	t.Helper()
	first, last := float64(1704067200e6), float64(1735603200e6)
	day := data.Field{Name: "day.days", From: &data.DatePart{Source: "day", Part: data.Days, Origin: first}}
	m := stumps(t, data.Field{Name: "x"}, day, category("kind", "a", "b"))
	low, high := 1.0, 5.0
	m.Meta.Profile = &model.Profile{Rows: 100, Columns: []model.ColumnProfile{
		{Name: "x", Missing: 3, Distinct: 5, Numbers: &model.NumberProfile{Min: &low, Max: &high}},
		{Name: "day", Kind: data.Date, Distinct: 9, Numbers: &model.NumberProfile{Min: &first, Max: &last}},
		{Name: "kind", Kind: data.Categorical, Missing: 1, Distinct: 2, Levels: []data.LevelCount{{Level: "a", Rows: 60}, {Level: "b", Rows: 39}}},
	}}
	return m
}

// A row and its table have the flags that follow from the definition, whatever dictionary the table
// has, with dates as they were read or as days.
func TestChecksFlagRows(t *testing.T) {
	m := checked(t)
	r := rng.New(3)
	const n = 300
	x, day := make([]float64, n), make([]float64, n)
	kind := make([]uint32, n)
	levels := []string{"new", "b", "other", "a"}
	want := make([][]model.Flag, n)
	for i := range n {
		x[i], day[i] = []float64{1, 5, 3, 0.999, 5.001, math.NaN(), math.Inf(1), math.Inf(-1)}[r.Intn(8)],
			[]float64{1704067200e6, 1735603200e6, 1704067199e6, 1735603201e6, math.NaN()}[r.Intn(5)]
		kind[i] = []uint32{0, 1, 2, 3, data.UnseenCode, data.MissingCode}[r.Intn(6)]
		if x[i] < 1 || x[i] > 5 {
			want[i] = append(want[i], model.Flag{Column: "x", Kind: model.OutOfRange})
		}
		switch {
		case day[i] != day[i]:
			want[i] = append(want[i], model.Flag{Column: "day", Kind: model.NewMissing})
		case day[i] < 1704067200e6 || day[i] > 1735603200e6:
			want[i] = append(want[i], model.Flag{Column: "day", Kind: model.OutOfRange})
		}
		if kind[i] != 1 && kind[i] != 3 && kind[i] != data.MissingCode {
			want[i] = append(want[i], model.Flag{Column: "kind", Kind: model.NewCategory})
		}
	}
	read, err := data.NewFrame(data.Schema{Fields: []data.Field{category("kind", levels...), {Name: "x"}, {Name: "day", Kind: data.Date}}},
		[]data.Column{data.Codes(kind), data.Numbers(x), data.Numbers(day)})
	if err != nil {
		t.Fatal(err)
	}
	expanded := data.ExpandLike(read, &m.Meta.Schema)
	c := model.NewCoverage(m)
	c.Check(model.FlagAll)
	if err := c.Add(expanded); err != nil {
		t.Fatal(err)
	}
	for _, f := range []*data.Frame{read, expanded} {
		rows := model.FlagAll.Bind(m, &f.Schema)
		for i := range n {
			values := make([]float64, len(f.Columns))
			for k := range values {
				column := &f.Columns[k]
				switch {
				case column.Codes() == nil:
					values[k] = column.Number(i)
				case column.Code(i) == data.MissingCode:
					values[k] = math.NaN()
				case column.Code(i) == data.UnseenCode:
					values[k] = -1
				default:
					values[k] = float64(column.Code(i))
				}
			}
			got, err := rows.Row(nil, values)
			if err != nil || !slices.Equal(got, want[i]) || !slices.Equal(c.Flags(nil, i), want[i]) {
				t.Fatalf("row %d, %v: alone %v, in the table %v, want %v; %v", i, values, got, c.Flags(nil, i), want[i], err)
			}
		}
	}
	counts := map[model.Flag]int{}
	for _, flags := range want {
		for _, f := range flags {
			counts[f]++
		}
	}
	for _, x := range c.Columns() {
		for _, kind := range []model.FlagKind{model.NewCategory, model.NewMissing, model.OutOfRange} {
			n := 0
			if slices.Contains(x.Found(), kind) {
				n = x.Count(kind)
			}
			if want := counts[model.Flag{Column: x.Column, Kind: kind}]; n != want {
				t.Errorf("%s: %d %s, want %d", x.Column, n, kind, want)
			}
		}
	}
}

// Values are refused by the policy of their kind and column; the first row of a table is named.
func TestChecksRefuse(t *testing.T) {
	m := checked(t)
	f, err := data.NewFrame(m.Meta.Schema, []data.Column{data.Numbers([]float64{2, 7, 2, 9}),
		data.Numbers([]float64{1, 2, math.NaN(), 400}), data.Codes([]uint32{0, 1, 0, data.UnseenCode})})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		checks model.Checks
		row    int
		want   string
		flags  string // of the last row
	}{
		{model.Checks{}, -1, "", "[]"},
		{model.Checks{Range: data.Refuse}, 1, `row 2, column "x": 7 is out of the range of training, 1 to 5`, ""},
		{model.Checks{Range: data.Refuse, Columns: map[string]model.Checks{"x": {}}}, 3,
			`row 4, column "day": 2025-02-04 is out of the range of training, 2024-01-01 to 2024-12-31`, ""},
		{model.Checks{Missing: data.Refuse}, 2, `row 3, column "day": missing value, and no training row missed one`, ""},
		{model.Checks{New: data.Refuse, Range: data.Flag}, 3, `row 4, column "kind": category never seen in training`, ""},
		{model.Checks{Range: data.Flag, Columns: map[string]model.Checks{"x": {}}}, -1, "", "[{day range}]"},
	} {
		known := model.NewCoverage(m)
		known.Check(c.checks)
		err := known.Add(f)
		if c.want == "" {
			if got := fmt.Sprint(known.Flags(nil, 3)); err != nil || got != c.flags {
				t.Errorf("%+v: %v, %v", c.checks, got, err)
			}
			continue
		}
		if err == nil || err.Error() != c.want {
			t.Errorf("%+v: %v, want %s", c.checks, err, c.want)
		}
		row := []float64{f.Columns[0].Number(c.row), f.Columns[1].Number(c.row), float64(int32(f.Columns[2].Code(c.row)))}
		if row[2] < 0 {
			row[2] = -1
		}
		_, err = c.checks.Bind(m, &f.Schema).Row(nil, row)
		if alone, is := err.(*model.ValueError); !is || "row "+fmt.Sprint(c.row+1)+", "+alone.Error() != c.want {
			t.Errorf("%+v: alone %v, want %s", c.checks, err, c.want)
		}
	}
	if (model.Checks{}).Bind(m, &f.Schema) != nil {
		t.Error("checks that accept all are not nil")
	}
}

// A model without a profile finds new categories alone. Numbers that are bare codes are categories.
func TestChecksWithoutProfile(t *testing.T) {
	m := stumps(t, data.Field{Name: "x"}, category("code", "0", "2"))
	m.Meta.Schema.Fields[1].Format = data.CodeLevels
	s := &data.Schema{Fields: []data.Field{{Name: "x"}, {Name: "code"}}}
	rows := model.FlagAll.Bind(m, s)
	for code, want := range map[float64]string{0: "[]", 2: "[]", 1: "[{code new}]", math.NaN(): "[]"} {
		got, err := rows.Row(nil, []float64{1e300, code})
		if fmt.Sprint(got) != want || err != nil {
			t.Errorf("code %v: %v, %v, want %s", code, got, err, want)
		}
	}
}

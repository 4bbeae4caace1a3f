package quality_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/quality"
)

// roles returns a data set of columns by roles.
func roles(t *testing.T, r data.Roles, columns ...data.NamedColumn) *data.Dataset {
	t.Helper()
	f, err := data.FromColumns(columns...)
	if err != nil {
		t.Fatal(err)
	}
	ds, err := r.Apply(f)
	if err != nil {
		t.Fatal(err)
	}
	return ds
}

// days returns a date for each row.
func days(of func(row int) int) []time.Time {
	return filled(func(i int) time.Time {
		return time.Date(2019, 1, 1+of(i), 0, 0, 0, 0, time.UTC)
	})
}

// Columns of all-different texts are alike but for the names of their categories, and no copies.
func TestDifferentTexts(t *testing.T) {
	names := filled(func(i int) string { return fmt.Sprint("name ", i) })
	tickets := filled(func(i int) string { return fmt.Sprint("ticket ", i*7919%rows) })
	again := slices.Clone(names)
	again[rows/2] = "another"
	// a twentieth of the tickets is held by two names, in both columns
	shared := slices.Clone(tickets)
	for i := range rows / 20 {
		shared[2*i] = shared[2*i+1]
	}
	renamed := filled(func(i int) string { return shared[i] + " of 1912" })
	for name, c := range map[string]struct {
		first, second []string
		copies        bool
	}{
		"different":           {names, tickets, false},
		"the same":            {names, slices.Clone(names), true},
		"the same but one":    {names, again, false},
		"shared by the same":  {shared, renamed, true},
		"shared by different": {shared, again, false},
	} {
		found := check(t, with(t, "", append(plain(), data.NamedColumn{Name: "a", Values: c.first},
			data.NamedColumn{Name: "b", Values: c.second})...), nil, nil)
		copies := slices.ContainsFunc(found, func(w quality.Warning) bool {
			return w.Check == "duplicate_columns" && slices.Equal(w.Columns, []string{"b"})
		})
		if copies != c.copies {
			t.Errorf("%s: %v", name, found)
		}
	}
}

// A few rows of few values are alike in two columns by chance.
func TestEqualByChance(t *testing.T) {
	for n, want := range map[int]bool{6: false, 40: true} {
		bits := func() any {
			return slices.Repeat([]string{"a", "b"}, n/2)
		}
		found := check(t, with(t, "", data.NamedColumn{Name: "a", Values: bits()},
			data.NamedColumn{Name: "b", Values: bits()}), nil, nil)
		if copies := len(found) > 0; copies != want {
			t.Errorf("%d rows: %v", n, found)
		}
	}
}

// Rows that differ in an identifier are no copies, whatever kind of identifier it is.
func TestRowsOfDifferentThings(t *testing.T) {
	half := func(values []string) []string { return append(values[:rows/2:rows/2], values[:rows/2]...) }
	city := half(plain()[2].Values.([]string))
	size := half(filled(func(i int) string { return fmt.Sprint(i * i % 97) }))
	for name, c := range map[string]struct {
		id       any
		repeated bool
	}{
		"none":       {filled(func(i int) int { return i % (rows / 2) }), true},
		"row number": {filled(func(i int) int { return i + 1 }), false},
		"numbers":    {filled(func(i int) int { return i * 7919 % rows }), false},
		"names":      {filled(func(i int) string { return fmt.Sprint("name ", i) }), false},
	} {
		found := check(t, with(t, "", data.NamedColumn{Name: "city", Values: city},
			data.NamedColumn{Name: "size", Values: size},
			data.NamedColumn{Name: "id", Values: c.id}), nil, nil)
		repeated := slices.ContainsFunc(found,
			func(w quality.Warning) bool { return w.Check == "duplicate_rows" && w.Rows == rows/2 })
		if repeated != c.repeated {
			t.Errorf("%s: %v", name, found)
		}
	}
}

// Copies that a group keeps together are no finding.
func TestCopiesOfOneGroup(t *testing.T) {
	half := func(i int) int { return i % (rows / 2) }
	columns := plain()
	x, city := columns[0].Values.([]float64), columns[2].Values.([]string)
	for name, c := range map[string]struct {
		group []int
		want  []string
	}{
		"one group":    {filled(half), nil},
		"other groups": {filled(func(i int) int { return i }), []string{"duplicate_rows []"}},
	} {
		t.Run(name, func(t *testing.T) {
			ds := roles(t, data.Roles{Group: "g"}, data.NamedColumn{Name: "g", Values: c.group},
				data.NamedColumn{Name: "x", Values: filled(func(i int) float64 { return x[half(i)] })},
				data.NamedColumn{Name: "city", Values: filled(func(i int) string { return city[half(i)] })})
			expect(t, check(t, ds, nil, nil), c.want...)
		})
	}
}

// The parts of a date are one column in every check.
func TestDatesAreOneColumn(t *testing.T) {
	r := random(7)
	shuffled := r.Perm(rows)
	day := data.NamedColumn{Name: "day", Values: days(func(i int) int { return 2 * shuffled[i] })}
	later := data.NamedColumn{Name: "later",
		Values: days(func(i int) int { return 2*shuffled[i] + i%3 })}
	again := data.NamedColumn{Name: "again", Values: day.Values}
	inMay := data.NamedColumn{Name: "in may",
		Values: days(func(i int) int { return 120 + shuffled[i]%30 })}
	month := data.NamedColumn{Name: "month",
		Values: filled(func(i int) int { return int(day.Values.([]time.Time)[i].Month()) })}
	late := data.NamedColumn{Name: "y",
		Values: filled(func(i int) bool { return shuffled[i] >= rows/2 })}
	number := data.NamedColumn{Name: "y",
		Values: filled(func(i int) float64 { return float64(shuffled[i]*shuffled[i]) + 0.5 })}
	for name, c := range map[string]struct {
		columns []data.NamedColumn
		want    []string
	}{
		"leak of classes":        {[]data.NamedColumn{day, late}, []string{"leakage [day]"}},
		"leak of numbers":        {[]data.NamedColumn{day, number}, []string{"leakage [day]"}},
		"one year and month":     {[]data.NamedColumn{inMay, label()}, nil},
		"another date":           {[]data.NamedColumn{day, later, label()}, nil},
		"the same date":          {[]data.NamedColumn{day, again, label()}, []string{"duplicate_columns [again]"}},
		"its month, behind it":   {[]data.NamedColumn{day, month, label()}, []string{"duplicate_columns [month]"}},
		"its month, in front":    {[]data.NamedColumn{month, day, label()}, []string{"duplicate_columns [month]"}},
		"the same day, all rows": {[]data.NamedColumn{{Name: "day", Values: days(func(int) int { return 3 })}, label()}, []string{"constant [day]"}},
	} {
		t.Run(name, func(t *testing.T) {
			expect(t, check(t, roles(t, data.Roles{Label: "y"},
				append(plain(), relabeled(c.columns)...)...), nil, nil), c.want...)
		})
	}
}

// relabeled calls the label y.
func relabeled(columns []data.NamedColumn) []data.NamedColumn {
	own := slices.Clone(columns)
	for i := range own {
		if own[i].Name == "label" {
			own[i].Name = "y"
		}
	}
	return own
}

// A test set of later rows has later times, which are no finding if rows are split by them.
func TestShiftByTime(t *testing.T) {
	day := data.NamedColumn{Name: "day", Values: days(func(i int) int { return i })}
	year := data.NamedColumn{Name: "year", // with two rows of one value
		Values: filled(func(i int) float64 { return 2019 + float64(i/2)/182.5 })}
	r := random(8)
	price := data.NamedColumn{Name: "price", Values: filled(func(i int) float64 {
		if i >= rows/2 {
			return 2 + r.Float64()
		}
		return r.Float64()
	})}
	all := data.AllRows(rows)
	for name, c := range map[string]struct {
		time    string
		feature bool
		columns []data.NamedColumn
		want    []string
	}{
		"by day":            {"day", true, []data.NamedColumn{day, year}, nil},
		"by day, of price":  {"day", false, []data.NamedColumn{day, year, price}, []string{"shift [price]"}},
		"no split by time":  {"", false, []data.NamedColumn{day, year}, []string{"shift [day year]"}},
		"by time, reversed": {"day", true, []data.NamedColumn{{Name: "day", Values: days(func(i int) int { return rows - i })}, year}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			ds := roles(t, data.Roles{Time: c.time, TimeFeature: c.feature},
				append(plain(), c.columns...)...)
			expect(t, check(t, ds, all[:rows/2], all[rows/2:]), c.want...)
		})
	}
}

// A test set of few groups has the values of these groups.
func TestShiftOfGroups(t *testing.T) {
	r := random(9)
	all := data.AllRows(rows)
	for groups, want := range map[int][]string{8: nil, rows: {"shift [height sex]"}} {
		height, sex := make([]float64, groups), make([]string, groups)
		for g := range groups {
			height[g], sex[g] = r.NormFloat64(), []string{"f", "m"}[r.IntN(2)]
			if g >= groups/2 { // 4 of 8 are tall by chance
				height[g], sex[g] = 3+r.Float64(), "m"
			}
		}
		of := func(i int) int { return i * groups / rows }
		ds := roles(t, data.Roles{Group: "person"},
			append(plain(), data.NamedColumn{Name: "person", Values: filled(of)},
				data.NamedColumn{Name: "height", Values: filled(func(i int) float64 { return height[of(i)] })},
				data.NamedColumn{Name: "sex", Values: filled(func(i int) string { return sex[of(i)] })})...)
		t.Run(fmt.Sprint(groups), func(t *testing.T) {
			expect(t, check(t, ds, all[:rows/2], all[rows/2:]), want...)
		})
	}
}

// Sorted rows of one feature are a curve.
func TestCurve(t *testing.T) {
	x := data.NamedColumn{Name: "x", Values: filled(func(i int) float64 { return float64(i) / 4 })}
	y := data.NamedColumn{Name: "y", Values: filled(func(i int) float64 { return float64(i * 7919 % rows) })}
	expect(t, check(t, with(t, "y", x, y), nil, nil))
}

// Warnings come in the order of what they cost.
func TestSort(t *testing.T) {
	var found []quality.Warning
	names := []string{"duplicate_columns", "of another package", "constant", quality.TimeOrder,
		"shift", "identifier", "duplicate_rows", "duplicates_across", "total_row", quality.RarePositive, "leakage"}
	for _, name := range names {
		found = append(found, quality.Warning{Check: name})
	}
	quality.Sort(found)
	want := []string{"leakage 6", "rare_positive 5", "total_row 5", "duplicates_across 4", "duplicate_rows 4",
		"identifier 3", "shift 2", "time_order 2", "constant 1", "duplicate_columns 1",
		"of another package 0"}
	for i, w := range found {
		if got := fmt.Sprint(w.Check, " ", w.Severity); got != want[i] {
			t.Errorf("%d: %s, want %s", i, got, want[i])
		}
	}
	last := 7
	for _, e := range quality.Table() {
		if e.Severity > last || e.Severity < 1 {
			t.Errorf("%s has severity %d behind %d", e.Name, e.Severity, last)
		}
		last = e.Severity
	}
}

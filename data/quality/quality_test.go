package quality_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/quality"
)

// rows is the number of rows of the tables here.
const rows = 400

// random is a stream of numbers for one column.
func random(column uint64) *rand.Rand { return rand.New(rand.NewPCG(1, column)) }

func filled[T any](value func(row int) T) []T {
	values := make([]T, rows)
	for i := range values {
		values[i] = value(i)
	}
	return values
}

// plain columns give no reason for a warning.
func plain() []data.NamedColumn {
	r := random(0)
	return []data.NamedColumn{
		{Name: "x", Values: filled(func(int) float64 { return r.NormFloat64() })},
		{Name: "count", Values: filled(func(int) int { return r.IntN(1000) })},
		{Name: "city", Values: filled(func(int) string { return fmt.Sprint("city ", r.IntN(20)) })},
	}
}

// with returns a data set of columns with a label, which is one of them.
func with(t *testing.T, label string, columns ...data.NamedColumn) *data.Dataset {
	t.Helper()
	f, err := data.FromColumns(columns...)
	if err != nil {
		t.Fatal(err)
	}
	ds, err := data.Roles{Label: label}.Apply(f)
	if err != nil {
		t.Fatal(err)
	}
	return ds
}

func check(t *testing.T, ds *data.Dataset, rows, test []int32) []quality.Warning {
	t.Helper()
	found, err := quality.Check(context.Background(), ds, rows, test, 1)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// expect compares the checks and columns of warnings: "constant [a b]".
func expect(t *testing.T, found []quality.Warning, want ...string) {
	t.Helper()
	var got []string
	for _, w := range found {
		got = append(got, fmt.Sprint(w.Check, " ", w.Columns))
		if w.Message == "" || w.Advice == "" {
			t.Errorf("%s: message %q, advice %q", w.Check, w.Message, w.Advice)
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("warnings %q, want %q", got, want)
	}
}

// label has two classes that no plain column predicts.
func label() data.NamedColumn {
	r := random(1)
	return data.NamedColumn{Name: "label", Values: filled(func(int) bool { return r.IntN(3) == 0 })}
}

func TestPlainTable(t *testing.T) {
	all := data.AllRows(rows)
	expect(t, check(t, with(t, "label", append(plain(), label())...), all[:300], all[300:]))
	expect(t, check(t, with(t, "", plain()...), nil, nil))
}

func TestColumns(t *testing.T) {
	r := random(2)
	order := r.Perm(rows)
	order[0] = rows + 50 // numbers need not be without gaps
	negative := filled(func(i int) float64 { return -float64(i*i) - 0.5 })
	seldom := filled(func(i int) string { return fmt.Sprint("name ", i) })
	for i := range 15 {
		seldom[20*i] = seldom[0]
	}
	often := slices.Clone(seldom)
	for i := range 40 {
		often[9*i] = often[0]
	}
	nearly := filled(func(int) string { return "same" })
	nearly[rows-1] = "other"
	for name, c := range map[string]struct {
		column any
		want   []string
	}{
		"increasing":             {filled(func(i int) int { return 3*i + 7 }), []string{"identifier [new]"}},
		"decreasing":             {negative, []string{"identifier [new]"}},
		"increasing but one":     {append([]float64{2.5}, filled(func(i int) float64 { return float64(i) * 1.5 })[1:]...), nil},
		"numbered":               {order, []string{"identifier [new]"}},
		"numbered, with a copy":  {append([]int{order[1]}, order[1:]...), nil},
		"numbered, with a hole":  {append([]float64{math.NaN()}, filled(func(i int) float64 { return float64(order[i]) })[1:]...), nil},
		"numbers with gaps":      {filled(func(i int) int { return 5 * order[i] }), nil},
		"names":                  {filled(func(i int) string { return fmt.Sprint("name ", i) }), []string{"identifier [new]"}},
		"names, 96 % of them":    {seldom, []string{"identifier [new]"}},
		"names, 87 % of them":    {often, nil},
		"constant":               {filled(func(int) int { return 7 }), []string{"constant [new]"}},
		"zeros of both signs":    {append([]float64{math.Copysign(0, -1)}, make([]float64, rows-1)...), []string{"constant [new]"}},
		"dates in their order":   {filled(func(i int) time.Time { return time.UnixMicro(int64(i) * 8e9) }), nil},
		"missing":                {filled(func(int) string { return "" }), []string{"constant [new]"}},
		"constant but the last":  {nearly, nil},
		"constant but a missing": {append([]float64{math.NaN()}, make([]float64, rows-1)...), nil},
	} {
		t.Run(name, func(t *testing.T) {
			expect(t,
				check(t,
					with(t, "",
						append(plain(), data.NamedColumn{Name: "new", Values: c.column})...), nil,
					nil), c.want...)
		})
	}
}

func TestDuplicateColumns(t *testing.T) {
	columns := plain()
	city := columns[2].Values.([]string)
	renamed := filled(func(i int) string { return "in the " + city[i][3:] })
	merged := slices.Clone(renamed)
	for i := range merged {
		if merged[i] == "in the y 3" {
			merged[i] = "in the y 4"
		}
	}
	changed := slices.Clone(columns[0].Values.([]float64))
	changed[rows-1]++
	columns = append(columns, data.NamedColumn{Name: "x again", Values: columns[0].Values},
		data.NamedColumn{Name: "x, changed", Values: changed},
		data.NamedColumn{Name: "town", Values: renamed},
		data.NamedColumn{Name: "merged", Values: merged})
	found := check(t, with(t, "", columns...), nil, nil)
	expect(t, found, "duplicate_columns [x again town]")
	if want := `column "x again" repeats "x", column "town" repeats "city"`; found[0].Message != want {
		t.Errorf("message %s, want %s", found[0].Message, want)
	}
}

func TestDuplicateRows(t *testing.T) {
	columns := append(plain(), label(), data.NamedColumn{Name: "id",
		Values: filled(func(i int) int { return i })})
	ds := with(t, "label", columns...)
	all := data.AllRows(rows)
	copies := func(n int) *data.Dataset { // of the first rows, behind all
		f := ds.Subset(append(slices.Clone(all), all[:n]...))
		target := ds.Target
		target.Class = data.Pick(ds.Target.Class, append(slices.Clone(all), all[:n]...))
		return &data.Dataset{Frame: f, Target: target}
	}
	expect(t, check(t, copies(3), nil, nil))
	found := check(t, copies(6), nil, nil)
	expect(t, found, "duplicate_rows []")
	if found[0].Rows != 6 || found[0].Message != "6 of 406 training rows repeat an earlier row" {
		t.Errorf("%d rows: %s", found[0].Rows, found[0])
	}
	behind := data.AllRows(rows + 6)[rows-94:]
	found = check(t, copies(6), all[:rows-94], behind)
	expect(t, found, "duplicates_across []", "identifier [id]")
	if found[0].Rows != 6 || found[0].Message != "6 of 100 test rows repeat a training row" {
		t.Errorf("%d rows: %s", found[0].Rows, found[0])
	}
	other := copies(6)
	for row := rows; row < rows+6; row++ {
		other.Target.Class[row] = 1 - other.Target.Class[row]
	}
	expect(t, check(t, other, nil, nil))
}

// TestFewValues: rows of few values are equal by chance.
func TestFewValues(t *testing.T) {
	r := random(3)
	var columns []data.NamedColumn
	for i := range 4 {
		columns = append(columns, data.NamedColumn{Name: fmt.Sprint("answer ", i),
			Values: filled(func(int) int { return r.IntN(3) })})
	}
	expect(t, check(t, with(t, "", columns...), nil, nil))
}

func TestLeakage(t *testing.T) {
	r := random(4)
	class := label()
	isTrue := class.Values.([]bool)
	// a threshold at 0 that is wrong for so many rows of each class
	score := func(errors int) []float64 {
		wrong := map[bool]int{}
		return filled(func(i int) float64 {
			side := isTrue[i]
			if wrong[isTrue[i]]++; wrong[isTrue[i]] <= errors {
				side = !side
			}
			if side {
				return 1 + r.Float64()
			}
			return -1 - r.Float64()
		})
	}
	byCity := filled(func(i int) string { return fmt.Sprint(isTrue[i], " ", r.IntN(8)) })
	of3 := filled(func(int) string { return string("abc"[r.IntN(3)]) })
	code3 := filled(func(i int) float64 {
		return float64((int(of3[i][0]-'a')+1)%3) +
			r.Float64()/4
	})
	price := filled(func(int) float64 { return 100 + 900*r.Float64() })
	taxed := filled(func(i int) float64 { return 1000 - 0.3*price[i] })
	rough := filled(func(i int) float64 { return price[i] + 200*r.NormFloat64() })
	for name, c := range map[string]struct {
		label, feature any
		value          float64 // of the warning, 0: none
	}{
		"threshold":            {isTrue, score(0), 1},
		"threshold, one wrong": {isTrue, score(1), 0.9945},
		"threshold, five":      {isTrue, score(5), 0},
		"categories":           {isTrue, byCity, 1},
		"names":                {isTrue, filled(func(i int) string { return fmt.Sprint(isTrue[i], i) }), 0},
		"three classes":        {of3, code3, 1},
		"two of three classes": {of3, filled(func(i int) float64 { return math.Min(code3[i], 1) }), 0},
		"number":               {price, taxed, 0.998},
		"rough number":         {price, rough, 0},
	} {
		t.Run(name, func(t *testing.T) {
			columns := append(plain(), data.NamedColumn{Name: "leak", Values: c.feature},
				data.NamedColumn{Name: "label", Values: c.label})
			found := check(t, with(t, "label", columns...), nil, nil)
			found = slices.DeleteFunc(found,
				func(w quality.Warning) bool { return w.Check == "identifier" })
			if c.value == 0 {
				expect(t, found)
				return
			}
			expect(t, found, "leakage [leak]")
			if math.Abs(found[0].Value-c.value) > 2e-3 {
				t.Errorf("value %v, want %v", found[0].Value, c.value)
			}
		})
	}
}

// TestPairLeak: two numbers make up the label of a regression, and neither does alone.
func TestPairLeak(t *testing.T) {
	r := random(14)
	amount := func() []float64 { return filled(func(int) float64 { return 1 + 9*r.Float64() }) }
	noise := func(i int) float64 { return r.NormFloat64() }
	for name, c := range map[string]struct {
		label func(a, b float64) float64
		noise float64
		form  string // "": no warning
	}{
		"sum":         {func(a, b float64) float64 { return a + b }, 0, "weighted sum"},
		"difference":  {func(a, b float64) float64 { return 7 - 2*a + 3*b }, 0, "weighted sum"},
		"product":     {func(a, b float64) float64 { return a * b }, 0, "product of powers"},
		"ratio":       {func(a, b float64) float64 { return a / b }, 0, "product of powers"},
		"rounded":     {func(a, b float64) float64 { return math.Round(100*(a+b)) / 100 }, 0, "weighted sum"},
		"noisy sum":   {func(a, b float64) float64 { return a + b }, 0.1, ""},
		"other forms": {func(a, b float64) float64 { return a + b*b }, 0, ""},
	} {
		t.Run(name, func(t *testing.T) {
			a, b := amount(), amount()
			y := filled(func(i int) float64 { return c.label(a[i], b[i]) + c.noise*noise(i) })
			found := check(t, with(t, "y", append(plain(), data.NamedColumn{Name: "a", Values: a},
				data.NamedColumn{Name: "b", Values: b}, data.NamedColumn{Name: "y", Values: y})...), nil, nil)
			if c.form == "" {
				expect(t, found)
				return
			}
			if len(found) != 1 || found[0].Check != "leakage" || len(found[0].Columns) != 2 ||
				!slices.Contains(found[0].Columns, "a") || !slices.Contains(found[0].Columns, "b") ||
				!strings.Contains(found[0].Message, c.form) || found[0].Value < 0.9999 {
				t.Errorf("%v, want the %s of a and b", found, c.form)
			}
		})
	}
}

// TestShift: the last 200 rows are the test set.
func TestShift(t *testing.T) {
	r := random(5)
	late := func(i int) bool { return i >= rows/2 }
	for name, c := range map[string]struct {
		column any
		value  float64 // of the warning, 0: none
	}{
		"moved":           {filled(func(i int) float64 { return r.NormFloat64() + map[bool]float64{true: 2}[late(i)] }), 0.68},
		"moved a little":  {filled(func(i int) float64 { return r.NormFloat64() + map[bool]float64{true: 0.2}[late(i)] }), 0},
		"missing":         {filled(func(i int) float64 { return map[bool]float64{true: math.NaN()}[late(i) && i%2 == 0] + r.Float64() }), 0.5},
		"new categories":  {filled(func(i int) string { return fmt.Sprint(late(i) && i%4 == 0, r.IntN(3)) }), 0.25},
		"many categories": {filled(func(i int) string { return fmt.Sprint(r.IntN(100)) }), 0},
	} {
		t.Run(name, func(t *testing.T) {
			ds := with(t, "", append(plain(), data.NamedColumn{Name: "new", Values: c.column})...)
			all := data.AllRows(rows)
			found := check(t, ds, all[:rows/2], all[rows/2:])
			if c.value == 0 {
				expect(t, found)
				return
			}
			expect(t, found, "shift [new]")
			if math.Abs(found[0].Value-c.value) > 0.08 {
				t.Errorf("distance %v, want %v", found[0].Value, c.value)
			}
		})
	}
	t.Run("label", func(t *testing.T) {
		columns := append(plain(), data.NamedColumn{Name: "label",
			Values: filled(func(i int) bool { return late(i) || i%2 == 0 })})
		all := data.AllRows(rows)
		expect(t, check(t, with(t, "label", columns...), all[:rows/2], all[rows/2:]),
			"shift [label]")
	})
}

// TestWorkers: the same warnings for any number of workers, and none once the context is done.
func TestWorkers(t *testing.T) {
	columns := append(plain(), label())
	for i := range 7 {
		columns = append(columns, data.NamedColumn{Name: fmt.Sprint("one ", i),
			Values: filled(func(int) int { return i })},
			data.NamedColumn{Name: fmt.Sprint("x ", i), Values: columns[0].Values})
	}
	columns = append(columns, data.NamedColumn{Name: "leak", Values: columns[3].Values})
	ds := with(t, "label", columns...)
	one := check(t, ds, nil, nil)
	expect(t, one, "leakage [leak]", "constant [one 0 one 1 one 2 one 3 one 4 one 5 one 6]",
		"duplicate_columns [x 0 x 1 x 2 x 3 x 4 x 5 x 6]")
	if want := `7 columns have one value in all rows, "one 0", "one 1", "one 2", "one 3", "one 4" and 2 more`; one[1].Message != want {
		t.Errorf("message %s, want %s", one[1].Message, want)
	}
	for _, workers := range []int{0, 2, 9} {
		found, err := quality.Check(context.Background(), ds, nil, nil, workers)
		if err != nil || !reflect.DeepEqual(found, one) {
			t.Errorf("%d workers: %v, %v", workers, found, err)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if found, err := quality.Check(ctx, ds, nil, nil, 2); found != nil ||
		!errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v, %v", found, err)
	}
}

// TestSample: a table that is larger than the samples is checked, too.
func TestSample(t *testing.T) {
	const n = 50_000
	r := random(6)
	x, y, leak := make([]float64, n), make([]bool, n), make([]float64, n)
	for i := range x {
		x[i], y[i] = r.NormFloat64(), r.IntN(50) == 0
		if y[i] {
			leak[i] = 1
		}
	}
	ds := with(t, "y", data.NamedColumn{Name: "x", Values: x},
		data.NamedColumn{Name: "y", Values: y}, data.NamedColumn{Name: "leak", Values: leak})
	expect(t, check(t, ds, nil, nil), "leakage [leak]", "rare_positive []")
}

// A positive class is rare under 5 % of the training rows, by whatever name, and never where it is
// not the positive one of two.
func TestRarePositive(t *testing.T) {
	for _, c := range []struct {
		first, other string
		n            int // rows of the first
		rows, ignore int
		want         string
	}{
		{"yes", "no", 19, rows, 0, `the positive class "yes" is rare, 19 of 400 training rows`},
		{"yes", "no", 20, rows, 0, ""},
		{"no", "yes", 19, rows, 0, ""}, // the rare one is not the positive one
		{"ham", "spam", 19, rows, 0, `the positive class "ham" is rare, 19 of 400 training rows`},
		// of training
		{"yes", "no", 20, rows, 10, `the positive class "yes" is rare, 10 of 390 training rows`},
		{"yes", "no", 19, 100, 0, ""},
	} {
		label := filled(func(row int) string {
			if row < c.n {
				return c.first
			}
			return c.other
		})
		ds := with(t, "y", append(plain(), data.NamedColumn{Name: "y", Values: label})...)
		found := check(t, ds, data.AllRows(c.rows)[c.ignore:], nil)
		switch {
		case c.want == "" && len(found) > 0, c.want != "" &&
			(len(found) != 1 || found[0].Message != c.want ||
				found[0].Check != quality.RarePositive):
			t.Errorf("%+v: %v", c, found)
		case c.want != "" && !(found[0].Value < 0.05 && found[0].Value > 0):
			t.Errorf("%+v: fraction %v", c, found[0].Value)
		}
	}
	three := filled(func(row int) string { return []string{"a", "b", "c"}[min(row, 2)] })
	if found := check(t,
		with(t, "y", append(plain(), data.NamedColumn{Name: "y", Values: three})...), nil,
		nil); len(found) > 0 {
		t.Errorf("three classes: %v", found)
	}
}

// A row whose label is the sum of the others is a total; one of a few others is chance.
func TestTotals(t *testing.T) {
	for others, want := range map[int][]string{rows - 1: {"total_row [y]"}, 3: nil} {
		sum := 0.0
		ds := with(t, "y", append(plain(), data.NamedColumn{Name: "y", Values: filled(func(row int) float64 {
			switch y := float64(row%7) + 0.25; {
			case row == rows-1:
				return sum
			case row < others:
				sum += y
				return y
			}
			return 0
		})})...)
		found := check(t, ds, nil, nil)
		expect(t, found, want...)
		if want != nil && found[0].Message != fmt.Sprintf("row %d: the label is the sum of all others", rows) {
			t.Errorf("message %q", found[0].Message)
		}
	}
}

package split_test

import (
	"math"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/split"
)

// TestTimeColumn checks which of two columns of 40 rows orders the rows, -1 = none.
func TestTimeColumn(t *testing.T) {
	const n = 40
	column := func(value func(i int) float64) []float64 {
		values := make([]float64, n)
		for i := range values {
			values[i] = value(i)
		}
		return values
	}
	mixed := func(i int) float64 { return float64(i * 7 % n) }
	for _, c := range []struct {
		what, name string
		values     []float64
		want       int
	}{
		{"a counter", "n", column(func(i int) float64 { return float64(i) }), 1},
		{"a counter that falls", "n", column(func(i int) float64 { return float64(-3 * i) }), 1},
		{"a sorted feature", "size", column(func(i int) float64 { return float64(i) / 3 }), -1},
		{"a sorted code", "size", column(func(i int) float64 { return float64(i / 3) }), -1},
		{"a sorted day", "day_no", column(func(i int) float64 { return float64(i * 2 / 3) }), 1},
		{"a name alone", "lead_time", column(mixed), -1},
		{"decimal years", "x", column(func(i int) float64 { return 1990 + mixed(i)/12 }), 1},
		{"years", "built", column(func(i int) float64 { return 1990 + mixed(i) }), -1},
		{"days of the calendar", "x", column(func(i int) float64 { return 20240101 + 100*math.Mod(mixed(i), 12) + math.Floor(mixed(i)/12) }), 1},
		{"no days of the calendar", "x", column(func(i int) float64 { return 20240001 + mixed(i) }), -1},
		{"seconds", "x", column(func(i int) float64 { return 1.7e9 + mixed(i) }), 1},
		{"milliseconds", "x", column(func(i int) float64 { return 1.7e12 + mixed(i) }), 1},
		{"few times", "date", column(func(i int) float64 { return float64(i / 4) }), -1},
		{"births", "birth_date", column(func(i int) float64 { return float64(i) }), -1},
		{"no values", "n", column(func(i int) float64 { return math.NaN() }), -1},
	} {
		f, err := data.FromColumns(data.NamedColumn{Name: "a", Values: column(mixed)},
			data.NamedColumn{Name: c.name, Values: c.values})
		if err != nil {
			t.Fatal(err)
		}
		if got := split.TimeColumn(f, data.AllRows(n)); got != c.want {
			t.Errorf("%s: column %d, want %d", c.what, got, c.want)
		}
		if one := f.Select([]int{1}); split.TimeColumn(one, data.AllRows(n)) >= 0 {
			t.Errorf("%s: the only feature", c.what)
		}
	}
	f, err := data.FromColumns(data.NamedColumn{Name: "n", Values: column(func(i int) float64 { return float64(i) })},
		data.NamedColumn{Name: "d", Values: column(mixed)})
	if err != nil {
		t.Fatal(err)
	}
	f.Schema.Fields[1].From = &data.DatePart{Source: "day", Part: data.Days}
	if got := split.TimeColumn(f, data.AllRows(n)); got != 1 {
		t.Errorf("a date beside a counter: column %d", got)
	}
}

package quality_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/quality"
)

// of returns the findings of one check, as expect prints them.
func of(found []quality.Warning, check string) []string {
	var texts []string
	for _, w := range found {
		if w.Check == check {
			texts = append(texts, w.Message)
		}
	}
	return texts
}

// Values far from all others, in several rows, that are written for missing ones.
func TestSentinels(t *testing.T) {
	r := random(10)
	// each value in so many rows, and else what a function makes of a uniform number
	column := func(other func(u float64) float64, values ...float64) []float64 {
		c := filled(func(int) float64 { return other(r.Float64()) })
		for i, v := range values {
			c[(i*37+11)%rows] = v
		}
		return c
	}
	to := func(high float64) func(float64) float64 {
		return func(u float64) float64 { return math.Floor(high * u) }
	}
	three := func(v float64) []float64 { return []float64{v, v, v} }
	for name, c := range map[string]struct {
		values []float64
		want   []float64
	}{
		"-999 of temperatures":   {column(func(u float64) float64 { return 60*u - 20 }, three(-999)...), []float64{-999}},
		"9999 of hundreds":       {column(to(800), three(9999)...), []float64{9999}},
		"in two rows":            {column(to(800), 9999, 9999), nil},
		"999 of 2000":            {column(to(2000), three(999)...), nil},
		"999 of 600":             {column(to(600), three(999)...), []float64{999}},
		"999 of 700":             {column(to(701), three(999)...), nil},
		"another number":         {column(to(800), three(9998)...), nil},
		"both ends":              {column(to(50), -999, -999, -999, 9999, 9999, 9999), []float64{-999, 9999}},
		"two at one end":         {column(to(50), 999, 999, 999, 9999, 9999, 9999), []float64{999, 9999}},
		"-1 of counts":           {column(to(5), three(-1)...), nil},
		"-1 of many":             {column(func(u float64) float64 { return 100 + math.Floor(50*u) }, three(-1)...), []float64{-1}},
		"-1, 0 and 1":            {column(to(2), three(-1)...), nil},
		"99 of five answers":     {column(to(5), three(99)...), []float64{99}},
		"9 of five answers":      {column(to(5), three(9)...), nil},
		"two values":             {column(to(1), three(99)...), nil},
		"-99.99 of numbers":      {column(to(20), three(-99.99)...), []float64{-99.99}},
		"a price of 99.99":       {column(to(20), three(99.99)...), nil},
		"years of 1900":          {column(func(u float64) float64 { return 1985 + math.Floor(35*u) }, three(1900)...), []float64{1900}},
		"houses of 1900":         {column(func(u float64) float64 { return 1880 + math.Floor(140*u) }, three(1900)...), nil},
		"a heavy tail":           {filled(func(int) float64 { return math.Exp(4 * r.NormFloat64()) }), nil},
		"-999 beside no numbers": {append(slices.Repeat([]float64{math.NaN()}, rows-3), -999, -999, -999), nil},
	} {
		found := check(t, with(t, "", append(plain(), data.NamedColumn{Name: "new", Values: c.values})...), nil, nil)
		var got []float64
		for _, w := range found {
			if w.Check == "sentinel" {
				got = append(got, w.Value)
				if w.Rows != 3 || !slices.Equal(w.Columns, []string{"new"}) {
					t.Errorf("%s: %+v", name, w)
				}
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
	dates := days(func(i int) int { return i * 7919 % 900 })
	for i := range 3 {
		dates[50*i] = time.Date(1900, 1, 1, 0, 0, 0, 0, time.UTC)
	}
	found := check(t, with(t, "", append(plain(), data.NamedColumn{Name: "joined", Values: dates})...), nil, nil)
	want := `column "joined" is 1900-01-01 in 3 of 400 rows, far from all other dates`
	if got := of(found, "sentinel"); !slices.Equal(got, []string{want}) {
		t.Errorf("%q, want %q", got, want)
	}
	dates[0] = dates[1]
	found = check(t, with(t, "", append(plain(), data.NamedColumn{Name: "joined", Values: dates})...), nil, nil)
	expect(t, found)
}

// Texts that keep a column from being one of numbers or dates.
func TestTextsAmongNumbers(t *testing.T) {
	amounts := func(other ...string) []string {
		c := filled(func(i int) string { return fmt.Sprintf("%d.%02d", i*7919%1000, i%100) })
		for i, text := range other {
			c[(i*37+11)%rows] = text
		}
		return c
	}
	several := func(texts ...string) []string { return slices.Repeat(texts, 40/len(texts)) }
	for name, c := range map[string]struct {
		values []string
		want   string // of the message or the advice; "" = no warning
	}{
		"one text":            {amounts("free"), `since 1 of 400 rows hold "free"`},
		"a tenth of the rows": {amounts(several("n/b", "x", "?!", "so so")...), "read numbers with data.ReadOptions.Missing "},
		"more than a tenth":   {amounts(append(several("n/b", "x"), "y")...), ""},
		"one text, half":      {amounts(slices.Repeat([]string{"free"}, 200)...), `since 200 of 400 rows hold "free"`},
		"two words, half":     {amounts(slices.Repeat([]string{"unknown", "--"}, 100)...), "read numbers with data.ReadOptions.Missing "},
		"no text":             {amounts(), ""},
		"dates":               {append(filled(func(i int) string { return fmt.Sprintf("2024-%02d-%02d", i%12+1, i%28+1) })[1:], "soon"), `categories in place of dates, since 1 of 400 rows hold "soon"`},
		"codes with zeros":    {filled(func(i int) string { return []string{fmt.Sprintf("%05d", i), "none"}[min(i%40, 1)^1] }), ""},
		"few numbers":         {filled(func(i int) string { return []string{"1", "2", "3", "4+"}[min(i%40, 3)] }), ""},
		"few, and no value":   {filled(func(i int) string { return []string{"1", "2", "unknown"}[i%3] }), `rows hold "unknown"`},
	} {
		found := check(t, with(t, "", append(plain(), data.NamedColumn{Name: "new", Values: c.values})...), nil, nil)
		var texts []string
		for _, w := range found {
			switch w.Check {
			case "not_numbers":
				texts = append(texts, w.String())
			case "identifier":
				if c.want != "" {
					t.Errorf("%s: %s", name, w)
				}
			}
		}
		if got := strings.Join(texts, "\n"); (got != "") != (c.want != "") || !strings.Contains(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// Keys of several rows with one label, that a split by rows divides.
func TestRepeatedKeys(t *testing.T) {
	r := random(11)
	const each = 4
	ill := make([]bool, rows)
	for i := range ill {
		ill[i] = r.IntN(2) == 0
	}
	height := filled(func(int) float64 { return 170 + 10*r.NormFloat64() })
	// the labels of rows by key, of which some part is random
	labels := func(each int, noise float64) []bool {
		return filled(func(i int) bool {
			if r.Float64() < noise {
				return r.IntN(2) == 0
			}
			return ill[i/each]
		})
	}
	number := func(each int) []float64 {
		return filled(func(i int) float64 { return height[i/each] + r.NormFloat64() })
	}
	ids := func(each int) []int {
		return filled(func(i int) int { return 10_000 + 97*(i/each*7919%rows) })
	}
	codes := func(format string, each int) []string {
		return filled(func(i int) string { return fmt.Sprintf(format, i/each*7919%rows) })
	}
	seldom := func(i int) int { return max(i/2, i-50) } // keys of which 50 have two rows
	names := filled(func(i int) string { return strings.Repeat("ab", i/each%9+1) + fmt.Sprint(i/each) + "c d"[i/each%3:] })
	for name, c := range map[string]struct {
		column string
		keys   any
		label  any
		group  bool
		want   bool
	}{
		"patients":              {"patient", ids(each), labels(each, 0), false, true},
		"patients, of words":    {"patientName", codes("mr. %d", each), labels(each, 0), false, true},
		"patients, of noise":    {"patient_id", ids(each), labels(each, 0.3), false, true},
		"patients, mostly":      {"patient_id", ids(each), labels(each, 0.5), false, false},
		"patients, numbers":     {"ID", ids(each), number(each), false, true},
		"no label of patients":  {"patient", ids(each), labels(1, 0), false, false},
		"grouped by something":  {"patient", ids(each), labels(each, 0), true, false},
		"two rows":              {"user", ids(2), labels(2, 0), false, true},
		"one row, mostly":       {"user", filled(func(i int) int { return 1 + 97*seldom(i) }), filled(func(i int) bool { return ill[seldom(i)] }), false, false},
		"few patients":          {"patient", ids(25), labels(25, 0), false, false},
		"another name":          {"height", ids(each), labels(each, 0), false, false},
		"words":                 {"tune", names, labels(each, 0), false, false},
		"codes":                 {"ref", codes("P%04d", each), labels(each, 0), false, true},
		"codes, of noise":       {"ref", codes("P%04d", each), labels(each, 0.4), false, false},
		"postal codes":          {"place", codes("%05d", each), labels(each, 0), false, false},
		"a paid word in a name": {"paid", ids(each), labels(each, 0), false, false},
	} {
		columns := append(plain(), data.NamedColumn{Name: c.column, Values: c.keys},
			data.NamedColumn{Name: "y", Values: c.label})
		ro := data.Roles{Label: "y"}
		if c.group {
			columns = append(columns, data.NamedColumn{Name: "g", Values: filled(func(i int) int { return i / 8 })})
			ro.Group = "g"
		}
		found := check(t, roles(t, ro, columns...), nil, nil)
		at := slices.IndexFunc(found, func(w quality.Warning) bool { return w.Check == "repeated_key" })
		if (at >= 0) != c.want {
			t.Errorf("%s: %v", name, found)
			continue
		}
		if at >= 0 && (!slices.Equal(found[at].Columns, []string{c.column}) ||
			!strings.HasSuffix(found[at].Advice, "data.Roles.Group "+c.column) || len(of(found, "leakage")) > 0) {
			t.Errorf("%s: %v", name, found)
		}
	}
}

// Rows in the order of time whose later ones are predicted worse than by a split by chance.
func TestTimeOrder(t *testing.T) {
	const n = 2000
	type table struct {
		time  string
		split string                    // Roles.Time
		of    func(i int) float64       // the place in time of a row, from 0 to 1
		label func(a, late float64) any // of a feature and the time
		tests int                       // rows of the test set, at the end
		want  bool
	}
	r := random(12)
	order := r.Perm(n)
	inOrder := func(i int) float64 { return float64(i) / n }
	drift := func(a, late float64) any { return 3*a*(1-2*late) + r.NormFloat64() }
	class := func(a, late float64) any { return a*(1-2*late)+0.3*r.NormFloat64() > 0 }
	for name, c := range map[string]table{
		"dates":            {"day", "", inOrder, drift, 0, true},
		"dates, shuffled":  {"day", "", func(i int) float64 { return float64(order[i]) / n }, drift, 0, true},
		"classes":          {"day", "", inOrder, class, 0, true},
		"a counter":        {"n", "", inOrder, drift, 0, true},
		"split by time":    {"day", "day", inOrder, drift, 0, false},
		"a later test set": {"day", "", inOrder, drift, 400, false},
		"no drift":         {"day", "", inOrder, func(a, _ float64) any { return 3*a + r.NormFloat64() }, 0, false},
		"noise":            {"day", "", inOrder, func(float64, float64) any { return r.NormFloat64() }, 0, false},
		"no time":          {"", "", inOrder, drift, 0, false},
		"births":           {"date of birth", "", inOrder, drift, 0, false},
		"a step at the end": {"day", "", inOrder, func(a, late float64) any {
			return 3*a + r.NormFloat64() + map[bool]float64{true: 5}[late > 0.75]
		}, 0, false},
	} {
		t.Run(name, func(t *testing.T) {
			r = random(13) // in whatever order the cases run
			a, b := make([]float64, n), make([]float64, n)
			var numbers []float64
			var classes []bool
			for i := range n {
				a[i], b[i] = r.NormFloat64(), r.Float64()
				switch y := c.label(a[i], c.of(i)).(type) {
				case float64:
					numbers = append(numbers, y)
				case bool:
					classes = append(classes, y)
				}
			}
			columns := []data.NamedColumn{{Name: "a", Values: a}, {Name: "b", Values: b},
				{Name: "y", Values: numbers}}
			if classes != nil {
				columns[2].Values = classes
			}
			switch c.time {
			case "":
			case "n":
				count := make([]int, n)
				for i := range count {
					count[i] = 3*i + 5
				}
				columns = append(columns, data.NamedColumn{Name: "n", Values: count})
			default:
				dates := make([]time.Time, n)
				for i := range dates {
					dates[i] = time.Date(2019, 1, 1+int(1000*c.of(i)), 0, 0, 0, 0, time.UTC)
				}
				columns = append(columns, data.NamedColumn{Name: c.time, Values: dates})
			}
			ds := roles(t, data.Roles{Label: "y", Time: c.split, TimeFeature: c.split != ""}, columns...)
			all := data.AllRows(n)
			found := check(t, ds, all[:n-c.tests], all[n-c.tests:])
			got := slices.ContainsFunc(found, func(w quality.Warning) bool {
				return w.Check == quality.TimeOrder && slices.Equal(w.Columns, []string{c.time}) &&
					strings.HasSuffix(w.Advice, "data.Roles.Time "+c.time)
			})
			if got != c.want {
				t.Errorf("%v", found)
			}
			if c.want && len(of(found, "identifier")) > 0 {
				t.Errorf("two findings of one column: %v", found)
			}
		})
	}
}

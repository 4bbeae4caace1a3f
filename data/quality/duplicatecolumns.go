package quality

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/kernel"
	"github.com/coppice-ml/coppice/internal/option"
)

// duplicateColumns finds columns whose values are those of another column. Two categorical ones are
// alike if they differ in the names of their categories only. What a date was made of is a copy as
// a whole or not at all.
func duplicateColumns(t *inspected) []Warning {
	prints := t.prints()
	var names, pairs []string
	report := func(name, of string) {
		names = append(names, name)
		pairs = append(pairs, fmt.Sprintf("%q repeats %q", name, of))
	}
	parts := map[[2]string]int{}   // of two dates or texts: equal columns
	alike := map[[2]uint64][]int{} // columns by their prints, ascending
	for i := range prints {
		if t.columns[i].constant {
			continue
		}
		j := t.repeats(alike[prints[i]], i)
		alike[prints[i]] = append(alike[prints[i]], i)
		if j < 0 {
			continue
		}
		f, g := &t.Schema.Fields[i], &t.Schema.Fields[j]
		switch {
		case !f.Derived():
			report(f.Name, g.Name)
		case !g.Derived():
			report(g.Name, f.Name)
		default:
			pair := [2]string{f.Source(), g.Source()}
			if parts[pair]++; parts[pair] == t.varying(pair[0]) {
				report(pair[0], pair[1])
			}
		}
	}
	if names == nil {
		return nil
	}
	w := Warning{Columns: names, Message: "column " +
		strings.Join(pairs[:min(len(pairs), listed)], ", column "),
		Advice: option.Expand("importances are split among equal columns; leave the copies out with {ignore}")}
	if more := len(pairs) - listed; more > 0 {
		w.Message += " and " + strconv.Itoa(more) + " more columns repeat others"
	}
	return []Warning{w}
}

// varying counts the columns of a date or a text that are not constant.
func (t *inspected) varying(name string) int {
	n := 0
	for i := range t.columns {
		if t.name(i) == name && !t.columns[i].constant {
			n++
		}
	}
	return n
}

// prints returns fingerprints of all columns: of the sample, and of all rows where several columns
// have those of the sample. Columns that are mostly zeros are often alike in a sample.
func (t *inspected) prints() [][2]uint64 {
	prints := make([][2]uint64, len(t.columns))
	t.each(func(i int) {
		if !t.columns[i].constant {
			prints[i][0] = fingerprint(&t.Columns[i], t.sample, t.ascend)
		}
	})
	columns := map[uint64]int{}
	for i := range prints {
		columns[prints[i][0]]++
	}
	ascend := slices.IsSorted(t.rows)
	t.each(func(i int) {
		if c := &t.Columns[i]; c.Codes() == nil && !t.columns[i].constant &&
			columns[prints[i][0]] > 1 {
			prints[i][1] = numbersPrint(c, t.rows, ascend)
		}
	})
	return prints
}

// repeats returns the first of some columns that has the values of column i, -1 if there is none.
// Columns of one date or text do not repeat each other.
func (t *inspected) repeats(columns []int, i int) int {
	if columns == nil {
		return -1
	}
	same, renamed := t.beyondChance(i)
	for _, j := range columns {
		switch {
		case t.name(i) == t.name(j) && t.Schema.Fields[i].Derived():
		case t.Columns[i].Codes() != nil && t.Columns[j].Codes() != nil && !renamed:
			if same && t.sameTexts(i, j) {
				return j
			}
		case same && alike(&t.Columns[j], &t.Columns[i], t.rows):
			return j
		}
	}
	return -1
}

// copyOdds is how unlikely two independent columns of a table must be equal: one table in so many
// has such a pair by chance.
const copyOdds = 1000

// beyondChance reports whether it is no chance if another column is the same as column i, or is so
// but for the names of its categories. Such columns are alike in one of so many orders of the rows:
//
//   - the same: n! / (r1! r2! ...) for n rows, of which r1, r2, ... are equal.
//   - renamed: the same over m1! m2! ... for m1 categories of one row, m2 of two rows and so on.
//     Columns of all-different texts are alike in every order.
func (t *inspected) beyondChance(i int) (same, renamed bool) {
	orders, sizes := logFactorial(len(t.rows)), map[int]int{}
	for _, n := range valueCounts(&t.Columns[i], t.rows, slices.IsSorted(t.rows)) {
		orders -= logFactorial(n)
		sizes[n]++
	}
	p := float64(len(t.columns))
	least := kernel.Log(copyOdds * p * (p - 1) / 2)
	same = orders > least
	for _, n := range slices.Sorted(maps.Keys(sizes)) {
		orders -= logFactorial(sizes[n])
	}
	return same, orders > least
}

// sameTexts reports whether two columns of categories have the same text in each row.
func (t *inspected) sameTexts(i, j int) bool {
	text := func(column int, row int32) string {
		if code := t.Columns[column].Code(int(row)); code < data.UnseenCode {
			return t.Schema.Fields[column].Levels[code]
		}
		return ""
	}
	for _, row := range t.rows {
		if text(i, row) != text(j, row) {
			return false
		}
	}
	return true
}

// logFactorial returns the logarithm of n! (Stirling's series, good to three decimals).
func logFactorial(n int) float64 {
	if n < 2 {
		return 0
	}
	x := float64(n)
	return float64((x+0.5)*kernel.Log(x)) - x + 0.5*kernel.Log(2*math.Pi) + 1/(12*x)
}

// fingerprint is a hash of a column's values that does not depend on the codes of categories: each
// is numbered by its first row.
func fingerprint(c *data.Column, rows []int32, ascend bool) uint64 {
	if c.Codes() == nil {
		return numbersPrint(c, rows, ascend)
	}
	h, n := uint64(len(c.Codes())), uint64(0)
	const few = 1 << 12 // codes that are numbered in an array: all, in most columns
	var first [few]uint64
	beyond := map[uint64]uint64{}
	for _, k := range keys(c, rows) {
		switch {
		case k < few:
			if first[k] == 0 {
				n++
				first[k] = n
			}
			k = first[k] - 1
		case k != uint64(data.MissingCode):
			if _, known := beyond[k]; !known {
				n++
				beyond[k] = n
			}
			k = beyond[k] - 1
		}
		h = mix(h ^ k)
	}
	return h
}

// numbersPrint is a hash of a column of numbers: a sum to which 0 and missing values add nothing.
func numbersPrint(c *data.Column, rows []int32, ascend bool) uint64 {
	h := uint64(0)
	add := func(at int, v float64) {
		if v == v && v != 0 {
			h += mix(mix(uint64(at)+1) ^ math.Float64bits(v))
		}
	}
	if _, _, _, sparse := c.Stored(); sparse {
		at, value := stored(c, rows, ascend)
		for i, v := range value {
			add(int(at[i]), v)
		}
		return h
	}
	for i, row := range rows {
		add(i, c.Number(int(row)))
	}
	return h
}

// alike reports whether two columns hold the same values, up to the codes of categories.
func alike(a, b *data.Column, rows []int32) bool {
	if (a.Codes() == nil) != (b.Codes() == nil) {
		return false
	}
	if a.Codes() == nil {
		return slices.Equal(keys(a, rows), keys(b, rows))
	}
	there, back := map[uint64]uint64{}, map[uint64]uint64{}
	for _, row := range rows {
		x, y := key(a, row), key(b, row)
		if x == uint64(data.MissingCode) || y == uint64(data.MissingCode) {
			if x != y {
				return false
			}
			continue
		}
		to, known := there[x]
		from, taken := back[y]
		if known != taken || known && (to != y || from != x) {
			return false
		}
		there[x], back[y] = y, x
	}
	return true
}

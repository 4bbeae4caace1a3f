package quality

import (
	"math"

	"github.com/coppice-ml/coppice/internal/option"
)

// Tables of fewer rows have columns that look like identifiers by chance.
const (
	identifierRows = 20
	denseRows      = 100
)

// Reasons of a column to look like an identifier.
const (
	named      = "named"      // nearly every row has a category of its own
	increasing = "increasing" // numbers that grow, or fall, from row to row
	numbered   = "numbered"   // integers that are all different and fill most of their range
)

// identifier returns why a column looks like an identifier, given how often the sample's values
// occur. Columns that were made of a date or a text do not: days grow wherever rows come in the
// order of time.
func (t *inspected) identifier(column int, counts []int) string {
	c := &t.Columns[column]
	if t.Schema.Fields[column].Derived() {
		return ""
	}
	if c.Codes() != nil {
		missing := 0
		for _, row := range t.sample {
			if t.IsMissing(int(row), column) {
				missing++
			}
		}
		present, distinct := len(t.sample)-missing, len(counts)-min(1, missing)
		if present >= identifierRows && float64(distinct) >= 0.95*float64(present) {
			return named
		}
		return ""
	}
	if row, _, _, sparse := c.Stored(); sparse && len(row) < len(t.rows)-1 {
		return "" // two rows or more have one value
	}
	values := c.Numbers()
	switch {
	case len(t.rows) >= identifierRows && monotone(values, t.rows):
		return increasing
	case len(t.rows) >= denseRows && len(counts) == len(t.sample) && dense(values, t.rows):
		return numbered
	}
	return ""
}

// monotone reports whether values grow from each row to the next, or fall.
func monotone(values []float64, rows []int32) bool {
	up, down := true, true
	for i := 1; i < len(rows) && (up || down); i++ {
		a, b := values[rows[i-1]], values[rows[i]]
		up, down = up && a < b, down && a > b
	}
	return up || down
}

// dense reports whether values are integers of which each occurs once, in a range of at most twice
// their number.
func dense(values []float64, rows []int32) bool {
	low, high := math.Inf(1), math.Inf(-1)
	for _, row := range rows {
		v := values[row]
		if v != math.Trunc(v) || math.IsInf(v, 0) { // NaN too
			return false
		}
		low, high = min(low, v), max(high, v)
	}
	if high-low >= 2*float64(len(rows)) {
		return false
	}
	seen := make([]bool, int(high-low)+1)
	for _, row := range rows {
		at := int(values[row] - low)
		if seen[at] {
			return false
		}
		seen[at] = true
	}
	return true
}

func identifiers(t *inspected) []Warning {
	if len(t.columns) == 1 {
		return nil // the rows of a curve, sorted by its argument
	}
	advice := option.Expand("a model can only memorise it, and new rows have other values; leave it " +
		"out with {ignore}")
	order, _ := t.timeOrder() // a finding of its own, whose advice uses the column
	reason := func(why string) func(int) bool {
		return func(i int) bool { return t.columns[i].identifier == why && i != order }
	}
	found := t.about(reason(named), "nearly every row has its own category in column %s",
		"nearly every row has its own category in %d columns, %s", advice)
	found = append(found,
		t.about(reason(increasing), "column %s grows or falls with the row number",
			"%d columns grow or fall with the row number, %s",
			option.Expand("new rows have no such order; leave the column out with {ignore}"))...)
	return append(found, t.about(reason(numbered), "column %s numbers the rows: all its integers "+
		"differ and fill their range",
		"%d columns number the rows, %s: all their integers differ and fill their range",
		advice)...)
}

// constants finds columns of one value or none. A part of a date may have one, such as the year;
// the date is constant where all parts are.
func constants(t *inspected) []Warning {
	varies := map[string]bool{}
	for i := range t.columns {
		varies[t.name(i)] = varies[t.name(i)] || !t.columns[i].constant
	}
	advice := option.Expand("no model can use it; leave it out with {ignore}")
	empty := func(i int) bool { return !varies[t.name(i)] && t.IsMissing(int(t.rows[0]), i) }
	found := t.about(empty, "column %s has no value in any"+t.part+" row",
		"%d columns have no value in any"+t.part+" row, %s", advice)
	return append(found, t.about(func(i int) bool { return !varies[t.name(i)] && !empty(i) },
		"column %s has one value in all"+t.part+" rows",
		"%d columns have one value in all"+t.part+" rows, %s", advice)...)
}

package quality

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/option"
)

// The limits of the check of sentinels.
const (
	sentinelRows = 3 // rows of the sample that hold the value, at least
	// its distance to the other values, as a part of their range: more where these are so few that
	// they may be codes
	farOff, farOffFew = 0.5, 2
	fewOthers         = 10
	peeled            = 3 // values at either end that are tried
)

// sentinelNumbers are numbers that stand for missing values, beside those of equal digits: -1, the
// limits of integers, what instruments write, and dates as whole numbers.
var sentinelNumbers = []float64{-1, -9, -999.25, math.MinInt16, math.MaxInt16, math.MaxUint16,
	math.MinInt32, math.MaxInt32, math.MaxUint32, math.MinInt64, math.MaxInt64, 1e20, -1e20, 1e30,
	-1e30, -math.MaxFloat32, math.MaxFloat32, 9.969209968386869e36, 1900, 1900_01_01, 9999_12_31}

// sentinelDates are days that stand for missing dates.
var sentinelDates = []string{"0001-01-01", "1753-01-01", "1899-12-30", "1899-12-31", "1900-01-01",
	"1901-01-01", "1970-01-01", "2099-12-31", "2999-12-31", "9999-12-30", "9999-12-31"}

// isSentinel reports whether people or programs write a number for a missing value: -99 and 999 and
// longer ones, -88, -77 and the like, and the numbers above.
func isSentinel(v float64) bool {
	if slices.Contains(sentinelNumbers, v) {
		return true
	}
	text := strconv.FormatFloat(math.Abs(v), 'f', -1, 64)
	digits := strings.Replace(text, ".", "", 1)
	if len(digits) < 2 || len(digits) > 12 || v > 0 && digits != text {
		return false // prices end in .99
	}
	return strings.Trim(digits, "9") == "" ||
		v < 0 && (strings.Trim(digits, "8") == "" || strings.Trim(digits, "7") == "")
}

// sentinel finds values far from all others of their column, in several rows, that are written for
// missing ones.
func sentinels(t *inspected) []Warning {
	values := make([][]float64, len(t.columns))
	t.each(func(i int) { values[i] = t.sentinelsOf(i) })
	var found []Warning
	for i, some := range values {
		for _, v := range some {
			n := 0
			for _, row := range t.rows {
				if t.Columns[i].Number(int(row)) == v {
					n++
				}
			}
			text, what := data.NumberText(v, 64), "values"
			if from := t.Schema.Fields[i].From; from != nil {
				text, what = data.DateText(from.Date(v)), "dates"
			}
			found = append(found, Warning{Columns: []string{t.name(i)}, Rows: n, Value: v,
				Message: fmt.Sprintf("column %q is %s in %d of %d%s rows, far from all other %s",
					t.name(i), text, n, len(t.rows), t.part, what),
				Advice: option.Expand("if that means a missing value, read it so with {missing} +") + text})
		}
	}
	return found
}

// sentinelsOf returns the sentinels of a column, ascending.
func (t *inspected) sentinelsOf(column int) []float64 {
	c, from := &t.Columns[column], t.Schema.Fields[column].From
	if c.Codes() != nil || t.columns[column].constant || t.Schema.Fields[column].Text != nil ||
		from != nil && from.Part != data.Days {
		return nil
	}
	known := isSentinel
	if from != nil {
		known = func(v float64) bool { return slices.Contains(sentinelDates, data.DateText(from.Date(v))) }
	}
	values := numbers(c, t.sample)
	low, high := math.Inf(1), math.Inf(-1)
	for _, v := range values {
		if v == v {
			low, high = min(low, v), max(high, v)
		}
	}
	if !known(low) && !known(high) { // nearly all columns: they need not be sorted
		return nil
	}
	values = slices.DeleteFunc(values, math.IsNaN)
	slices.Sort(values)
	counts := countRuns(keysOf(values))
	distinct := slices.Compact(values)
	first, last := 0, len(distinct)-1
	for first < min(peeled, last) && known(distinct[first]) {
		first++
	}
	for last > first && len(distinct)-1-last < peeled && known(distinct[last]) {
		last--
	}
	others := last - first + 1
	spread := distinct[last] - distinct[first]
	far := farOff * spread
	if others < fewOthers {
		far = farOffFew * spread
	}
	var found []float64
	for i, v := range distinct {
		distance := max(distinct[first]-v, v-distinct[last])
		if others > 1 && distance > 0 && distance >= far && counts[i] >= sentinelRows {
			found = append(found, v)
		}
	}
	return found
}

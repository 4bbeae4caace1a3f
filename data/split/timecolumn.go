package split

import (
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/coppice-ml/coppice/data"
)

// TimeColumn returns the column of a frame that orders its rows in time, -1 if there is none: the
// first one with the days of a date, else the first one of numbers that are times by their values,
// else the first one that grows or falls from row to row. Rows are ascending.
func TimeColumn(f *data.Frame, rows []int32) int {
	if len(f.Columns) < 2 {
		return -1
	}
	for _, holds := range []func(*data.Field, []float64) bool{isDate, isClock, isCounter} {
		for i := range f.Columns {
			if field := &f.Schema.Fields[i]; field.Kind != data.Numeric ||
				field.From == nil && field.Derived() || ofBirth(field.Source()) {
				continue
			}
			values := make([]float64, len(rows))
			f.Columns[i].PickNumbers(values, rows)
			if holds(&f.Schema.Fields[i], values) {
				return i
			}
		}
	}
	return -1
}

// ofBirth reports whether a column is named after births, which do not order rows.
func ofBirth(name string) bool {
	name = strings.ToLower(name)
	return strings.Contains(name, "birth") || strings.Contains(name, "born") || name == "dob"
}

// fewTimes is the number of different values that a column of times has at least.
const fewTimes = 20

func isDate(f *data.Field, values []float64) bool {
	return f.From != nil && f.From.Part == data.Days && severalTimes(values)
}

// severalTimes reports whether most rows have a value, of which enough differ.
func severalTimes(values []float64) bool {
	known, distinct := 0, map[float64]bool{}
	for _, v := range values {
		if v == v {
			if known++; len(distinct) < fewTimes {
				distinct[v] = true
			}
		}
	}
	return 2*known > len(values) && len(distinct) >= fewTimes
}

// isClock reports whether numbers are decimal years, days of the calendar such as 20240131, or
// seconds to nanoseconds since 1970, by the range that all of them are in.
func isClock(f *data.Field, values []float64) bool {
	if f.From != nil {
		return false
	}
	low, high, whole, calendar := math.Inf(1), math.Inf(-1), true, true
	for _, v := range values {
		if v == v {
			low, high = min(low, v), max(high, v)
			whole = whole && v == math.Trunc(v)
			calendar = calendar && isCalendarDay(v)
		}
	}
	if !(low <= high) || !severalTimes(values) {
		return false
	}
	if !whole {
		return low >= 1800 && high <= 2100
	}
	if calendar {
		return true
	}
	const from1990, to2050 = 631_152_000, 2_524_608_000
	for _, unit := range []float64{1, 1e3, 1e6, 1e9} {
		if low >= float64(from1990*unit) && high <= float64(to2050*unit) {
			return true
		}
	}
	return false
}

// isCalendarDay reports whether a whole number is a year, a month and a day.
func isCalendarDay(v float64) bool {
	if !(v >= 1800_01_01 && v <= 2100_12_31) {
		return false
	}
	day, month := int(v)%100, int(v)/100%100
	return day >= 1 && day <= 31 && month >= 1 && month <= 12
}

// isCounter reports whether numbers grow or fall from row to row: whole numbers that nearly all
// differ, or any that are named after time. Other numbers may be what the file is sorted by.
func isCounter(f *data.Field, values []float64) bool {
	if f.From != nil || !severalTimes(values) {
		return false
	}
	up, down, changes, whole := true, true, 0, true
	for i, v := range values {
		if v != v {
			return false
		}
		whole = whole && v == math.Trunc(v)
		if i == 0 || v == values[i-1] {
			continue
		}
		changes++
		up, down = up && v > values[i-1], down && v < values[i-1]
		if !up && !down {
			return false
		}
	}
	const nearlyAll = 0.9
	return whole && float64(changes) >= nearlyAll*float64(len(values)-1) || namedAfterTime(f.Name)
}

var timeWords = []string{"date", "day", "days", "time", "timestamp", "year", "week", "epoch",
	"instant", "period", "ts", "dt"}

// namedAfterTime reports whether a word of a name is one of time.
func namedAfterTime(name string) bool {
	words := strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return !unicode.IsLetter(r) })
	return slices.ContainsFunc(words, func(w string) bool { return slices.Contains(timeWords, w) })
}

package data

import (
	"fmt"
	"math"
	"slices"
	"strconv"
)

// readGroups returns the group of each row: integers stand for themselves, a date for its
// microseconds, a text for its place in the dictionary.
func readGroups(f *Frame, column int) ([]int64, error) {
	field, c := &f.Schema.Fields[column], &f.Columns[column]
	switch field.Kind {
	case Numeric:
		return integerGroups(f, column)
	case Date:
		return readDates(f, column, "group")
	}
	groups := make([]int64, len(c.code))
	for row, code := range c.code {
		if uint(code) >= uint(len(field.Levels)) {
			return nil, missingRole(f, row, field.Name, "group")
		}
		groups[row] = int64(code)
	}
	return groups, nil
}

// readTimes returns the time of each row: an order of numbers, or microseconds, since 1970 of dates
// (UTC where they name no zone) and since midnight of times of day. All texts of a column are
// numbers, or all are times of day, or all are dates.
func readTimes(f *Frame, column int) ([]int64, error) {
	field, c := &f.Schema.Fields[column], &f.Columns[column]
	switch field.Kind {
	case Numeric:
		return orderNumbers(f, column)
	case Date:
		return readDates(f, column, "time")
	}
	value := make([]int64, len(field.Levels))
	known := make([]bool, len(field.Levels))
	parse := timeFormat(field.Levels)
	for i, text := range field.Levels {
		value[i], known[i] = parse(text)
	}
	times := make([]int64, len(c.code))
	for row, code := range c.code {
		switch {
		case uint(code) >= uint(len(field.Levels)):
			return nil, missingRole(f, row, field.Name, "time")
		case !known[code]:
			return nil, noTime(f, row, column, strconv.Quote(field.Levels[code]))
		}
		times[row] = value[code]
	}
	return times, nil
}

func noTime(f *Frame, row, column int, text string) error {
	return fmt.Errorf("%s: the time in column %q is %s, want a number, a date such as 2006-01-02 or "+
		"2006-01-02T15:04:05Z, or a time of day such as 15:04:05", f.Locate(row),
		f.Schema.Fields[column].Name, text)
}

// timeFormat returns how the texts of a column are read as times. Integers, which may have more
// digits than a float64, stand for themselves.
func timeFormat(levels []string) func(string) (int64, bool) {
	for _, parse := range []func(string) (int64, bool){parseInteger, parseOrder, parseClock} {
		if !slices.ContainsFunc(levels, func(text string) bool { _, ok := parse(text); return !ok }) {
			return parse
		}
	}
	return parseDate
}

// orderNumbers returns the orders of a column of numbers.
func orderNumbers(f *Frame, column int) ([]int64, error) {
	values := make([]int64, f.Rows())
	for row, v := range f.Columns[column].Numbers() {
		switch {
		case math.IsNaN(v):
			return nil, missingRole(f, row, f.Schema.Fields[column].Name, "time")
		case math.IsInf(v, 0):
			return nil, noTime(f, row, column, NumberText(v, 64))
		}
		values[row] = orderOf(v)
	}
	return values, nil
}

// orderOf returns an integer for each finite number, the greater for the greater one. It depends on
// the number alone, so that blocks and further files, which may hold integers only, are in order.
func orderOf(v float64) int64 {
	bits := int64(math.Float64bits(v + 0)) // the sum is 0 of -0
	return bits ^ int64(uint64(bits>>63)>>1)
}

func parseOrder(text string) (int64, bool) {
	v, ok := parseNumber(text)
	return orderOf(v), ok && !math.IsInf(v, 0) && !math.IsNaN(v)
}

// parseClock reads a time of day.
func parseClock(text string) (int64, bool) {
	p := dateText{rest: text}
	seconds, micros, ok := p.timeOfDay()
	return int64(seconds)*1e6 + int64(micros), ok && p.rest == ""
}

func integerGroups(f *Frame, column int) ([]int64, error) {
	name := f.Schema.Fields[column].Name
	values := make([]int64, f.Rows())
	for row, v := range f.Columns[column].Numbers() {
		switch {
		case math.IsNaN(v):
			return nil, missingRole(f, row, name, "group")
		case v != math.Trunc(v) || v < -1<<63 || v >= 1<<63:
			return nil, fmt.Errorf("%s: the group in column %q is %s, want an integer or a text",
				f.Locate(row), name, NumberText(v, 64))
		}
		values[row] = int64(v)
	}
	return values, nil
}

// readDates returns the microseconds of dates; those beyond int64 count as its ends.
func readDates(f *Frame, column int, what string) ([]int64, error) {
	values := make([]int64, f.Rows())
	for row, v := range f.Columns[column].Numbers() {
		switch {
		case math.IsNaN(v):
			return nil, missingRole(f, row, f.Schema.Fields[column].Name, what)
		case v >= maxMicros:
			values[row] = math.MaxInt64
		case v <= -maxMicros:
			values[row] = math.MinInt64
		default:
			values[row] = int64(math.Floor(v))
		}
	}
	return values, nil
}

func missingRole(f *Frame, row int, column, what string) error {
	return fmt.Errorf("%s: the %s in column %q is missing", f.Locate(row), what, column)
}

func parseInteger(text string) (int64, bool) {
	v, err := strconv.ParseInt(text, 10, 64)
	return v, err == nil
}

// parseDate reads a text in which no two readers can mistake the month for the day.
func parseDate(text string) (int64, bool) {
	micros, ok := ParseDate(text, YearFirst)
	return int64(micros), ok
}

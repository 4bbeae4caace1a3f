package data

import (
	"fmt"
	"math"
	"strconv"
)

// readGroups returns the group of each row: integers stand for themselves, a date for its
// microseconds, a text for its place in the dictionary.
func readGroups(f *Frame, column int) ([]int64, error) {
	field, c := &f.Schema.Fields[column], &f.Columns[column]
	switch field.Kind {
	case Numeric:
		return readIntegers(f, column, "group", "an integer or a text")
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

// readTimes returns the time of each row: integers stand for themselves; dates become microseconds
// since 1970, UTC where they name no zone. Within one column either all texts are integers or all
// are dates.
func readTimes(f *Frame, column int) ([]int64, error) {
	const want = "an integer or a date such as 2006-01-02 or 2006-01-02T15:04:05Z"
	field, c := &f.Schema.Fields[column], &f.Columns[column]
	switch field.Kind {
	case Numeric:
		return readIntegers(f, column, "time", want)
	case Date:
		return readDates(f, column, "time")
	}
	parse := parseDate
	if allIntegers(field.Levels) {
		parse = parseInteger
	}
	value := make([]int64, len(field.Levels))
	known := make([]bool, len(field.Levels))
	for i, text := range field.Levels {
		value[i], known[i] = parse(text)
	}
	times := make([]int64, len(c.code))
	for row, code := range c.code {
		switch {
		case uint(code) >= uint(len(field.Levels)):
			return nil, missingRole(f, row, field.Name, "time")
		case !known[code]:
			return nil, fmt.Errorf("%s: the time in column %q is %q, want %s", f.Locate(row),
				field.Name, field.Levels[code], want)
		}
		times[row] = value[code]
	}
	return times, nil
}

func readIntegers(f *Frame, column int, what, want string) ([]int64, error) {
	name := f.Schema.Fields[column].Name
	values := make([]int64, f.Rows())
	for row, v := range f.Columns[column].Numbers() {
		switch {
		case math.IsNaN(v):
			return nil, missingRole(f, row, name, what)
		case v != math.Trunc(v) || v < -1<<63 || v >= 1<<63:
			return nil, fmt.Errorf("%s: the %s in column %q is %s, want %s", f.Locate(row), what,
				name, NumberText(v, 64), want)
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

func allIntegers(texts []string) bool {
	for _, text := range texts {
		if _, ok := parseInteger(text); !ok {
			return false
		}
	}
	return true
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

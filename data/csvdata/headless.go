package csvdata

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/option"
	"github.com/coppice-ml/coppice/internal/table"
)

// dataNote returns a note where the first line of a text looks like a row of the table and not like
// names of columns; "" where it does not.
func dataNote(s *splitter, names []string, rows [][]string) string {
	at := likeData(names, rows)
	if at < 0 {
		return ""
	}
	return fmt.Sprintf("%s:%d: the first line looks like data, such as %s in column %d, and is read "+
		option.Expand("as names ({no-header} reads it as a row)"), s.name, s.line, table.Quote([]byte(names[at])),
		at+1)
}

// likeData returns the place of a name that is a value like those below it, -1 if there is none.
// Numbers may be names where they form a series: places, years, wavelengths. Others are values.
func likeData(names []string, rows [][]string) int {
	var numbers []float64
	first := -1
	for i, name := range names {
		name = strings.TrimSpace(name)
		if _, date := data.ParseDate(name, data.YearFirst); date && alike(rows, i, isDate) {
			return i
		}
		if v, ok := table.ParseNumber([]byte(name)); ok && alike(rows, i, isNumber) {
			numbers = append(numbers, v)
			if first < 0 {
				first = i
			}
		}
	}
	switch {
	case first < 0, len(numbers) == 1 && !recurs(names, rows), series(numbers):
		return -1
	}
	return first
}

// alike reports whether a column has values, and all of them pass.
func alike(rows [][]string, place int, pass func(string) bool) bool {
	any := false
	for _, row := range rows {
		if place >= len(row) || row[place] == "" || slices.Contains(data.DefaultMissing, row[place]) {
			continue
		}
		if any = true; !pass(row[place]) {
			return false
		}
	}
	return any
}

func isDate(text string) bool { _, ok := data.ParseDate(text, data.YearFirst); return ok }

func isNumber(text string) bool { _, ok := table.ParseNumber([]byte(text)); return ok }

// recurs reports whether a name that is no number is also a value of its column.
func recurs(names []string, rows [][]string) bool {
	for i, name := range names {
		if name == "" || isNumber(name) {
			continue
		}
		if slices.ContainsFunc(rows, func(row []string) bool { return i < len(row) && row[i] == name }) {
			return true
		}
	}
	return false
}

// series reports whether several numbers are equally spaced, or many ascend.
func series(numbers []float64) bool {
	if len(numbers) < 2 {
		return false
	}
	const many = 5
	step := numbers[1] - numbers[0]
	equal, ascending := step != 0, true
	for i := 1; i < len(numbers); i++ {
		d := numbers[i] - numbers[i-1]
		equal = equal && math.Abs(d-step) <= 1e-9*math.Abs(step)
		ascending = ascending && d > 0
	}
	if len(numbers) == 2 {
		return math.Abs(step) == 1
	}
	return equal || ascending && len(numbers) >= many
}

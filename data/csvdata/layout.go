package csvdata

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/internal/option"
	"github.com/coppice-ml/coppice/internal/table"
)

// fit returns the names of the header for the columns that the rows of the sample have. These may
// be more than the names, or fewer, where
//
//   - R writes row names, for which the header has no field;
//   - lines end in separators behind the last column, in the header or in the rows alone.
//
// A table that stands below a title is an error which names the lines of the title.
func (o *Options) fit(s *splitter, names []string, a *sample, rows [][]string) ([]string, error) {
	width, same := widthOf(rows)
	last := len(names)
	for last > 0 && strings.TrimSpace(names[last-1]) == "" {
		last--
	}
	switch n := len(names); {
	case same && width == n && filled(names) > n/2 && n > 1, len(rows) == 0:
		return names, nil
	case same && 0 < last && last <= width && width < n:
		return names[:width], nil
	case same && width > n && n > 1 && emptyFrom(rows, n):
		return append(names, make([]string, width-n)...), nil
	case same && width == n+1 && n > 1 && rowNames(rows):
		return append([]string{""}, names...), nil
	}
	return names, o.titleError(s, a, same && width == len(names))
}

// widthOf returns how many fields the rows have, and whether all have as many.
func widthOf(rows [][]string) (width int, same bool) {
	for i, row := range rows {
		if i > 0 && len(row) != width {
			return 0, false
		}
		width = len(row)
	}
	return width, len(rows) > 0
}

// filled returns how many fields are not empty.
func filled(row []string) int {
	n := 0
	for _, field := range row {
		if strings.TrimSpace(field) != "" {
			n++
		}
	}
	return n
}

// emptyFrom reports whether all rows have nothing but empty fields from a place on.
func emptyFrom(rows [][]string, place int) bool {
	return !slices.ContainsFunc(rows, func(row []string) bool { return filled(row[place:]) > 0 })
}

// rowNames reports whether the first fields of rows are names as R writes them: different texts, or
// whole numbers that ascend. The number of a single row is 0 or 1.
func rowNames(rows [][]string) bool {
	seen := map[string]bool{}
	numbers, previous := 0, -1.0
	for _, row := range rows {
		v, number := table.ParseNumber([]byte(row[0]))
		switch {
		case row[0] == "" || seen[row[0]]:
			return false
		case !number:
		case v <= previous || v != math.Trunc(v):
			return false
		default:
			previous = v
			numbers++
		}
		seen[row[0]] = true
	}
	return numbers == 0 || numbers == len(rows) && (len(rows) > 1 || previous <= 1)
}

// mostTitle is how many rows a title has at most.
const mostTitle = 50

// titleError returns an error if the header of s is the first line of a title above the table. The
// rows below may be readable under this header.
func (o *Options) titleError(s *splitter, a *sample, readable bool) error {
	candidates := []byte{s.separator}
	if o.Comma == 0 {
		candidates = append(candidates, separators...)
	}
	for _, by := range candidates {
		rows, at := a.from(s, s.line, mostTitle+sampleRows, by)
		i := tableBelow(rows, readable)
		if i < 0 {
			continue
		}
		what, them := fmt.Sprintf("line %d is a title", s.line), "it"
		if to := at[i] - 1; to > s.line {
			what, them = fmt.Sprintf("lines %d to %d are a title", s.line, to), "them"
		}
		advice := fmt.Sprintf(option.Expand("{skip} %d leaves %s out"), at[i]-1, them)
		if c := commentOf(rows[:i]); c != 0 {
			advice = fmt.Sprintf(option.Expand("{comment} %s leaves out all such lines"),
				humanize.ShellQuote(string(c)))
		}
		return &data.ReadError{File: s.name, Line: s.line, Err: data.ErrHeader,
			Msg: fmt.Sprintf("%s above the columns %s (%s)", what, columnsOf(rows[i]), advice)}
	}
	return nil
}

// tableBelow returns the place of the row that is the header of a table below a title, -1 if there
// is none. Behind it all rows have as many fields, and before it there are fewer texts. Under a
// strict rule the header has no number, and each row below it has one.
func tableBelow(rows [][]string, strict bool) int {
	from := len(rows)
	for from > 1 && len(rows[from-1]) == len(rows[len(rows)-1]) {
		from--
	}
	for i := max(from, 1); i <= mostTitle && i+1 < len(rows); i++ {
		n := len(rows[i])
		if n < 2 || filled(rows[i][1:]) < n-1 || strict && rows[i][0] == "" { // an index has no name
			continue
		}
		if slices.ContainsFunc(rows[:i], func(row []string) bool { return filled(row) > n/2 }) ||
			strict && (hasNumber(rows[i]) || slices.ContainsFunc(rows[i+1:],
				func(row []string) bool { return !hasNumber(row) })) {
			return -1
		}
		return i
	}
	return -1
}

func hasNumber(row []string) bool {
	return slices.ContainsFunc(row, func(field string) bool {
		_, ok := table.ParseNumber([]byte(strings.TrimSpace(field)))
		return ok
	})
}

// commentOf returns the character that begins all lines as a comment, 0 if none does.
func commentOf(rows [][]string) byte {
	const usual = "#%!;*"
	first := byte(0)
	for _, row := range rows {
		if row[0] == "" || strings.IndexByte(usual, row[0][0]) < 0 || first != 0 && row[0][0] != first {
			return 0
		}
		first = row[0][0]
	}
	return first
}

// columnsOf lists the first names of a header.
func columnsOf(names []string) string {
	const few = 3
	var words []string
	if names[0] == "" {
		names = names[1:]
	}
	for _, name := range names[:min(few, len(names))] {
		words = append(words, table.Quote([]byte(name)))
	}
	if len(names) > few {
		words = append(words, "...")
	}
	return strings.Join(words, ", ")
}

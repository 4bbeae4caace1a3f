package report

import (
	"math"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/humanize"
)

// cells are the values of a column in some rows, as numbers or as texts; null is missing. Dates are
// numbers too: see chartNumber.
func (s *subject) cells(column string, rows []int32) (values []any, isNumber bool) {
	at := s.data.Schema.Index(column)
	field, c := &s.data.Schema.Fields[at], &s.data.Columns[at]
	isNumber = field.Kind != data.Categorical
	for _, row := range rows {
		switch {
		case isNumber:
			values = append(values, chartNumber(field, c.Number(int(row))))
		case int(c.Code(int(row))) < len(field.Levels):
			values = append(values, field.Levels[c.Code(int(row))])
		default:
			values = append(values, nil)
		}
	}
	return values, isNumber
}

// chartNumber returns a number of a column as charts have it. Days since a date are milliseconds
// since 1970, as in JavaScript, which need all their digits.
func chartNumber(field *data.Field, v float64) any {
	if !isDate(field) || math.IsNaN(v) {
		return number(v)
	}
	return math.Round(field.From.Date(v) / 1000)
}

// isDate reports whether a column's numbers are days since a date.
func isDate(field *data.Field) bool { return field.From != nil && field.From.Part == data.Days }

// featureName is what the page calls a feature: days since a date are called as the date.
func featureName(field *data.Field) string {
	if isDate(field) {
		return field.From.Source
	}
	return field.Name
}

// cellText writes the value of a column in a row.
func (s *subject) cellText(column string, row int32) string {
	at := s.data.Schema.Index(column)
	field, c := &s.data.Schema.Fields[at], &s.data.Columns[at]
	switch {
	case s.data.IsMissing(int(row), at):
		return "missing"
	case field.Kind != data.Categorical:
		if date, ok := field.DateText(c.Number(int(row))); ok {
			return date
		}
		return humanize.Number(c.Number(int(row)), 5)
	case int(c.Code(int(row))) < len(field.Levels):
		return humanize.Shorten(field.Levels[c.Code(int(row))], 60)
	}
	return "unseen"
}

// spanWords describes the values of an interval.
func spanWords(f *data.Field, from, to float64) string {
	words := func(v float64) string {
		if date, ok := f.DateText(v); ok {
			return date
		}
		return humanize.Number(v, 4)
	}
	if from == to {
		return words(from)
	}
	return words(from) + " to " + words(to)
}

// labelOf returns the label of a row: a text, a number, or nil without labels.
func (s *subject) labelOf(row int32) any {
	switch t := &s.data.Target; {
	case t.Class != nil:
		return t.Classes[t.Class[row]]
	case len(t.Y) > 0:
		return number(t.Y[0][row])
	}
	return nil
}

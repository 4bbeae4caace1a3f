package report

import (
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/humanize"
)

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

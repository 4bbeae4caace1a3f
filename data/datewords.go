package data

import "math"

// DateText returns a value of a date column, or of the days that were made of one, as a date: see
// the function DateText. It reports false for all other fields, and for what is no date.
func (f *Field) DateText(v float64) (text string, ok bool) {
	micros, ok := f.date(v)
	if !ok || !(math.Abs(micros) < maxMicros) {
		return "", false
	}
	return DateText(micros), true
}

// date returns the date that a value of the field is, in microseconds since 1970.
func (f *Field) date(v float64) (micros float64, ok bool) {
	switch {
	case f.Kind == Date:
		return v, true
	case f.From != nil && f.From.Part == Days:
		return f.From.Date(v), true
	}
	return 0, false
}

// DateSplit returns the words of a split point of a column of days: the name of the date column,
// and the date that its dates are compared with. It reports false for all other columns.
//
// A split point lies between two values. Where training had days without a time of day, the text is
// the earlier day, up to which dates go one way. Else it is precise to a second.
func (s *Schema) DateSplit(column int, point float64) (source, date string, ok bool) {
	if column < 0 || column >= len(s.Fields) || s.Fields[column].Kind == Date {
		return "", "", false
	}
	micros, ok := s.Fields[column].date(point)
	if !ok || !(math.Abs(micros) < maxMicros) {
		return "", "", false
	}
	d := s.Fields[column].From
	unit := float64(microsPerDay)
	if s.hasHours(d.Source) || math.Mod(d.Origin, unit) != 0 {
		unit = 1e6 // microseconds of a second
	}
	return d.Source, DateText(float64(math.Floor(micros/unit) * unit)), true
}

// hasHours reports whether the time of day varied among the dates of a column.
func (s *Schema) hasHours(source string) bool {
	for i := range s.Fields {
		if d := s.Fields[i].From; d != nil && d.Source == source && d.Part == Hour {
			return true
		}
	}
	return false
}

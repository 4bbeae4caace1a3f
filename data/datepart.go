package data

import (
	"fmt"
	"math"
	"time"

	"github.com/coppice-ml/coppice/param"
)

// Part is a number that a date has.
type Part = param.Enum[partNames]

// The parts of dates. All but Days are of the calendar, and of UTC.
const (
	Year    Part = iota // 2024
	Month               // 1 to 12
	Weekday             // 1 = Monday to 7 = Sunday, as in ISO 8601
	Hour                // 0 to 23
	Days                // days since DatePart.Origin, with their fraction
)

type partNames struct{}

func (partNames) Enum() (string, []string) {
	return "part of a date", []string{"year", "month", "weekday", "hour", "days"}
}

// DatePart describes how a numeric field is made of a date column.
type DatePart struct {
	Source string `json:"source"` // name of the date column
	// how the column is read from files that do not type it
	Format DateFormat `json:"format,omitempty"`
	Part   Part       `json:"part"`
	// of Days: the earliest date of the table, in microseconds since 1970
	Origin float64 `json:"origin,omitempty"`
}

// equal reports whether two fields are made alike, or both of no date.
func (d *DatePart) equal(e *DatePart) bool {
	if d == nil || e == nil {
		return d == e
	}
	return *d == *e
}

// Name returns the name of the field: "date.year" of a column called date.
func (d *DatePart) Name() string { return d.Source + "." + d.Part.String() }

// Of returns the part of a date, which is given in microseconds since 1970; NaN of NaN. Parts of
// the calendar are NaN beyond 292 thousand years around 1970.
func (d *DatePart) Of(micros float64) float64 {
	if d.Part == Days {
		return (micros - d.Origin) / microsPerDay
	}
	if !(math.Abs(micros) < maxMicros) {
		return math.NaN()
	}
	t := time.UnixMicro(int64(math.Floor(micros))).UTC()
	switch d.Part {
	case Year:
		return float64(t.Year())
	case Month:
		return float64(t.Month())
	case Weekday:
		return float64((t.Weekday()+6)%7 + 1)
	}
	return float64(t.Hour())
}

// Date returns the date that has so many days since the origin, in microseconds since 1970: what Of
// makes of it are the days again. Days of more than 70 years are good to a few microseconds.
func (d *DatePart) Date(days float64) float64 {
	return math.Round(float64(days*microsPerDay) + d.Origin)
}

// validate checks what files may have got wrong.
func (d *DatePart) validate() error {
	switch {
	case d.Source == "":
		return fmt.Errorf("a part of a date column without name")
	case d.Part > Days:
		return fmt.Errorf("an unknown part of a date")
	case d.Format > SinceNanoseconds:
		return fmt.Errorf("an unknown date format")
	case d.Part != Days && d.Origin != 0:
		return fmt.Errorf("the %s of a date has no origin", d.Part)
	case !(math.Abs(d.Origin) < maxMicros):
		return fmt.Errorf("days since %v microseconds: want less than 2^63", d.Origin)
	}
	return nil
}

// values returns the part of each date.
func (d *DatePart) values(micros []float64) []float64 {
	parts := make([]float64, len(micros))
	for row, v := range micros {
		parts[row] = d.Of(v)
	}
	return parts
}

// wholeMonths reports whether all dates are first days of months at midnight: they stand for
// months, whose days of the week mean nothing.
func wholeMonths(micros []float64) bool {
	for _, v := range micros {
		if math.IsNaN(v) {
			continue
		}
		if !(math.Abs(v) < maxMicros) || math.Mod(v, microsPerDay) != 0 ||
			time.UnixMicro(int64(v)).UTC().Day() != 1 {
			return false
		}
	}
	return true
}

// varies reports whether two values differ; missing ones do not count.
func varies(values []float64) bool {
	first := math.NaN()
	for _, v := range values {
		switch {
		case math.IsNaN(v):
		case math.IsNaN(first):
			first = v
		case v != first:
			return true
		}
	}
	return false
}

// earliest returns the least of the dates, 0 if there are none or it is beyond the calendar.
func earliest(micros []float64) float64 {
	first := math.Inf(1)
	for _, v := range micros {
		first = min(first, orInf(v))
	}
	if !(math.Abs(first) < maxMicros) {
		return 0
	}
	return first
}

func orInf(v float64) float64 {
	if math.IsNaN(v) {
		return math.Inf(1)
	}
	return v
}

// parts chooses the fields that a date column becomes.
func (f *Field) parts(micros []float64) []Field {
	var fields []Field
	format, _ := f.DateFormat() // checked by NewFrame
	for p := Year; p <= Days; p++ {
		d := &DatePart{Source: f.Name, Format: format, Part: p}
		if p == Days {
			d.Origin = earliest(micros)
		} else if !varies(d.values(micros)) || p == Weekday && wholeMonths(micros) {
			continue
		}
		fields = append(fields, Field{Name: d.Name(), Missing: f.Missing, From: d})
	}
	return fields
}

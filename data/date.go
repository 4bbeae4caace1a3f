package data

import (
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/coppice-ml/coppice/internal/enum"
)

// DateFormat is the format in which the texts or the numbers of a date column are read.
type DateFormat uint8

// The formats of dates. All formats of texts read texts whose year comes first, for no two readers
// can mistake their month for their day; they differ in texts whose year comes last.
const (
	// 2024-01-31, also with / or . in place of -; no text whose year comes last
	YearFirst         DateFormat = iota
	DayFirst                     // 31/01/2024
	MonthFirst                   // 01/31/2024
	SinceDays                    // numbers: days since 1970-01-01T00:00:00Z
	SinceSeconds                 // seconds
	SinceMilliseconds            // milliseconds
	SinceMicroseconds            // microseconds
	SinceNanoseconds             // nanoseconds
)

var dateFormatNames = enum.Names[DateFormat]{"ymd", "dmy", "mdy", "days", "s", "ms", "us", "ns"}

// String returns the name that UnmarshalText reads.
func (f DateFormat) String() string { return dateFormatNames.Name("dateformat", f) }

// DateFormat returns how a date column is read from files that do not type it.
func (f *Field) DateFormat() (DateFormat, error) {
	if f.Format == "" {
		return YearFirst, nil
	}
	var format DateFormat
	err := format.UnmarshalText([]byte(f.Format))
	return format, err
}

// MarshalText writes the format by its name.
func (f DateFormat) MarshalText() ([]byte, error) { return []byte(f.String()), nil }

// UnmarshalText reads one of ymd, dmy, mdy for texts, or days, s, ms, us, ns for numbers since
// 1970.
func (f *DateFormat) UnmarshalText(text []byte) error {
	if err := dateFormatNames.Read(f, "date format", text); err != nil {
		return fmt.Errorf("%w: want one of %s", err, strings.Join(dateFormatNames, ", "))
	}
	return nil
}

// Unit returns the microseconds in one unit of the numbers of a format, 0 for formats of texts.
func (f DateFormat) Unit() float64 {
	switch f {
	case SinceDays:
		return microsPerDay
	case SinceSeconds:
		return 1e6
	case SinceMilliseconds:
		return 1e3
	case SinceMicroseconds:
		return 1
	case SinceNanoseconds:
		return 1e-3
	}
	return 0
}

// FromNumber returns the date that a number means in a format of numbers, in microseconds since
// 1970.
func (f DateFormat) FromNumber(v float64) float64 {
	if f == SinceNanoseconds {
		return v / 1e3 // rounded once, which a product with 0.001 is not
	}
	return v * f.Unit()
}

const microsPerDay = 24 * 60 * 60 * 1e6

// maxMicros bounds the dates that have calendar parts: int64 holds them as microseconds, 292
// thousand years around 1970.
const maxMicros = 1 << 63

// DateOf returns a time as the value of a date column: microseconds since 1970-01-01T00:00:00Z,
// finer ones truncated towards the past. The zero Time is a missing value. Only the instant counts,
// not the location.
func DateOf(t time.Time) float64 {
	if t.IsZero() {
		return math.NaN()
	}
	return float64(t.UnixMicro())
}

// DateText writes a value of a date column as text in UTC that ParseDate reads: "2024-01-31" at
// midnight, else "2024-01-31T05:00:00Z", with a fraction where there is one. NaN, which is a
// missing value, is the empty text. Dates outside the years 1 to 9999 are written as their
// microseconds.
func DateText(micros float64) string {
	if math.IsNaN(micros) {
		return ""
	}
	if math.Abs(micros) < maxMicros {
		t := time.UnixMicro(int64(math.Floor(micros))).UTC()
		if y := t.Year(); 1 <= y && y <= 9999 {
			if t.Equal(t.Truncate(24 * time.Hour)) {
				return t.Format(time.DateOnly)
			}
			return t.Format("2006-01-02T15:04:05.999999Z")
		}
	}
	return NumberText(micros, 64)
}

// ParseDate reads a text as a date, and a time of day if there is one, in a format of texts. It
// returns microseconds since 1970-01-01T00:00:00Z; finer digits are truncated. ok is false for all
// other texts.
//
//	2024-01-31    2024/1/31    2024.01.31         in every format
//	31/01/2024    31.1.2024    31-01-2024         DayFirst
//	01/31/2024                                    MonthFirst
//	Jul 1, 2004    1 July 2004    01-Jul-2004     in every format, by English names
//	2024-01    2024/01                            in every format: the first day, 1900 to 2099
//	2024-01-31T17:05    2024-01-31 17:05:09.25    31/01/2024 5:05 PM
//	2024-01-31T17:05:09Z    2024-01-31 17:05:09+01:00    ... +0100    ... +01    ... UTC
//
// Years have four digits, from 0001 to 9999. A text without a zone is in UTC.
func ParseDate(text string, format DateFormat) (micros float64, ok bool) {
	p := dateText{rest: text}
	year, month, day, ok := p.date(format)
	if !ok {
		p.rest = text
		year, month, day, ok = p.named()
	}
	if !ok {
		p.rest = text
		year, month, day, ok = p.wholeMonth()
	}
	if !ok || year < 1 || month < 1 || month > 12 || day < 1 || day > daysIn(year, month) {
		return 0, false
	}
	seconds, fraction, zone := 0, 0, 0
	if p.rest != "" {
		if seconds, fraction, ok = p.clock(); !ok {
			return 0, false
		}
		if zone, ok = p.zone(); !ok {
			return 0, false
		}
	}
	midnight := time.Date(year, time.Month(month), day, 0, 0, 0, 0, time.UTC).Unix()
	return float64((midnight+int64(seconds-zone))*1e6 + int64(fraction)), true
}

// daysIn returns the number of days of a month.
func daysIn(year, month int) int {
	switch month {
	case 2:
		if year%4 == 0 && (year%100 != 0 || year%400 == 0) {
			return 29
		}
		return 28
	case 4, 6, 9, 11:
		return 30
	}
	return 31
}

// dateText is what is left to read of a date.
type dateText struct{ rest string }

// number takes digits off the front, at most most of them, and returns their value and how many
// there were.
func (p *dateText) number(most int) (value, digits int) {
	for digits < most && digits < len(p.rest) && '0' <= p.rest[digits] && p.rest[digits] <= '9' {
		value = value*10 + int(p.rest[digits]-'0')
		digits++
	}
	p.rest = p.rest[digits:]
	return value, digits
}

// take takes a character off the front if it is one of some.
func (p *dateText) take(some string) (byte, bool) {
	if p.rest == "" || strings.IndexByte(some, p.rest[0]) < 0 {
		return 0, false
	}
	c := p.rest[0]
	p.rest = p.rest[1:]
	return c, true
}

// date takes the three numbers of a date with the same character between them.
func (p *dateText) date(format DateFormat) (year, month, day int, ok bool) {
	var n, digits [3]int
	n[0], digits[0] = p.number(4)
	by, ok := p.take("-/.")
	if !ok {
		return 0, 0, 0, false
	}
	n[1], digits[1] = p.number(2)
	if c, ok := p.take("-/."); !ok || c != by {
		return 0, 0, 0, false
	}
	n[2], digits[2] = p.number(4)
	short := func(i int) bool { return digits[i] == 1 || digits[i] == 2 }
	switch {
	case !short(1):
	case digits[0] == 4 && short(2):
		return n[0], n[1], n[2], true
	case short(0) && digits[2] == 4 && format == DayFirst:
		return n[2], n[1], n[0], true
	case short(0) && digits[2] == 4 && format == MonthFirst:
		return n[2], n[0], n[1], true
	}
	return 0, 0, 0, false
}

// clock takes a time of day, which T or blanks separate from the date.
func (p *dateText) clock() (seconds, micros int, ok bool) {
	if _, ok := p.take("T"); !ok && !p.blanks() {
		return 0, 0, false
	}
	return p.timeOfDay()
}

// timeOfDay takes a time of day: its seconds since midnight, and microseconds.
func (p *dateText) timeOfDay() (seconds, micros int, ok bool) {
	hour, digits := p.number(2)
	if _, ok := p.take(":"); !ok || digits == 0 {
		return 0, 0, false
	}
	minute, digits := p.number(2)
	if digits != 2 || minute > 59 {
		return 0, 0, false
	}
	second := 0
	if _, more := p.take(":"); more {
		if second, digits = p.number(2); digits != 2 || second > 59 {
			return 0, 0, false
		}
		if micros, ok = p.fraction(); !ok {
			return 0, 0, false
		}
	}
	if hour, ok = p.half(hour); !ok || hour > 23 {
		return 0, 0, false
	}
	return hour*3600 + minute*60 + second, micros, true
}

// fraction takes the fraction of a second, in microseconds, if there is one; it has 1 to 9 digits.
func (p *dateText) fraction() (micros int, ok bool) {
	if _, more := p.take(".,"); !more {
		return 0, true
	}
	micros, digits := p.number(6)
	for n := digits; n < 6; n++ {
		micros *= 10
	}
	p.number(3)
	return micros, digits > 0
}

// half takes AM or PM, if one of them is there, and returns the hour of the day.
func (p *dateText) half(hour int) (int, bool) {
	after := strings.TrimLeft(p.rest, " ")
	if len(after) < 2 || after[1]|0x20 != 'm' || after[0]|0x20 != 'a' && after[0]|0x20 != 'p' {
		return hour, true
	}
	p.rest = after[2:]
	if hour < 1 || hour > 12 {
		return 0, false
	}
	hour %= 12
	if after[0]|0x20 == 'p' {
		hour += 12
	}
	return hour, true
}

// zone takes the rest as a zone, and returns by how many seconds its clocks are before those of
// UTC.
func (p *dateText) zone() (seconds int, ok bool) {
	p.blanks()
	switch p.rest {
	case "", "Z", "UTC", "GMT":
		return 0, true
	}
	sign, ok := p.take("+-")
	hour, digits := p.number(2)
	if !ok || digits != 2 {
		return 0, false
	}
	minute := 0
	if p.rest != "" {
		p.take(":")
		if minute, digits = p.number(2); digits != 2 {
			return 0, false
		}
	}
	if p.rest != "" || hour > 23 || minute > 59 {
		return 0, false
	}
	seconds = hour*3600 + minute*60
	if sign == '-' {
		seconds = -seconds
	}
	return seconds, true
}

// blanks takes blanks off the front, and reports whether there were any.
func (p *dateText) blanks() bool {
	before := len(p.rest)
	p.rest = strings.TrimLeft(p.rest, " ")
	return len(p.rest) < before
}

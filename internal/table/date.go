package table

import (
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/option"
)

// AppendDate appends a date: so many units since 1970-01-01T00:00:00Z. Units finer than
// microseconds are truncated, towards the past. In a numeric column it is the number of
// microseconds, in a categorical one what data.DateText writes.
func (c *Column) AppendDate(v int64, unit time.Duration) {
	micros := Microseconds(v, unit)
	if c.Storage == Numbers && c.Kept.Dict == nil {
		c.AppendNumber(micros)
	} else {
		text := data.DateText(micros)
		c.appendNumeral(micros, text, []byte(text))
	}
}

// readDates makes a column one of dates. A file that types it marks its dates; else they are in a
// format, unless ReadOptions.Dates has another one for the column.
func (p *Plan) readDates(c *Column, format data.DateFormat) {
	if given, ok := p.options.Dates[c.Field.Name]; ok {
		format = given
	}
	c.Field.Kind, c.Field.Format, c.Storage = data.Date, "", Numbers
	if format != data.YearFirst {
		c.Field.Format = format.String()
	}
	if c.Type != TypedDates && format.Unit() == 0 {
		c.Storage, c.Dict = Codes, dateDictionary(slices.Concat(p.tokensOf(c), p.weak),
			c.Field.Name, format).count(&p.account)
	}
}

// dateDictionary returns a dictionary of texts that are dates in a format; all others are faults.
func dateDictionary(tokens []string, column string, format data.DateFormat) *Dictionary {
	d := newDictionary(tokens)
	d.value = func(text []byte) (float64, *data.ReadError) {
		if len(trim(text)) == 0 {
			return math.NaN(), nil // blanks in quotes: missing, as in a column of inferred kind
		}
		v, ok := data.ParseDate(string(trim(text)), format)
		if ok {
			return v, nil
		}
		return 0, &data.ReadError{Msg: Quote(text) + notDate(string(trim(text)), column, format),
			Err: data.ErrDate}
	}
	return d
}

// notDate words why a text is no date of a format, and which format it has if it is one.
func notDate(text, column string, format data.DateFormat) string {
	for _, other := range []data.DateFormat{data.DayFirst, data.MonthFirst} {
		if _, ok := data.ParseDate(text, other); ok {
			return fmt.Sprintf(option.Expand(" is not a date with the %s first ({date} %s=%s reads such dates)"),
				orderWord(format), column, other)
		}
	}
	return " is not a date"
}

// orderWord names what a format of texts has first.
func orderWord(format data.DateFormat) string {
	switch format {
	case data.DayFirst:
		return "day"
	case data.MonthFirst:
		return "month"
	}
	return "year"
}

// dateValues returns the dates of a column's rows.
func dateValues(c *Column, rows int) []float64 {
	format, _ := c.Field.DateFormat() // readDates or a recogniser wrote it
	switch {
	case c.Storage == Codes:
		dates := make([]float64, rows)
		for row, code := range c.Code[:rows] {
			dates[row] = c.Dict.valueOf(code)
		}
		return dates
	case c.Type != TypedDates && format.Unit() != 0:
		dates := make([]float64, rows)
		for row, v := range c.Num[:rows] {
			dates[row] = format.FromNumber(v)
		}
		return dates
	}
	return fit(c.Num, rows)
}

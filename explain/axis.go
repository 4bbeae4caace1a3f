package explain

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/humanize"
)

// Axis is a column with the values at which its effect is known.
type Axis struct {
	Column string `json:"column"`
	// of a numeric column, ascending; of a column of dates microseconds since 1970
	Values []float64 `json:"values,omitempty"`
	// the values as dates, of a column of dates and of days since a date; nil: they are none
	Dates  []string `json:"dates,omitempty"`
	Levels []string `json:"levels,omitempty"` // of a categorical column
	codes  []uint32 // of the levels, in the table's dictionary
}

// numberAxis returns the axis of a numeric column or of a column of dates.
func numberAxis(field *data.Field, values []float64) Axis {
	a := Axis{Column: field.Name, Values: values}
	dates := make([]string, len(values))
	for i, v := range values {
		var ok bool
		if dates[i], ok = field.DateText(v); !ok {
			return a
		}
	}
	a.Dates = dates
	return a
}

// Text returns the i-th value as people write it: a level, a date, or a number in all its digits.
func (a *Axis) Text(i int) string {
	switch {
	case a.Levels != nil:
		return a.Levels[i]
	case a.Dates != nil:
		return a.Dates[i]
	}
	return humanize.Exact(a.Values[i])
}

// Len returns the number of values.
func (a *Axis) Len() int { return len(a.Values) + len(a.Levels) }

// constant returns a column that has the i-th value in n rows.
func (a *Axis) constant(i, n int) data.Column {
	if a.codes != nil {
		return data.Codes(slices.Repeat([]uint32{a.codes[i]}, n))
	}
	return data.Numbers(slices.Repeat([]float64{a.Values[i]}, n))
}

// numbers returns the values of a numeric column that are present, ascending.
func numbers(c *data.Column) []float64 {
	present := make([]float64, 0, c.Len())
	for _, x := range c.Numbers() {
		if !math.IsNaN(x) {
			present = append(present, x)
		}
	}
	slices.Sort(present)
	return present
}

// gridOf returns the axis of a column for partial dependence: all values if there are few, else
// the most frequent levels, or numbers at equal distances from the 5th to the 95th percentile.
func gridOf(field *data.Field, c *data.Column, points int) (*Axis, error) {
	if field.Kind == data.Categorical {
		return levelsOf(field, c, points)
	}
	sorted := numbers(c)
	if len(sorted) == 0 {
		return nil, &emptyColumnError{field.Name}
	}
	distinct := slices.Compact(slices.Clone(sorted))
	if len(distinct) <= points {
		a := numberAxis(field, distinct)
		return &a, nil
	}
	low, high := quantile(sorted, 0.05), quantile(sorted, 0.95)
	if low == high { // most rows have one value
		low, high = sorted[0], sorted[len(sorted)-1]
	}
	values := make([]float64, points)
	for i := range values {
		t := float64(i) / float64(points-1)
		values[i] = float64(low*(1-t)) + float64(high*t)
	}
	a := numberAxis(field, wholeDays(field, values, distinct))
	return &a, nil
}

// wholeDays rounds values of a column of dates to whole days if all of the column's differ by such,
// so that they are dates that may occur. Values of other columns stay.
func wholeDays(field *data.Field, values, distinct []float64) []float64 {
	day := 1.0
	switch {
	case field.Kind == data.Date:
		day = 24 * 60 * 60 * 1e6
	case field.From == nil || field.From.Part != data.Days:
		return values
	}
	first := distinct[0]
	for _, x := range distinct {
		if math.Mod(x-first, day) != 0 {
			return values
		}
	}
	for i, x := range values {
		values[i] = first + float64(math.Round((x-first)/day)*day)
	}
	return slices.Compact(values)
}

// ErrNoValues is what errors are that report a column without a value in the given rows.
var ErrNoValues = errors.New("the column has no values")

// emptyColumnError is a column without a value.
type emptyColumnError struct{ column string }

// Is reports whether it is ErrNoValues.
func (e *emptyColumnError) Is(err error) bool { return err == ErrNoValues }

func (e *emptyColumnError) Error() string {
	return fmt.Sprintf("column %q has no value in these rows", e.column)
}

// levelsOf returns the axis of the levels that occur most often, in the order of the dictionary.
func levelsOf(field *data.Field, c *data.Column, most int) (*Axis, error) {
	count := make([]int, len(field.Levels))
	for _, code := range c.Codes() {
		if int(code) < len(count) {
			count[code]++
		}
	}
	var codes []uint32
	for code, n := range count {
		if n > 0 {
			codes = append(codes, uint32(code))
		}
	}
	if codes == nil {
		return nil, &emptyColumnError{field.Name}
	}
	slices.SortStableFunc(codes, func(a, b uint32) int { return count[b] - count[a] })
	codes = codes[:min(most, len(codes))]
	slices.Sort(codes)
	a := &Axis{Column: field.Name, codes: codes}
	for _, code := range codes {
		a.Levels = append(a.Levels, field.Levels[code])
	}
	return a, nil
}

// quantile returns a quantile of sorted numbers, between two neighbours if it falls between them
// (Hyndman & Fan 1996, definition 7).
func quantile(sorted []float64, q float64) float64 {
	at := float64(q * float64(len(sorted)-1))
	below := int(at)
	if below+1 >= len(sorted) {
		return sorted[len(sorted)-1]
	}
	t := at - float64(below)
	return float64(sorted[below]*(1-t)) + float64(sorted[below+1]*t)
}

package explain

import (
	"errors"
	"fmt"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/explain/internal/axes"
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

// gridOf returns the axis of a column for partial dependence: its most frequent levels, or a grid
// of its numbers.
func gridOf(field *data.Field, c *data.Column, points int) (*Axis, error) {
	if field.Kind == data.Categorical {
		return levelsOf(field, c, points)
	}
	values := axes.Grid(field, c, points)
	if values == nil {
		return nil, &emptyColumnError{field.Name}
	}
	a := numberAxis(field, values)
	return &a, nil
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
	codes := axes.Frequent(c, len(field.Levels), most)
	if codes == nil {
		return nil, &emptyColumnError{field.Name}
	}
	a := levelAxis(field, codes)
	return &a, nil
}

// levelAxis returns the axis of some levels of a categorical column.
func levelAxis(field *data.Field, codes []uint32) Axis {
	a := Axis{Column: field.Name, codes: codes}
	for _, code := range codes {
		a.Levels = append(a.Levels, field.Levels[code])
	}
	return a
}

package model

import (
	"fmt"
	"math"

	"github.com/coppice-ml/coppice/data"
)

// conversion is how the numbers of a table's column become a feature's values. The zero value takes
// them as they are.
type conversion struct {
	part  *data.DatePart  // what the feature needs of dates; nil: nothing
	days  *data.DatePart  // the values are days since its origin; nil: they are dates
	codes *data.CodeIndex // the values are codes, written as numbers; nil: they are not
}

// match returns how the values of a table's column become those of a field of the model, or that
// the column has another kind. bare reports whether the field's levels are bare codes.
func match(field, got *data.Field, bare bool) (conversion, error) {
	want := field.From
	switch {
	case bare && got.Kind == data.Numeric:
		return conversion{codes: field.CodeIndex()}, nil
	case !field.Derived() || got.Name == field.Name:
		if t := got.Text; field.Text != nil && t != nil && !t.Equal(field.Text) {
			return conversion{}, fmt.Errorf("column %q counts n-grams in another way than in the "+
				"training set", field.Name)
		}
		if got.Kind != field.Kind {
			return conversion{}, &KindError{Column: field.Name, Want: field.Kind, Got: got.Kind}
		}
		if d := got.From; want != nil && d != nil && want.Part == data.Days &&
			d.Part == data.Days && want.Origin != d.Origin {
			return conversion{part: want, days: d}, nil
		}
		return conversion{}, nil
	case got.Kind == data.Date:
		return conversion{part: want}, nil
	case got.From != nil && got.From.Part == data.Days:
		return conversion{part: want, days: got.From}, nil
	}
	if field.Text != nil { // BindTexts expands texts
		return conversion{}, &KindError{Column: got.Name, Want: data.Text, Got: got.Kind}
	}
	return conversion{}, &KindError{Column: got.Name, Want: data.Date, Got: got.Kind}
}

// none reports whether the values stay as they are.
func (c *conversion) none() bool { return c.part == nil && c.codes == nil }

// of returns the feature's value for a value of the column.
func (c *conversion) of(v float64) float64 {
	switch {
	case c.codes != nil:
		return c.codes.Find(v)
	case c.days != nil:
		v = c.days.Date(v)
	}
	return c.part.Of(v)
}

// apply makes the feature's values of values of the column.
func (c *conversion) apply(values []float64) {
	if c.none() {
		return
	}
	for i, v := range values {
		values[i] = c.of(v)
	}
}

// ofRow returns the feature's value for a value that PredictRow is given; ok is false if it is no
// date.
func (c *conversion) ofRow(v float64) (value float64, ok bool) {
	switch {
	case c.none():
		return v, true
	case c.part != nil && math.IsInf(v, 0):
		return 0, false
	}
	return c.of(v), true
}

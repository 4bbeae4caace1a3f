package model

import (
	"math"

	"github.com/coppice-ml/coppice/data"
)

// dates is how the values of a table's column become a part of dates. The zero value takes the
// values as they are.
type dates struct {
	part *data.DatePart // what the feature needs; nil: the values are those of the feature
	days *data.DatePart // the values are days since its origin; nil: they are dates
}

// match returns how the values of a table's column become those of a field of the model, or that
// the column has another kind.
func match(field, got *data.Field) (dates, error) {
	want := field.From
	switch {
	case want == nil || got.Name == field.Name:
		if got.Kind != field.Kind {
			return dates{}, &KindError{Column: field.Name, Want: field.Kind, Got: got.Kind}
		}
		if d := got.From; want != nil && d != nil && want.Part == data.Days &&
			d.Part == data.Days && want.Origin != d.Origin {
			return dates{part: want, days: d}, nil
		}
		return dates{}, nil
	case got.Kind == data.Date:
		return dates{part: want}, nil
	case got.From != nil && got.From.Part == data.Days:
		return dates{part: want, days: got.From}, nil
	}
	return dates{}, &KindError{Column: got.Name, Want: data.Date, Got: got.Kind}
}

// of returns the feature's value for a value of the column.
func (d *dates) of(v float64) float64 {
	if d.days != nil {
		v = d.days.Date(v)
	}
	return d.part.Of(v)
}

// apply makes the feature's values of values of the column.
func (d *dates) apply(values []float64) {
	if d.part == nil {
		return
	}
	for i, v := range values {
		values[i] = d.of(v)
	}
}

// ofRow returns the feature's value for a value that PredictRow is given; ok is false if it is no
// date.
func (d *dates) ofRow(v float64) (value float64, ok bool) {
	switch {
	case d.part == nil:
		return v, true
	case math.IsInf(v, 0):
		return 0, false
	}
	return d.of(v), true
}

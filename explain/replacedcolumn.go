package explain

import (
	"fmt"
	"strings"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/model"
)

// unit is a column of a table whose values are replaced: a feature of a model, or a column of dates
// as it was read, of which the model has parts.
//
//	name       field     column          at             parts
//	price      numeric   its numbers     price          -
//	day.days   numeric   its days        day.days       -
//	day        date      dates of days   day.month ...  month, weekday, days
type unit struct {
	field  *data.Field
	column *data.Column
	at     []int32          // in the table
	parts  []*data.DatePart // by at, of a date; nil: the column is itself one
}

// newUnit finds the column that a name stands for in a model's table, which is expanded.
func newUnit(m model.Model, f *data.Frame, name string) (*unit, error) {
	own := &m.Spec().Schema
	if own.Index(name) >= 0 {
		at := f.Schema.Index(name)
		if at < 0 {
			return nil, &model.MissingColumnError{Column: name}
		}
		return &unit{field: &f.Schema.Fields[at], column: &f.Columns[at], at: []int32{int32(at)}},
			nil
	}
	parts := own.PartsOf(name)
	if parts == nil {
		return nil, &ColumnError{Column: name}
	}
	u := &unit{field: &data.Field{Name: name, Kind: data.Date}}
	for _, i := range parts {
		field := &own.Fields[i]
		at := f.Schema.Index(field.Name)
		switch {
		case at < 0:
			return nil, &model.MissingColumnError{Column: name}
		case field.From == nil:
			return nil, &PartsError{Column: name, Kind: data.Text, Parts: namesAt(own, parts)}
		case field.From.Part == data.Days:
			dates := make([]float64, f.Rows())
			for row, days := range f.Columns[at].Numbers() {
				dates[row] = field.From.Date(days)
			}
			column := data.Numbers(dates)
			u.column = &column
		}
		u.at, u.parts = append(u.at, int32(at)), append(u.parts, field.From)
	}
	if u.column == nil {
		return nil, &PartsError{Column: name, Kind: data.Date, Parts: namesAt(own, parts)}
	}
	return u, nil
}

// put writes a column of the unit's values into the columns of a table.
func (u *unit) put(columns []data.Column, c data.Column) {
	if u.parts == nil {
		columns[u.at[0]] = c
		return
	}
	dates := c.Numbers()
	for i, part := range u.parts {
		values := make([]float64, len(dates))
		for row, micros := range dates {
			values[row] = part.Of(micros)
		}
		columns[u.at[i]] = data.Numbers(values)
	}
}

// has reports whether a row has a value.
func (u *unit) has(row int) bool {
	if u.column.Codes() != nil {
		return int(u.column.Code(row)) < len(u.field.Levels)
	}
	x := u.column.Number(row)
	return x == x
}

func namesAt(s *data.Schema, at []int) []string {
	var list []string
	for _, i := range at {
		list = append(list, s.Fields[i].Name)
	}
	return list
}

// PartsError is a column of which a model has parts that have no values together: the counts of a
// text, or parts of dates without the days.
type PartsError struct {
	Column string
	Kind   data.Kind
	Parts  []string // features of the model
}

// mostNamed is the number of parts that an error names.
const mostNamed = 4

// Error names the column and some of its parts.
func (e *PartsError) Error() string {
	some := e.Parts[:min(mostNamed, len(e.Parts))]
	text := fmt.Sprintf("column %q is a %s, of which the model has parts: name one of %s", e.Column,
		e.Kind, strings.Join(some, ", "))
	if more := len(e.Parts) - len(some); more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

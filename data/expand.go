package data

import (
	"fmt"
	"slices"
)

// Expand returns the table with each date column and each text column replaced, in its place, by
// numeric columns. Learners train on such tables; Roles.Apply calls it.
//
//   - A date becomes the year, month, day of week and hour, each only where it varies among the
//     rows, and always the days since the earliest date.
//   - A text becomes the number of its words, and for each bucket of the hash of n-grams how many
//     of them it has. See TextFormat; buckets of too few rows are left out.
//
// The fields record in From or Text how they were made, and take over the policy for missing
// values. A missing date is missing in all of its columns. Of a missing text the number of words is
// missing, and the counts are 0. Labels play no part.
//
// A schema, such as that of a trained model, decides where it has fields with this source: then the
// columns are those of its fields. It also makes a text of a categorical column that it has as one.
// A table with nothing to expand is returned as it is. Errors: a column that has the name of a new
// one; a number where the schema has a text.
func Expand(f *Frame, like *Schema) (*Frame, error) {
	if !f.Schema.expands(like) {
		return f, nil
	}
	g := &Frame{Origin: f.Origin, rows: f.rows, Schema: f.Schema.Like(nil)}
	for i := range f.Columns {
		fields, columns, err := expandColumn(&f.Schema, i, &f.Columns[i], like)
		if err != nil {
			return nil, fmt.Errorf("%s%w", f.place(), err)
		}
		g.Schema.Fields = append(g.Schema.Fields, fields...)
		g.Columns = append(g.Columns, columns...)
	}
	return g, nil
}

// expandColumn returns what becomes of a column of a table.
func expandColumn(s *Schema, i int, c *Column, like *Schema) ([]Field, []Column, error) {
	field := &s.Fields[i]
	var fields []Field
	var columns []Column
	var err error
	switch {
	case s.isText(i, like):
		if fields, columns, err = field.expandText(c, like.madeOf(field.Name)); err != nil {
			return nil, nil, err
		}
	case field.Kind == Date:
		if fields = like.madeOf(field.Name); fields == nil {
			fields = field.parts(c.Numbers())
		}
		for _, part := range fields {
			if part.From == nil {
				return nil, nil, fmt.Errorf("column %q holds dates, and the model has it as a text",
					field.Name)
			}
			columns = append(columns, Column{num: part.From.values(c.Numbers())})
		}
	case s.lacksTexts(field.Name, like):
		return nil, nil, fmt.Errorf("column %q is %s, and the model was trained on texts in it",
			field.Name, field.Kind)
	default:
		return []Field{*field}, []Column{*c}, nil
	}
	here := make(map[string]bool, len(s.Fields))
	for i := range s.Fields {
		here[s.Fields[i].Name] = true
	}
	for _, part := range fields {
		if here[part.Name] {
			return nil, nil, fmt.Errorf("%ss of column %q become a column %q, and there is such a "+
				"column already: rename one, or leave it out", field.Kind, field.Name, part.Name)
		}
	}
	return fields, columns, nil
}

// isText reports whether a column is to be expanded as a text: it is one, or it holds texts and a
// schema has it as one, whose columns are not there yet.
func (s *Schema) isText(i int, like *Schema) bool {
	field := &s.Fields[i]
	return field.Kind == Text || field.Kind == Categorical && s.lacksTexts(field.Name, like)
}

// lacksTexts reports whether a schema makes texts of a column, and s has none of the results.
func (s *Schema) lacksTexts(column string, like *Schema) bool {
	if !like.hasTexts() || like.Index(column) >= 0 {
		return false
	}
	made := like.madeOf(column)
	return len(made) > 0 && made[0].Text != nil && s.Index(made[0].Name) < 0
}

// expands reports whether a column is to be expanded.
func (s *Schema) expands(like *Schema) bool {
	texts := like.hasTexts()
	for i := range s.Fields {
		f := &s.Fields[i]
		if f.Kind == Date || f.Kind == Text || texts && s.lacksTexts(f.Name, like) {
			return true
		}
	}
	return false
}

// hasTexts reports whether a field is made of a text; a nil schema has none.
func (s *Schema) hasTexts() bool {
	if s == nil {
		return false
	}
	for i := range s.Fields {
		if s.Fields[i].Text != nil {
			return true
		}
	}
	return false
}

// madeOf returns the fields that are made of a date or text column; a nil schema has none.
func (s *Schema) madeOf(source string) []Field {
	if s == nil {
		return nil
	}
	var fields []Field
	for i := range s.Fields {
		if s.Fields[i].Derived() && s.Fields[i].Source() == source {
			fields = append(fields, s.Fields[i])
		}
	}
	return fields
}

// uses reports whether a column of a table is a field, or has parts that are; a nil schema has
// none.
func (s *Schema) uses(column string) bool {
	return s != nil && slices.ContainsFunc(s.Fields, func(f Field) bool {
		return f.Source() == column
	})
}

// Expanded returns the data set with the table that Expand makes of its own; with nothing to expand
// it is d itself. Code that trains on data sets that Roles.Apply did not make calls it first.
func (d *Dataset) Expanded(like *Schema) (*Dataset, error) {
	f, err := Expand(d.Frame, like)
	if err != nil || f == d.Frame {
		return d, err
	}
	return &Dataset{Frame: f, Target: d.Target, Kept: d.Kept}, nil
}

package data

import "slices"

// ExpandLike returns a table as it was read with the columns that a schema, such as that of a
// model, makes of its dates and texts: each in the place of its source, and made as the schema
// makes it. Columns that the schema makes nothing of stay as they are. So does a table that has
// these columns, which is returned itself.
//
// Days of another origin become days of the schema's. What the table has no source of is left out,
// and columns of a wrong kind stay: the Bind of a model reports them.
func ExpandLike(f *Frame, like *Schema) *Frame {
	f = ExpandTexts(f, like, nil)
	made := map[int][]int{} // by column of the table: the fields that are made of it
	for i := range like.Fields {
		if at, ok := f.Schema.remakes(&like.Fields[i]); ok {
			made[at] = append(made[at], i)
		}
	}
	if len(made) == 0 {
		return f
	}
	g := &Frame{Origin: f.Origin, rows: f.rows, Schema: f.Schema.Like(nil)}
	for at := range f.Columns {
		from := &f.Schema.Fields[at]
		own := false // the column itself is made anew
		for _, i := range made[at] {
			field := like.Fields[i]
			own = own || field.Name == from.Name
			g.Schema.Fields = append(g.Schema.Fields, field)
			g.Columns = append(g.Columns, Column{num: field.From.valuesOf(from, &f.Columns[at])})
		}
		if own || made[at] != nil && from.Kind == Date {
			continue
		}
		g.Schema.Fields = append(g.Schema.Fields, *from)
		g.Columns = append(g.Columns, f.Columns[at])
	}
	return g
}

// remakes returns the column that a part of dates has to be made of. It reports false where the
// table has the part as it should be, or no source of it.
func (s *Schema) remakes(part *Field) (at int, ok bool) {
	if part.From == nil {
		return 0, false
	}
	if at = s.Index(part.Name); at >= 0 {
		d := s.Fields[at].From
		return at, d != nil && d.Part == Days && part.From.Part == Days && d.Origin != part.From.Origin
	}
	if at = s.Index(part.From.Source); at >= 0 {
		return at, s.Fields[at].Kind == Date
	}
	return s.daysOf(part.From.Source)
}

// valuesOf returns the part of each value of a column of dates, or of days since another origin.
func (d *DatePart) valuesOf(from *Field, c *Column) []float64 {
	values := c.Numbers()
	if from.Kind == Date {
		return d.values(values)
	}
	values = slices.Clone(values)
	for row, days := range values {
		values[row] = d.Of(from.From.Date(days))
	}
	return values
}

// PartsOf returns the places of the fields that are made of a date or a text column; nil where
// there are none.
func (s *Schema) PartsOf(source string) []int {
	var parts []int
	for i := range s.Fields {
		if s.Fields[i].Derived() && s.Fields[i].Source() == source {
			parts = append(parts, i)
		}
	}
	return parts
}

package data

import "slices"

// ExpandTexts expands the columns of a table that a schema has as texts, if it does not have the
// results. Only the given rows, nil = all, have values then. Other columns stay as they are.
func ExpandTexts(f *Frame, like *Schema, rows []int32) *Frame {
	if !like.hasTexts() {
		return f
	}
	var g *Frame
	rows = Distinct(rows)
	for i := range f.Columns {
		field, c := &f.Schema.Fields[i], &f.Columns[i]
		if !field.Kind.HasLevels() || !f.Schema.lacksTexts(field.Name, like) {
			if g != nil {
				g.Schema.Fields = append(g.Schema.Fields, *field)
				g.Columns = append(g.Columns, *c)
			}
			continue
		}
		if g == nil {
			g = &Frame{Origin: f.Origin, rows: f.rows,
				Schema:  f.Schema.Like(slices.Clone(f.Schema.Fields[:i])),
				Columns: slices.Clone(f.Columns[:i])}
		}
		made := like.madeOf(field.Name)
		codes := c.code
		if rows != nil {
			codes = Pick(codes, rows)
		}
		format := made[0].Text.Format
		grams := gramsOf(format, field.Levels, usedLevels(codes, len(field.Levels)))
		g.Schema.Fields = append(g.Schema.Fields, made...)
		g.Columns = append(g.Columns, textColumns(made, c.code, rows, grams, format.Buckets)...)
	}
	if g == nil {
		return f
	}
	return g
}

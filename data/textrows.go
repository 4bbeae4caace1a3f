package data

import (
	"math"
	"slices"
)

// TextExpansion makes the columns that a model's schema has of texts, where a table has the texts.
// It is safe for concurrent use.
type TextExpansion struct {
	like   *Schema
	schema Schema
	at     []int // by column of the table: place in schema; of a text that of its first field
	texts  []expandedText
}

// expandedText is a text column of the table.
type expandedText struct {
	column int
	levels []string
	row    readText
}

// NewTextExpansion plans the expansion of tables of a schema for a model of another; nil if there
// is nothing to expand. It keeps no memory of table, but like must not be changed.
func NewTextExpansion(like, table *Schema) *TextExpansion {
	if !like.hasTexts() {
		return nil
	}
	t := &TextExpansion{like: like, schema: table.Like(nil), at: make([]int, len(table.Fields))}
	for i := range table.Fields {
		field := &table.Fields[i]
		t.at[i] = len(t.schema.Fields)
		if !field.Kind.HasLevels() || !table.lacksTexts(field.Name, like) {
			t.schema.Fields = append(t.schema.Fields, *field)
			continue
		}
		made := like.madeOf(field.Name)
		t.texts = append(t.texts, expandedText{i, slices.Clone(field.Levels), newReadText(made)})
		t.schema.Fields = append(t.schema.Fields, made...)
	}
	if t.texts == nil {
		return nil
	}
	return t
}

// Schema returns the columns of expanded tables. Callers must not change it.
func (t *TextExpansion) Schema() *Schema { return &t.schema }

// Row expands a row of the table's schema, in the form that the PredictRow of package model takes,
// into dst, which has a place for each column of Schema. bad is the column of a value that is no
// code of its dictionary, -1 if there is none.
func (t *TextExpansion) Row(dst, row []float64) (bad int) {
	for i, at := range t.at {
		dst[at] = row[i]
	}
	for i := range t.texts {
		if !t.Text(i, dst, row[t.texts[i].column]) {
			return t.texts[i].column
		}
	}
	return -1
}

// Len returns the number of text columns.
func (t *TextExpansion) Len() int { return len(t.texts) }

// Places returns the column of a text in the table, and its columns from ... to-1 in Schema.
func (t *TextExpansion) Places(text int) (column, from, to int) {
	x := &t.texts[text]
	return x.column, t.at[x.column], t.at[x.column] + x.row.to
}

// At returns the place in Schema of a column of the table that is no text.
func (t *TextExpansion) At(column int) int { return t.at[column] }

// Text writes the columns of a text into dst, a row of Schema. code is NaN for a missing text, -1
// for one that the dictionary does not have, which counts as missing too. ok is false for a number
// that is no code.
func (t *TextExpansion) Text(text int, dst []float64, code float64) (ok bool) {
	x := &t.texts[text]
	own := dst[t.at[x.column]:][:x.row.to]
	switch {
	case math.IsNaN(code) || code == -1:
		x.row.missing(own)
	case !(code >= 0 && code < float64(len(x.levels))) || code != math.Trunc(code):
		return false
	default:
		x.row.tally(own, x.levels[int(code)])
	}
	return true
}

// Table expands a table, which need not have the schema that was planned with. Only the given rows,
// nil = all, have values then. A table without texts is returned as it is, as are columns of
// numbers in their place.
func (t *TextExpansion) Table(f *Frame, rows []int32) *Frame {
	return ExpandTexts(f, t.like, rows)
}

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

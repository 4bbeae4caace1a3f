package model

import (
	"math"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/input"
)

// textExpansion makes the columns that a model's schema has of texts, where a table has the texts.
// It is safe for concurrent use.
type textExpansion struct {
	schema data.Schema
	at     []int // by column of the table: place in schema; of a text that of its first field
	texts  []expandedText
}

// expandedText is a text column of the table.
type expandedText struct {
	column int
	levels []string
	fields int // that are made of it
	write  func(dst []float64, text string, known bool)
}

// newTextExpansion plans the expansion of tables of a schema for a model of another; nil if there
// is nothing to expand. It keeps no memory of table, but like must not be changed.
func newTextExpansion(like, table *data.Schema) *textExpansion {
	t := &textExpansion{schema: table.Like(nil), at: make([]int, len(table.Fields))}
	for i := range table.Fields {
		field := &table.Fields[i]
		t.at[i] = len(t.schema.Fields)
		var made []data.Field
		if field.Kind.HasLevels() && like.Index(field.Name) < 0 {
			made = input.MadeOf(like, field.Name)
		}
		if len(made) == 0 || made[0].Text == nil || table.Index(made[0].Name) >= 0 {
			t.schema.Fields = append(t.schema.Fields, *field)
			continue
		}
		t.texts = append(t.texts, expandedText{i, slices.Clone(field.Levels), len(made),
			data.TextWriter(made)})
		t.schema.Fields = append(t.schema.Fields, made...)
	}
	if t.texts == nil {
		return nil
	}
	return t
}

// columns returns the columns of expanded tables. Callers must not change it.
func (t *textExpansion) columns() *data.Schema { return &t.schema }

// row expands a row of the table's schema, in the form that PredictRow takes, into dst, which has a
// place for each of the expanded columns. bad is the column of a value that is no code of its
// dictionary, -1 if there is none.
func (t *textExpansion) row(dst, row []float64) (bad int) {
	for i, at := range t.at {
		dst[at] = row[i]
	}
	for i := range t.texts {
		if !t.expand(i, dst, row[t.texts[i].column]) {
			return t.texts[i].column
		}
	}
	return -1
}

// count returns the number of text columns.
func (t *textExpansion) count() int { return len(t.texts) }

// places returns the column of a text in the table, and its columns from ... to-1 in Schema.
func (t *textExpansion) places(text int) (column, from, to int) {
	x := &t.texts[text]
	return x.column, t.at[x.column], t.at[x.column] + x.fields
}

// placeOf returns the place in Schema of a column of the table that is no text.
func (t *textExpansion) placeOf(column int) int { return t.at[column] }

// expand writes the columns of a text into dst, a row of Schema. code is NaN for a missing text, -1
// for one that the dictionary does not have, which counts as missing too. ok is false for a number
// that is no code.
func (t *textExpansion) expand(text int, dst []float64, code float64) (ok bool) {
	x := &t.texts[text]
	own := dst[t.at[x.column]:][:x.fields]
	switch {
	case math.IsNaN(code) || code == -1:
		x.write(own, "", false)
	case !(code >= 0 && code < float64(len(x.levels))) || code != math.Trunc(code):
		return false
	default:
		x.write(own, x.levels[int(code)], true)
	}
	return true
}

// Package dense owns the models of vectors: Linear, Bayes, Neighbours, Machine and Network. Each
// stores an Encoding, fitted on training rows, that turns a row of numbers and categories into a
// vector of numbers without gaps.
//
//	number     x                  (x - mean) / deviation; missing: 0, the mean
//	category   one of a, b, c     1 0 0, 0 1 0 or 0 0 1
//
// The rules for what does not fit:
//
//   - A missing number is the mean of the training rows.
//   - An infinite number is the greatest, or least, finite number of the training rows.
//   - A missing category is a category of its own if training rows had missing values in the
//     column.
//   - Categories beyond the 256 that most training rows have share one place. Where there
//     is such a place, unseen categories have it too.
//   - Any other unknown category is the mean of the training rows: the fractions of the categories.
//     Where distances are computed, its places are 0 instead: as far from each category, while the
//     mean is nearest to the most frequent one.
//   - A column with one value in all training rows carries no information and is left out.
//
// No value of a vector exceeds Limit, so that sums of squares stay finite.
package dense

import (
	"math"
	"strings"

	"github.com/coppice-ml/coppice/data"
)

// maxCategories is the greatest number of categories of a column that have a place of their own.
const maxCategories = 256

// Limit is the greatest absolute value in a vector. Only numbers that are absurdly far from the
// training rows come near.
const Limit = 1e100

// Encoding turns the rows of a table into vectors. It is immutable, and safe for concurrent use.
// The zero value has no column, and its vectors no value.
type Encoding struct {
	Columns []Column // those that are not left out, by ascending Field
}

// Column is how one column of the table is encoded. A numeric one takes one place of the vector, a
// categorical one len(Fraction).
//
//	levels    a  b  c  d  e    (d has no training row)
//	Place     0  1  2  -  2    c and e have place 2
//	Fraction  .4 .3 .2 .1      Missing is 3, Unseen 2
type Column struct {
	Field int32 // of the schema

	// Of numeric columns: weighted mean and standard deviation (of the population) of the training
	// rows, and the least and greatest finite value. Scale is 0 for categorical columns.
	Mean, Scale float64
	Low, High   float64

	// Of categorical columns.
	Place    []int32   // by code: place among those of the column; -1: none
	Fraction []float64 // by place: part of the weight of the training rows
	Missing  int32     // place of missing values; -1: none
	Unseen   int32     // place of categories that Place has none for; -1: none
}

// Numeric reports whether the column is a numeric one.
func (c *Column) Numeric() bool { return c.Scale != 0 }

// Width returns the number of places of the vector that the column takes.
func (c *Column) Width() int {
	if c.Numeric() {
		return 1
	}
	return len(c.Fraction)
}

// Width returns the length of a vector.
func (e *Encoding) Width() int {
	n := 0
	for i := range e.Columns {
		n += e.Columns[i].Width()
	}
	return n
}

// fields returns the fields of the schema that vectors are made of, ascending.
func (e *Encoding) fields() []int32 {
	fields := make([]int32, len(e.Columns))
	for i := range e.Columns {
		fields[i] = e.Columns[i].Field
	}
	return fields
}

// encode writes the vector of a row into dst, which has Width places. row holds the values of
// fields as model.RowEvaluator gives them: numbers with NaN for missing, codes with NaN for missing
// and -1 for unseen. With apart unknown categories are as far from each of the others.
func (e *Encoding) encode(dst, row []float64, apart bool) {
	for i := range e.Columns {
		c := &e.Columns[i]
		if c.Numeric() {
			dst[0], dst = c.Standard(row[i]), dst[1:]
			continue
		}
		own := dst[:len(c.Fraction)]
		dst = dst[len(own):]
		place := c.PlaceOf(row[i])
		if place < 0 && !apart {
			copy(own, c.Fraction)
			continue
		}
		clear(own)
		if place >= 0 {
			own[place] = 1
		}
	}
}

// Standard returns the standardised value of a numeric column; NaN is missing.
func (c *Column) Standard(x float64) float64 {
	switch {
	case math.IsNaN(x):
		return 0
	case math.IsInf(x, 1):
		x = c.High
	case math.IsInf(x, -1):
		x = c.Low
	}
	z := (x - c.Mean) / c.Scale
	if math.IsInf(z, 0) {
		// the difference of two numbers may be infinite, that of their halves is not
		z = (float64(x/2) - float64(c.Mean/2)) / (c.Scale / 2)
	}
	return max(-Limit, min(Limit, z))
}

// number returns the number whose standardised value is z: the inverse of Standard.
func (c *Column) number(z float64) float64 { return c.Mean + float64(z*c.Scale) }

// PlaceOf returns the place of a category among those of the column, -1 if it has none. It is given
// as a number: NaN missing, -1 unseen.
func (c *Column) PlaceOf(x float64) int32 {
	switch {
	case math.IsNaN(x):
		return c.Missing
	case x >= 0 && x < float64(len(c.Place)) && c.Place[int(x)] >= 0:
		return c.Place[int(x)]
	}
	return c.Unseen
}

// Names returns a name for each place of a vector: of numeric columns theirs, of categorical ones
// "column = category", "column = (missing)" and "column = (other)".
func (e *Encoding) Names(s *data.Schema) []string {
	var names []string
	for i := range e.Columns {
		c := &e.Columns[i]
		field := &s.Fields[c.Field]
		if c.Numeric() {
			names = append(names, field.Name)
			continue
		}
		for place := range c.Fraction {
			names = append(names, field.Name+" = "+c.category(field, int32(place)))
		}
	}
	return names
}

// category returns the text for a place.
func (c *Column) category(field *data.Field, place int32) string {
	switch place {
	case c.Missing:
		return "(missing)"
	case c.Unseen:
		return "(other)"
	}
	var own []string
	for code, p := range c.Place {
		if p == place {
			own = append(own, field.Levels[code])
		}
	}
	return strings.Join(own, "|")
}

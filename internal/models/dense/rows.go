package dense

import (
	"math"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/model"
)

// Matrix returns the vectors of the given rows of the frame that the encoding was fitted on, nil =
// all, one after the other: vector i is at i Width to (i+1) Width. workers as in model.Options; the
// result is the same for any number. It takes 8 bytes for each row and place: see Vectors for a way
// without that memory.
func (e *Encoding) Matrix(f *data.Frame, rows []int32, workers int) []float64 {
	rows = f.Chosen(rows)
	width := e.Width()
	matrix := make([]float64, len(rows)*width)
	_ = model.InBlocks(len(rows), workers, func(lo, hi int) error {
		e.Vectors(matrix[lo*width:hi*width], f, rows[lo:hi])
		return nil
	})
	return matrix
}

// Vectors writes the vectors of some rows of the frame that the encoding was fitted on into dst,
// one after the other.
func (e *Encoding) Vectors(dst []float64, f *data.Frame, rows []int32) {
	width := e.Width()
	at, numbers := 0, make([]float64, len(rows))
	for i := range e.Columns {
		c := &e.Columns[i]
		column := &f.Columns[c.Field]
		if c.Numeric() {
			column.PickNumbers(numbers, rows)
			for k, x := range numbers {
				dst[k*width+at] = c.Standard(x)
			}
		} else {
			for k, r := range rows {
				c.indicate(dst[k*width+at:][:len(c.Fraction)], column.Code(int(r)))
			}
		}
		at += c.Width()
	}
}

// ByAppearance returns the places of a vector in an order that does not change with the names of
// categories: columns in their order, the places of a column by the first of the vectors, which lie
// one after the other, that has a 1 there. Places without one come last.
func (e *Encoding) ByAppearance(vectors []float64) []int {
	width := e.Width()
	order, at := make([]int, 0, width), 0
	for i := range e.Columns {
		c := &e.Columns[i]
		if c.Numeric() {
			order, at = append(order, at), at+1
			continue
		}
		n := c.Width()
		found := make([]bool, n)
		left := n
		for k := at; k < len(vectors) && left > 0; k += width {
			place := slices.Index(vectors[k:k+n], 1)
			if place >= 0 && !found[place] {
				found[place] = true
				left--
				order = append(order, at+place)
			}
		}
		for place, is := range found {
			if !is {
				order = append(order, at+place)
			}
		}
		at += n
	}
	return order
}

// indicate writes the places of a category.
func (c *Column) indicate(own []float64, code uint32) {
	place := c.Unseen
	switch {
	case code == data.MissingCode:
		place = c.Missing
	case uint(code) < uint(len(c.Place)) && c.Place[code] >= 0:
		place = c.Place[code]
	}
	if place < 0 {
		copy(own, c.Fraction)
		return
	}
	clear(own)
	own[place] = 1
}

// finite reports whether all numbers are finite.
func finite(numbers ...float64) bool {
	for _, x := range numbers {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return false
		}
	}
	return true
}

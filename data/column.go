package data

import (
	"math"
	"slices"
)

// Column holds the values of one column. The zero value has no rows. A column is made by Numbers,
// Numbers32, Sparse or Codes and read by its methods. How it stores its values is its own affair:
// the same values have the same effect everywhere.
type Column struct {
	num    []float64
	single []float32 // numbers, in place of num
	code   []uint32
	sparse *sparse // nil of a dense column
	unseen *UnseenTexts
}

// Numbers returns the column of a numeric or a date field: a value for each row, NaN for a missing
// one. It keeps the slice, it does not copy it.
func Numbers(values []float64) Column { return Column{num: values} }

// CodeOf returns the code that a number of a row stands for, as model.Predictor.PredictRow takes
// it: NaN is missing, and a number below 0 a category that the dictionary does not hold.
func CodeOf(v float64) uint32 {
	switch {
	case v != v:
		return MissingCode
	case v < 0:
		return UnseenCode
	}
	return uint32(v)
}

// Codes returns the column of a categorical field: for each row the place of its category in the
// field's dictionary, MissingCode or UnseenCode. It keeps the slice, it does not copy it.
func Codes(codes []uint32) Column { return Column{code: codes} }

// Len returns the number of rows of the column.
func (c *Column) Len() int {
	switch {
	case c.code != nil:
		return len(c.code)
	case c.sparse != nil:
		return c.sparse.rows
	case c.single != nil:
		return len(c.single)
	}
	return len(c.num)
}

// Number returns the value of a row of a numeric or a date column, NaN for a missing one. A row
// that the column does not have panics. It searches the stored rows of a sparse column. Loops over
// rows call NumbersIn, PickNumbers or Numbers instead.
func (c *Column) Number(row int) float64 {
	if c.num != nil {
		return c.num[row]
	}
	return c.numberElsewhere(row)
}

// numberElsewhere is Number where num does not have the values. So small a Number is inlined.
func (c *Column) numberElsewhere(row int) float64 {
	switch {
	case c.sparse != nil:
		return c.sparse.at(row)
	case c.single != nil:
		return float64(c.single[row])
	}
	return c.num[row] // of no rows
}

// Code returns the code of a row of a categorical column. A row that the column does not have
// panics. Loops over rows call Codes once instead.
func (c *Column) Code(row int) uint32 { return c.code[row] }

// Numbers returns the values of all rows in their order, nil for a categorical column. They are
// shared, so callers do not change them. Where InPlace reports false it makes a new slice at each
// call: code that reads many columns takes NumbersIn, PickNumbers or Stored, so that it does not
// hold all of their values.
func (c *Column) Numbers() []float64 {
	if c.InPlace() {
		return c.num
	}
	values := make([]float64, c.Len())
	c.copy(values, 0)
	return values
}

// Singles returns the values of all rows of a dense column that is stored in single precision, nil
// of any other. They are shared, so callers do not change them.
func (c *Column) Singles() []float32 { return c.single }

// InPlace reports whether NumbersIn returns the column's own memory, so that it needs no scratch:
// that of a categorical column, which has none, and of a dense column in double precision.
func (c *Column) InPlace() bool { return c.sparse == nil && c.single == nil }

// NumbersIn returns the values of the rows from ... to-1 of a column of numbers. Where InPlace
// reports true they are shared, so callers do not change them. Others are written to scratch, which
// has to-from places or more.
func (c *Column) NumbersIn(from, to int, scratch []float64) []float64 {
	if c.InPlace() {
		return c.num[from:to]
	}
	scratch = scratch[:to-from]
	c.copy(scratch, from)
	return scratch
}

// copy sets dst to the values of consecutive rows of a column that is not in place.
func (c *Column) copy(dst []float64, from int) {
	if c.sparse != nil {
		c.sparse.copy(dst, from)
		return
	}
	widen(dst, c.single[from:from+len(dst)])
}

// PickNumbers sets dst to the values of the given rows of a column of numbers. It is fastest where
// rows ascend; a row may repeat.
func (c *Column) PickNumbers(dst []float64, rows []int32) {
	switch {
	case c.sparse != nil:
		c.sparse.pick(dst, rows)
	case c.single != nil:
		for i, row := range rows {
			dst[i] = float64(c.single[row])
		}
	default:
		for i, row := range rows {
			dst[i] = c.num[row]
		}
	}
}

// Codes returns the codes of all rows in their order, nil for a column of numbers. They are shared,
// so callers do not change them. It may take time in proportion to the rows.
func (c *Column) Codes() []uint32 { return c.code }

// Equal reports whether two columns have the same values in the same rows; NaN equals NaN. How they
// are stored does not count.
func (c Column) Equal(other Column) bool {
	if !c.InPlace() || !other.InPlace() {
		return c.code == nil && other.code == nil && c.Len() == other.Len() &&
			equalNumbers(c.Numbers(), other.Numbers())
	}
	return equalNumbers(c.num, other.num) && slices.Equal(c.code, other.code)
}

func equalNumbers(a, b []float64) bool {
	return slices.EqualFunc(a, b, func(a, b float64) bool { return a == b || a != a && b != b })
}

// firstInfinite returns the first row of a column of numbers that holds an infinity, -1 if none
// does.
func (c *Column) firstInfinite() int {
	infinite := func(v float64) bool { return math.IsInf(v, 0) }
	if c.sparse == nil {
		return slices.IndexFunc(c.Numbers(), infinite)
	}
	if i := slices.IndexFunc(c.sparse.value, infinite); i >= 0 {
		return int(c.sparse.row[i])
	}
	return -1
}

// between returns the column of the rows from ... to-1. It shares memory with c.
func (c *Column) between(from, to int) Column {
	if c.sparse != nil {
		return Column{sparse: c.sparse.between(from, to)}
	}
	return Column{num: slice(c.num, from, to, 1), single: slice(c.single, from, to, 1),
		code: slice(c.code, from, to, 1)}
}

// startsAt reports whether between made the column of a whole one, from a row on.
func (c *Column) startsAt(whole *Column, row int) bool {
	if c.sparse == nil || whole.sparse == nil {
		return c.sparse == nil && whole.sparse == nil && startsAt(c.num, whole.num, row) &&
			startsAt(c.single, whole.single, row) && startsAt(c.code, whole.code, row)
	}
	return c.sparse.startsAt(whole.sparse, row)
}

package data

import (
	"fmt"
	"strconv"

	"github.com/coppice-ml/coppice/internal/hugepage"
	"github.com/coppice-ml/coppice/internal/parallel"
)

// FromRows makes a table of numeric columns from rows of equal length; NaN is a missing value. Nil
// names call the columns f0, f1, ... The values are copied.
func FromRows(rows [][]float64, names []string) (*Frame, error) {
	width := len(names)
	if names == nil && len(rows) > 0 {
		width = len(rows[0])
	}
	for i, row := range rows {
		if len(row) != width {
			return nil, fmt.Errorf("row %d has %d values, want %d", i+1, len(row), width)
		}
	}
	return fromCells(len(rows), width, names, func(columns [][]float64, first int) {
		copyRows(columns, first, func(i int) []float64 { return rows[i] })
	})
}

// Matrix is a table of numbers that reports its size: r rows of c values. Every mat.Matrix of gonum
// is one, and so is a RowMajor.
type Matrix interface {
	Dims() (r, c int)
	At(i, j int) float64
}

// RowMajor is a Matrix of rows that follow one another in a slice: Values[i*Columns+j] is the value
// of row i in column j. Columns is at least 1, and divides the number of values.
type RowMajor[T float32 | float64] struct {
	Values  []T
	Columns int
}

// Dims returns the number of rows and columns.
func (m RowMajor[T]) Dims() (r, c int) { return len(m.Values) / max(1, m.Columns), m.Columns }

// At returns a value.
func (m RowMajor[T]) At(i, j int) float64 { return float64(m.Values[i*m.Columns+j]) }

// CopyTo writes the rows from first on into columns, of which there are as many as the matrix has.
// They are of equal length, which is the number of rows that are written.
//
// So a program can fill one table again and again with blocks of rows: FromColumns uses columns of
// float64 in place.
func (m RowMajor[T]) CopyTo(columns [][]float64, first int) {
	copyRows(columns, first, func(i int) []T { return m.Values[i*m.Columns:][:m.Columns] })
}

// table makes a table, unless the values are no whole rows.
func (m RowMajor[T]) table(names []string) (*Frame, error) {
	if m.Columns < 1 || len(m.Values)%m.Columns != 0 {
		return nil, fmt.Errorf("%d values in rows of %d", len(m.Values), m.Columns)
	}
	row := func(i int) []T { return m.Values[i*m.Columns:][:m.Columns] }
	return fromCells(len(m.Values)/m.Columns, m.Columns, names,
		func(columns [][]T, first int) { copyRows(columns, first, row) })
}

// FromMatrix makes a table of numeric columns from a matrix, one column of the table for each of
// the matrix; NaN is a missing value. Nil names call the columns f0, f1, ... The values are copied.
// Those of a RowMajor of float32 stay so (Numbers32), which takes half the memory.
// All processors copy the rows of a RowMajor, or of a dense matrix of gonum (RawRowView). Of other
// ones every value takes a call.
func FromMatrix(m Matrix, names []string) (*Frame, error) {
	r, c := m.Dims()
	switch m := m.(type) {
	case RowMajor[float32]:
		return m.table(names)
	case RowMajor[float64]:
		return m.table(names)
	case interface{ RawRowView(i int) []float64 }:
		return fromCells(r, c, names, func(columns [][]float64, first int) {
			copyRows(columns, first, m.RawRowView)
		})
	}
	columns, err := emptyColumns[float64](r, c, names)
	if err != nil {
		return nil, err
	}
	for from := 0; from < r; from += rowsAtOnce {
		for j, values := range columns {
			for i := range values[from:min(from+rowsAtOnce, r)] {
				values[from+i] = m.At(from+i, j)
			}
		}
	}
	return frameOf(denseColumns(columns), names)
}

// rowsAtOnce is the number of rows that are copied together: as many numbers as a line of a cache
// has. So each line of a column is written at once, and each line of the rows is read while it is
// near. Column after column, a row would be read from memory as often as it has lines.
const rowsAtOnce = 8

// copyRows copies rows into columns: those from first on, as many as the columns have.
func copyRows[To, T float32 | float64](columns [][]To, first int, row func(i int) []T) {
	if len(columns) == 0 {
		return
	}
	rows, at := len(columns[0]), 0
	for ; at+rowsAtOnce <= rows; at += rowsAtOnce {
		x0 := row(first + at)[:len(columns)]
		x1, x2 := row(first + at + 1)[:len(columns)], row(first + at + 2)[:len(columns)]
		x3, x4 := row(first + at + 3)[:len(columns)], row(first + at + 4)[:len(columns)]
		x5, x6 := row(first + at + 5)[:len(columns)], row(first + at + 6)[:len(columns)]
		x7 := row(first + at + 7)[:len(columns)]
		for j := range columns {
			to := (*[rowsAtOnce]To)(columns[j][at:])
			to[0], to[1], to[2] = To(x0[j]), To(x1[j]), To(x2[j])
			to[3], to[4], to[5] = To(x3[j]), To(x4[j]), To(x5[j])
			to[6], to[7] = To(x6[j]), To(x7[j])
		}
	}
	for ; at < rows; at++ {
		x := row(first + at)
		for j, values := range columns {
			values[at] = To(x[j])
		}
	}
}

// rowsOfPart is the number of rows that a processor copies at a time.
const rowsOfPart = 1 << 13

// fromCells makes a table by a function that writes columns, from some row of the table on. It is
// called by several goroutines, each with other rows.
func fromCells[T float32 | float64](
	rows, width int, names []string, write func(columns [][]T, first int),
) (*Frame, error) {
	columns, err := emptyColumns[T](rows, width, names)
	if err != nil {
		return nil, err
	}
	parts := (rows + rowsOfPart - 1) / rowsOfPart
	parallel.Each(parallel.Workers(0), parts, func(_, part int) {
		from := part * rowsOfPart
		to := min(from+rowsOfPart, rows)
		own := make([][]T, width)
		for j := range own {
			own[j] = columns[j][from:to]
		}
		write(own, from)
	})
	return frameOf(denseColumns(columns), names)
}

// emptyColumns allocates columns, unless names has another number.
func emptyColumns[T float32 | float64](rows, width int, names []string) ([][]T, error) {
	if names != nil && len(names) != width {
		return nil, fmt.Errorf("%d names for %d columns", len(names), width)
	}
	columns := make([][]T, width)
	for j := range columns {
		columns[j] = hugepage.Slice[T](rows)
	}
	return columns, nil
}

func denseColumns[T float32 | float64](columns [][]T) []Column {
	made := make([]Column, len(columns))
	for j, values := range columns {
		switch values := any(values).(type) {
		case []float32:
			made[j].single = values
		case []float64:
			made[j].num = values
		}
	}
	return made
}

// frameOf makes a table of numeric columns.
func frameOf(columns []Column, names []string) (*Frame, error) {
	schema := Schema{Fields: make([]Field, len(columns))}
	for j := range columns {
		if schema.Fields[j].Name = "f" + strconv.Itoa(j); names != nil {
			schema.Fields[j].Name = names[j]
		}
	}
	return NewFrame(schema, columns)
}

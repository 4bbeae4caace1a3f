package random

import (
	"slices"

	"github.com/coppice-ml/coppice/internal/exact/internal/growth"
)

// numbers is the numeric columns of a table by prepared row, which are never sorted.
type numbers struct {
	columns [][]float64 // by column, by row; nil of categories
	byRow   []float64   // the numeric columns, row after row; nil if they are many
	numeric []int32     // the numeric columns
}

// byRowColumns is the number of columns up to which values are kept row by row too: the rows of a
// subtree then cost a few lines of the cache each, not one for every column.
const byRowColumns = 512

// setRows copies the numeric columns row by row.
func (x *numbers) setRows(rows int) {
	x.byRow, x.numeric = nil, nil
	for i, c := range x.columns {
		if c != nil {
			x.numeric = append(x.numeric, int32(i))
		}
	}
	if len(x.numeric) <= byRowColumns {
		x.byRow = rowByRow(rows, x.numeric,
			func(column int32) []float64 { return x.columns[column] })
	}
}

// byColumn copies some rows of what rowByRow returned to columns.
func byColumn[T any](rows []uint32, byRow []T, columns []int32, of func(column int32) []T) {
	w := len(columns)
	for from := 0; from < len(rows); from += growth.RowsAtOnce {
		some := rows[from:min(from+growth.RowsAtOnce, len(rows))]
		for j, column := range columns {
			c := of(column)[from:]
			for i, row := range some {
				c[i] = byRow[int(row)*w+j]
			}
		}
	}
}

// rowByRow returns columns row after row.
func rowByRow[T any](rows int, columns []int32, of func(column int32) []T) []T {
	out, w := make([]T, rows*len(columns)), len(columns)
	for from := 0; from < rows; from += growth.RowsAtOnce {
		for j, column := range columns {
			for i, v := range of(column)[from:min(from+growth.RowsAtOnce, rows)] {
				out[(from+i)*w+j] = v
			}
		}
	}
	return out
}

// fill copies some rows of all numeric columns.
func (x *numbers) fill(columns [][]float64, rows []uint32) {
	for _, column := range x.numeric {
		c := slices.Grow(columns[column][:0], len(rows))[:len(rows)]
		columns[column] = c
		if x.byRow == nil {
			for i, row := range rows {
				c[i] = x.columns[column][row]
			}
		}
	}
	if x.byRow != nil {
		byColumn(rows, x.byRow, x.numeric, func(column int32) []float64 { return columns[column] })
	}
}

package random

import (
	"slices"

	"github.com/coppice-ml/coppice/internal/exact/internal/growth"
	"github.com/coppice-ml/coppice/internal/hugepage"
)

// numbers is the numeric columns of some rows, which are never sorted. Those of a subtree are
// copied from those of the table: row by row at once, and column by column where a column is used.
type numbers struct {
	numeric []int32     // the numeric columns
	place   []int32     // by column: its place among these
	byRow   []float64   // their values, row after row; nil if they are many
	columns [][]float64 // by column, by row; nil of categories

	// of a subtree
	table *numbers // the table; nil: this is one
	rows  []uint32 // its rows of the table
	used  []bool   // by column: whether columns has it
}

// byRowColumns is the number of columns up to which values are kept row by row too: the rows of a
// node then cost a few lines of the cache each, not one for every column.
const byRowColumns = 512

// setRows copies the numeric columns row by row.
func (x *numbers) setRows(rows int) {
	x.byRow, x.numeric, x.place = nil, nil, make([]int32, len(x.columns))
	for i, c := range x.columns {
		if c != nil {
			x.place[i] = int32(len(x.numeric))
			x.numeric = append(x.numeric, int32(i))
		}
	}
	w := len(x.numeric)
	if w > byRowColumns {
		return
	}
	x.byRow = hugepage.Slice[float64](rows * w)
	for from := 0; from < rows; from += growth.RowsAtOnce {
		to := min(from+growth.RowsAtOnce, rows)
		for j, column := range x.numeric {
			for i, v := range x.columns[column][from:to] {
				x.byRow[(from+i)*w+j] = v
			}
		}
	}
}

// below returns numbers without rows, for subtrees of the table.
func (x *numbers) below() *numbers {
	return &numbers{numeric: x.numeric, place: x.place, table: x,
		columns: make([][]float64, len(x.columns)), used: make([]bool, len(x.columns))}
}

// fill makes the numbers those of some rows of the table. Row by row they are copied where they are
// read so.
func (x *numbers) fill(rows []uint32, byRow bool) {
	x.rows = rows
	clear(x.used)
	w := len(x.numeric)
	if !byRow || x.table.byRow == nil {
		return
	}
	x.byRow = slices.Grow(x.byRow[:0], w*len(rows))[:w*len(rows)]
	for i, row := range rows {
		copy(x.byRow[i*w:][:w], x.table.byRow[int(row)*w:])
	}
}

// column returns the values of a column by row.
func (x *numbers) column(c int32) []float64 {
	if x.table != nil && !x.used[c] {
		x.columns[c] = growth.Take(x.columns[c], x.table.columns[c], x.rows)
		x.used[c] = true
	}
	return x.columns[c]
}

// inRows reports whether values of so many rows are to be read row by row. Those of a large
// fraction of a table are read column by column: then a line of the cache has several of them.
func (x *numbers) inRows(rows int) bool {
	return x.byRow != nil && (x.table != nil || rows <= len(x.byRow)/len(x.numeric)/dense)
}

const dense = 8

// values returns the values of a column, the stride between them times the row, for so many rows.
func (x *numbers) values(c int32, rows int) (values []float64, stride int) {
	if x.inRows(rows) {
		return x.byRow[x.place[c]:], len(x.numeric)
	}
	return x.column(c), 1
}

package random

import (
	"slices"

	"github.com/coppice-ml/coppice/internal/exact/internal/growth"
	"github.com/coppice-ml/coppice/internal/hugepage"
	"github.com/coppice-ml/coppice/internal/kernel"
)

// numbers is the numeric columns of some rows, which are never sorted. Those of a subtree are
// copied from those of the table: row by row at once, and column by column where a column is used.
type numbers struct {
	numeric []int32     // the numeric columns
	columns [][]float64 // by column, by row; nil of categories
	byRow   byRow

	// of a subtree
	table *numbers // the table; nil: this is one
	rows  []uint32 // its rows of the table
	used  []bool   // by column: whether columns has it
}

// byRow is the numeric columns row after row, in single precision where that changes no value: then
// half as many lines of the cache are read. Where the columns are many, neither is there.
type byRow struct {
	place  []int32 // by column: its place in a row
	stride int     // from a row to the next
	single []float32
	double []float64
}

// byRowColumns is the number of columns up to which values are kept row by row too: the rows of a
// node then cost a few lines of the cache each, not one for every column.
const byRowColumns = 512

// lineBytes is the size of a line of the cache.
const lineBytes = 64

// setRows copies the numeric columns row by row.
func (x *numbers) setRows(rows int) {
	x.numeric, x.byRow = nil, byRow{place: make([]int32, len(x.columns))}
	for i, c := range x.columns {
		if c != nil {
			x.byRow.place[i] = int32(len(x.numeric))
			x.numeric = append(x.numeric, int32(i))
		}
	}
	if len(x.numeric) == 0 || len(x.numeric) > byRowColumns {
		return
	}
	var same bool
	x.byRow.stride = strideOf(len(x.numeric), lineBytes/4)
	if x.byRow.single, same = rowByRow[float32](x, rows); !same {
		x.byRow.stride = strideOf(len(x.numeric), lineBytes/8)
		x.byRow.double, _ = rowByRow[float64](x, rows)
	}
}

// strideOf returns the length of rows of so many numbers, which are in as few lines of so many
// numbers as can be: a multiple or a fraction of a line.
func strideOf(numbers, line int) int {
	if numbers > line {
		return (numbers + line - 1) / line * line
	}
	for line/2 >= numbers {
		line /= 2
	}
	return line
}

// rowByRow returns the numeric columns row after row. It reports false, and returns nil, where that
// would change a number.
func rowByRow[T float32 | float64](x *numbers, rows int) ([]T, bool) {
	w := x.byRow.stride
	out := hugepage.Slice[T](rows * w)
	for from := 0; from < rows; from += growth.RowsAtOnce {
		to := min(from+growth.RowsAtOnce, rows)
		for j, column := range x.numeric {
			for i, v := range x.columns[column][from:to] {
				t := T(v)
				if float64(t) != v && v == v {
					return nil, false
				}
				out[(from+i)*w+j] = t
			}
		}
	}
	return out, true
}

// below returns numbers without rows, for subtrees of the table.
func (x *numbers) below() *numbers {
	return &numbers{numeric: x.numeric, table: x, columns: make([][]float64, len(x.columns)),
		byRow: byRow{place: x.byRow.place, stride: x.byRow.stride},
		used:  make([]bool, len(x.columns))}
}

// fill makes the numbers those of some rows of the table. Row by row they are copied where they are
// read so.
func (x *numbers) fill(rows []uint32, byRow bool) {
	x.rows = rows
	clear(x.used)
	if byRow {
		x.byRow.single = takeRows(x.byRow.single, x.table.byRow.single, x.byRow.stride, rows)
		x.byRow.double = takeRows(x.byRow.double, x.table.byRow.double, x.byRow.stride, rows)
	}
}

// takeRows copies rows of a table that lies row by row to dst, nil of nil.
func takeRows[T float32 | float64](dst, from []T, stride int, rows []uint32) []T {
	if from == nil {
		return nil
	}
	dst = slices.Grow(dst[:0], stride*len(rows))[:stride*len(rows)]
	kernel.TakeRows(dst, from, stride, rows)
	return dst
}

// column returns the values of a column by row.
func (x *numbers) column(c int32) []float64 {
	if x.table != nil && !x.used[c] {
		x.columns[c] = growth.Take(x.columns[c], x.table.columns[c], x.rows)
		x.used[c] = true
	}
	return x.columns[c]
}

// dense is how many rows of the table there may be for one of the node where columns are read one
// by one: then a line of the cache has several of the node's values.
const dense = 8

// reading is how the values of a node are read.
type reading uint8

const (
	columnByColumn reading = iota
	singleRows
	doubleRows
)

// reading returns how so many rows are read.
func (x *numbers) reading(rows int) reading {
	switch {
	case x.table == nil && rows > len(x.columns[x.numeric[0]])/dense:
		return columnByColumn
	case x.byRow.single != nil:
		return singleRows
	case x.byRow.double != nil:
		return doubleRows
	}
	return columnByColumn
}

// partition puts the rows first whose value in a column is at most a split point, and returns their
// number.
func (x *numbers) partition(
	rows, spare []uint32, c int32, splitPoint float64, missingFirst bool,
) int {
	b := &x.byRow
	switch x.reading(len(rows)) {
	case singleRows:
		return kernel.PartitionByValue(rows, spare, b.single[b.place[c]:], b.stride, splitPoint,
			missingFirst)
	case doubleRows:
		return kernel.PartitionByValue(rows, spare, b.double[b.place[c]:], b.stride, splitPoint,
			missingFirst)
	}
	return kernel.PartitionByValue(rows, spare, x.column(c), 1, splitPoint, missingFirst)
}

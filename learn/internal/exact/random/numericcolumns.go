package random

import (
	"slices"
	"sync"

	"github.com/coppice-ml/coppice/internal/hugepage"
	"github.com/coppice-ml/coppice/internal/parallel"
	"github.com/coppice-ml/coppice/learn/internal/exact/internal/growth"
)

// numbers is the numeric columns of some rows, which are never sorted. They are in single precision
// if that changes no value of any of them: then half as many lines of the cache are read. Those of
// a subtree are copied from those of the table: row by row at once, and column by column where a
// column is used.
type numbers struct {
	numeric []int32     // the numeric columns
	columns [][]float64 // by column, by row; nil of categories, and until column is called
	singles [][]float32 // of the table, by column, by row; nil in double precision
	byRow   byRow
	widened []sync.Once // of the table, by column: columns has what singles holds

	// of a subtree
	table *numbers // those that it is copied from; nil: this is the table
	rows  []uint32 // its rows of the table
	used  []bool   // by column: whether columns has it
}

// byRow is the numeric columns row after row, in single or in double precision. Where the columns
// are many, neither is there.
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

// newNumbers returns numbers of columns, which are in double precision, in single precision, or
// neither of categories. So many workers copy them.
func newNumbers(columns [][]float64, singles [][]float32, rows, workers int) *numbers {
	x := &numbers{columns: columns, singles: singles, widened: make([]sync.Once, len(columns)),
		byRow: byRow{place: make([]int32, len(columns))}}
	for i := range columns {
		if columns[i] != nil || singles[i] != nil {
			x.byRow.place[i] = int32(len(x.numeric))
			x.numeric = append(x.numeric, int32(i))
		}
	}
	if n := len(x.numeric); n > 0 && n <= byRowColumns {
		x.byRow.stride = strideOf(n, lineBytes/4)
		if x.setSingleRows(rows, workers) {
			return x
		}
		x.byRow.stride = strideOf(n, lineBytes/8)
		x.widen()
		x.byRow.double = rowByRow(x, x.columns, rows, workers)
	} else {
		x.widen()
	}
	return x
}

// widen makes all columns those of double precision.
func (x *numbers) widen() {
	for _, c := range x.numeric {
		x.column(c)
	}
	x.singles = nil
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

// setSingleRows makes the columns those of single precision, by column and row by row. It reports
// false where that would change a number.
func (x *numbers) setSingleRows(rows, workers int) bool {
	singles := slices.Clone(x.singles)
	for _, c := range x.numeric {
		if singles[c] == nil {
			if singles[c] = narrowed(x.columns[c]); singles[c] == nil {
				return false
			}
		}
	}
	x.singles, x.byRow.single = singles, rowByRow(x, singles, rows, workers)
	return true
}

// narrowed returns numbers in single precision, nil where that would change one.
func narrowed(double []float64) []float32 {
	single := make([]float32, len(double))
	for i, v := range double {
		single[i] = float32(v)
		if float64(single[i]) != v && v == v {
			return nil
		}
	}
	return single
}

// rowByRow returns the numeric columns row after row.
func rowByRow[T float32 | float64](x *numbers, columns [][]T, rows, workers int) []T {
	w := x.byRow.stride
	out := hugepage.Slice[T](rows * w)
	parallel.Each(workers, (rows+copiedRows-1)/copiedRows, func(_, part int) {
		end := min(rows, (part+1)*copiedRows)
		for from := part * copiedRows; from < end; from += growth.RowsAtOnce {
			to := min(from+growth.RowsAtOnce, end)
			for j, c := range x.numeric {
				for i, v := range columns[c][from:to] {
					out[(from+i)*w+j] = v
				}
			}
		}
	})
	return out
}

// copiedRows is how many rows a worker copies before it takes others.
const copiedRows = 1 << 13

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
	for i, row := range rows {
		copy(dst[i*stride:][:stride], from[int(row)*stride:])
	}
	return dst
}

// column returns the values of a column by row.
func (x *numbers) column(c int32) []float64 {
	switch {
	case x.table == nil:
		x.widened[c].Do(func() {
			if x.columns[c] == nil {
				x.columns[c] = widened(nil, x.singles[c], 1, len(x.singles[c]))
			}
		})
	case !x.used[c]:
		x.used[c] = true
		if b := &x.byRow; b.single != nil {
			x.columns[c] = widened(x.columns[c], b.single[b.place[c]:], b.stride, len(x.rows))
		} else {
			x.columns[c] = growth.Take(x.columns[c], x.table.column(c), x.rows)
		}
	}
	return x.columns[c]
}

// widened writes the values of so many rows to dst, in double precision.
func widened(dst []float64, single []float32, stride, rows int) []float64 {
	dst = slices.Grow(dst[:0], rows)[:rows]
	for i := range dst {
		dst[i] = float64(single[i*stride])
	}
	return dst
}

// dense is how many rows of the table there may be for one of the node where columns are read one
// by one: then a line of the cache has several of the node's values.
const dense = 8

// inRows reports whether a node of so many rows reads them row by row.
func (x *numbers) inRows(rows int) bool {
	b := &x.byRow
	return (b.single != nil || b.double != nil) &&
		(x.table != nil || rows*b.stride <= max(len(b.single), len(b.double))/dense)
}

// single returns the values of a column, as a node of so many rows reads them, and how far they are
// apart. double does so where the columns are in double precision.
func (x *numbers) single(c int32, rows int) (values []float32, stride int) {
	if b := &x.byRow; x.inRows(rows) {
		return b.single[b.place[c]:], b.stride
	}
	return x.singles[c], 1
}

func (x *numbers) double(c int32, rows int) (values []float64, stride int) {
	if b := &x.byRow; x.inRows(rows) {
		return b.double[b.place[c]:], b.stride
	}
	return x.column(c), 1
}

// partition puts the rows first whose value in a column is at most a split point, and returns their
// number.
func (x *numbers) partition(
	rows, spare []uint32, c int32, splitPoint float64, missingFirst bool,
) int {
	if x.byRow.single != nil {
		values, stride := x.single(c, len(rows))
		return partition(rows, spare, values, stride, splitPoint, missingFirst)
	}
	values, stride := x.double(c, len(rows))
	return partition(rows, spare, values, stride, splitPoint, missingFirst)
}

func partition[T float32 | float64](
	rows, spare []uint32, values []T, stride int, splitPoint float64, missingFirst bool,
) int {
	n, m, missing := 0, 0, 0
	if missingFirst {
		missing = 1
	}
	for _, row := range rows {
		x, first := float64(values[stride*int(row)]), 0
		rows[n], spare[m] = row, row
		if x <= splitPoint { // no branch, which would be mispredicted
			first = 1
		}
		if x != x {
			first = missing
		}
		n += first
		m += 1 - first
	}
	copy(rows[n:], spare[:m])
	return n
}

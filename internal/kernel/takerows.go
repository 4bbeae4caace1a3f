package kernel

import "unsafe"

// TakeRows copies some rows of a table that lies row by row to dst, one after the other. A row has
// stride values, dst has as many for each of rows; every row is in the table: nothing is checked
// again.
//
//	table   | row 0 | row 1 | row 2 | row 3 |
//	dst     | row 1 | row 3 |                   of rows 1 and 3
func TakeRows[T float32 | float64](dst, table []T, stride int, rows []uint32) {
	if len(rows) == 0 || stride == 0 {
		return
	}
	dst = dst[:stride*len(rows)]
	bytes := stride * int(unsafe.Sizeof(dst[0]))
	if !takeRowsOfLines(unsafe.Pointer(&dst[0]), unsafe.Pointer(&table[0]), bytes, rows) {
		takeRowsPlain(dst, table, stride, rows)
	}
}

// takeRowsPlain is the twin of the assembly.
func takeRowsPlain[T float32 | float64](dst, table []T, stride int, rows []uint32) {
	for i, row := range rows {
		copy(dst[i*stride:][:stride], table[int(row)*stride:])
	}
}

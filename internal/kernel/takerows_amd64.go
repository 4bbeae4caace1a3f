//go:build amd64 && !purego

package kernel

import "unsafe"

// takeRowsOfLines is TakeRows of one row at least, if it reports true: rows of whole lines of the
// cache, which are prefetched.
func takeRowsOfLines(dst, table unsafe.Pointer, bytes int, rows []uint32) bool {
	if !hasAVX2 || bytes%64 != 0 {
		return false
	}
	takeLines(dst, table, bytes, &rows[0], len(rows))
	return true
}

//go:noescape
func takeLines(dst, table unsafe.Pointer, bytes int, rows *uint32, n int)

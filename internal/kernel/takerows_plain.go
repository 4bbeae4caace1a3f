//go:build !amd64 || purego

package kernel

import "unsafe"

func takeRowsOfLines(dst, table unsafe.Pointer, bytes int, rows []uint32) bool { return false }

// Package mapped owns files that are mapped into memory: their bytes are read where the system
// keeps them, without a copy and only as far as they are used.
//
// The memory is not the garbage collector's. The caller that unmaps a file must ensure that no
// slice of it is left. The bytes are read-only: writing to them ends the program, and so does
// reading them once the file was truncated in place. A file that is replaced by another one of its
// name stays as it was.
package mapped

import "os"

// File maps the first size bytes of a file, which may be closed afterwards. It returns nil where
// they cannot be mapped: on systems for which it is not written, on those of 32 bits, whose
// addresses are soon used up, for an empty file, and wherever the system refuses. The caller has to
// read the file then. unmap releases the memory.
func File(f *os.File, size int64) (b []byte, unmap func()) {
	const wide = ^uint(0)>>32 != 0
	if !wide || size <= 0 {
		return nil, nil
	}
	b, release := mmap(f, int(size))
	if b == nil {
		return nil, nil
	}
	hold(b)
	return b, func() {
		drop(b)
		release()
	}
}

// Package mapped owns files that are mapped into memory: their bytes are read where the system
// keeps them, without a copy and only as far as they are looked at.
//
// The memory is not the garbage collector's. Whoever unmaps a file must know that no slice of it is
// left. The bytes are read-only: writing to them ends the program, and so does reading them once
// the file was truncated in place. A file that is replaced by another one of its name stays as it
// was.
package mapped

import "os"

// File maps the first size bytes of a file, which may be closed afterwards. It returns nil where
// they cannot be mapped: on systems for which it is not written, on those of 32 bits, whose
// addresses are soon used up, for an empty file, and wherever the system refuses. The caller has to
// read the file then. unmap ends the life of the memory.
func File(f *os.File, size int64) (b []byte, unmap func()) {
	const wide = ^uint(0)>>32 != 0
	if !wide || size <= 0 {
		return nil, nil
	}
	return mmap(f, int(size))
}

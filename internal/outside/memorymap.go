package outside

// Map maps the first bytes of a file into memory, of a file that may be closed afterwards. They are
// read where the system keeps them, without a copy and only as far as they are used.
//
// It returns nil where they cannot be mapped: on systems for which it is not written, on those of
// 32 bits, whose addresses are soon used up, for an empty file, and wherever the system refuses.
// The caller has to read the file then.
//
// The memory is not the garbage collector's. The caller that unmaps a file must ensure that no
// slice of it is left. The bytes are read-only: writing to them ends the program, and so does
// reading them once the file was truncated in place. A file that is replaced by another one of its
// name stays as it was.
func (f *File) Map(size int64) (b []byte, unmap func()) {
	const wide = ^uint(0)>>32 != 0
	if !wide || size <= 0 || ask(Map, f.Name()).Err != nil {
		return nil, nil
	}
	b, release := mmap(f.file, int(size))
	if b == nil {
		return nil, nil
	}
	hold(b)
	return b, func() {
		drop(b)
		release()
	}
}

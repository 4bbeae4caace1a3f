package outside

import (
	"slices"
	"sync"
	"unsafe"
)

// held is the memory of all files that are mapped.
var held struct {
	sync.RWMutex
	files []span
}

// span is memory from one address up to another.
type span struct{ from, to uintptr }

func spanOf(p unsafe.Pointer, bytes uintptr) span {
	from := uintptr(p)
	return span{from, from + bytes}
}

func hold(b []byte) {
	held.Lock()
	defer held.Unlock()
	held.files = append(held.files, spanOf(unsafe.Pointer(unsafe.SliceData(b)), uintptr(len(b))))
}

func drop(b []byte) {
	own := spanOf(unsafe.Pointer(unsafe.SliceData(b)), uintptr(len(b)))
	held.Lock()
	defer held.Unlock()
	if i := slices.Index(held.files, own); i >= 0 {
		held.files = slices.Delete(held.files, i, i+1)
	}
}

// Mapped reports whether a slice lies in a mapped file, so that the program cannot write to it.
// Empty slices do not.
func Mapped[T any](s []T) bool {
	var element T
	own := spanOf(unsafe.Pointer(unsafe.SliceData(s)), uintptr(len(s))*unsafe.Sizeof(element))
	if own.from == own.to {
		return false
	}
	held.RLock()
	defer held.RUnlock()
	return slices.ContainsFunc(held.files, func(f span) bool {
		return f.from <= own.from && own.to <= f.to
	})
}

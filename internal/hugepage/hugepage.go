// Package hugepage owns large pieces of memory that are read at random. The system is advised to
// keep them in large pages, so that an access costs no walk through its page tables. Where it
// cannot, they are memory like any other.
package hugepage

import "unsafe"

// from is the size below which nothing is requested: large pages have 2 MiB on most systems.
const from = 4 << 20

// Make returns n zero bytes.
func Make(n int) []byte { return Slice[byte](n) }

// Slice returns n zero elements of a type without pointers.
func Slice[T any](n int) []T {
	s := make([]T, n)
	if size := n * int(unsafe.Sizeof(*new(T))); size >= from {
		advise(unsafe.Slice((*byte)(unsafe.Pointer(&s[0])), size))
	}
	return s
}

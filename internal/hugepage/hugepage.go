// Package hugepage owns large pieces of memory that are read at random: the system is asked to keep them in large pages, so that
// an access costs no walk through its page tables. Where it cannot, they are memory like any other.
package hugepage

// from is the size below which nothing is asked: large pages have 2 MiB on most systems.
const from = 4 << 20

// Make returns n zero bytes.
func Make(n int) []byte {
	b := make([]byte, n)
	if n >= from {
		advise(b)
	}
	return b
}

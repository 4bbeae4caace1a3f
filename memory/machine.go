package memory

import (
	"math"
	"math/bits"
	"sync"
)

// unknown is the memory of a machine that does not report it.
const unknown = 8 << 30

// Machine returns how many bytes this process may hope to use: the machine's memory, or less where
// a control group or a limit of the address space (ulimit -v) leaves less, or where an address has
// 32 bits. On systems that do not report it, it is 8 GiB. It is found once.
var Machine = sync.OnceValue(func() int64 {
	n := min(installed(), allowed())
	if bits.UintSize == 32 {
		n = min(n, 2<<30) // of 4 GiB of addresses some systems keep half
	}
	return n
})

// Default returns the limit where none is set: three quarters of Machine.
func Default() Limit { return Limit(Machine() / 4 * 3) }

const none = math.MaxInt64

package hugepage

import (
	"os"
	"syscall"
	"unsafe"
)

// advise requests large pages in the whole pages of b. A refusal harms nothing.
func advise(b []byte) {
	page := uintptr(os.Getpagesize())
	skip := int(-uintptr(unsafe.Pointer(&b[0])) % page)
	if whole := (len(b) - skip) / int(page) * int(page); whole > 0 {
		_ = syscall.Madvise(b[skip:skip+whole], syscall.MADV_HUGEPAGE)
	}
}

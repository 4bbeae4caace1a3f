//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package outside

import (
	"os"
	"syscall"
)

func mmap(f *os.File, size int) ([]byte, func()) {
	b, err := syscall.Mmap(int(f.Fd()), 0, size, syscall.PROT_READ, syscall.MAP_PRIVATE)
	if err != nil {
		return nil, nil
	}
	return b, func() { _ = syscall.Munmap(b) } // which fails only for memory that is not mapped
}

package memory

import "golang.org/x/sys/unix"

func installed() int64 {
	if n, err := unix.SysctlUint64("hw.memsize"); err == nil && n > 0 {
		return int64(n)
	}
	return unknown
}

func allowed() int64 { return none }

package memory

import (
	"syscall"
	"unsafe"
)

var globalMemoryStatus = syscall.NewLazyDLL("kernel32.dll").NewProc("GlobalMemoryStatusEx")

// memoryStatus is MEMORYSTATUSEX of the Windows API.
type memoryStatus struct {
	length, load                                     uint32
	total, free, totalPage, freePage, virtual, spare uint64
	extended                                         uint64
}

func installed() int64 {
	s := memoryStatus{}
	s.length = uint32(unsafe.Sizeof(s))
	if ok, _, _ := globalMemoryStatus.Call(uintptr(unsafe.Pointer(&s))); ok == 0 || s.total == 0 {
		return unknown
	}
	return int64(s.total)
}

func allowed() int64 { return none }

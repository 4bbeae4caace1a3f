package memory

import (
	"bytes"
	"io/fs"
	"os"
	"path"
	"strconv"
	"strings"
	"syscall"
)

func installed() int64 { return memTotal(os.DirFS("/")) }

// allowed is the least that control groups and the limit of the address space leave.
func allowed() int64 { return min(groups(os.DirFS("/")), addresses()) }

// memTotal returns the memory that /proc/meminfo states.
func memTotal(root fs.FS) int64 {
	b, _ := fs.ReadFile(root, "proc/meminfo")
	for line := range bytes.Lines(b) {
		words := strings.Fields(string(line))
		if len(words) >= 2 && words[0] == "MemTotal:" {
			if kib, err := strconv.ParseInt(words[1], 10, 53); err == nil && kib > 0 {
				return kib << 10
			}
		}
	}
	return unknown
}

// groups returns the least limit of the control groups that the process is in and of those around
// them. Both versions are read: version 2 has a line "0::/path" in /proc/self/cgroup, version 1 one
// for each controller.
func groups(root fs.FS) int64 {
	least := int64(none)
	b, _ := fs.ReadFile(root, "proc/self/cgroup")
	for line := range bytes.Lines(b) {
		fields := strings.SplitN(strings.TrimSpace(string(line)), ":", 3)
		if len(fields) != 3 {
			continue
		}
		top, file := "sys/fs/cgroup", "memory.max"
		if fields[1] != "" {
			if !strings.Contains(","+fields[1]+",", ",memory,") {
				continue
			}
			top, file = "sys/fs/cgroup/memory", "memory.limit_in_bytes"
		}
		for dir := path.Clean("/" + fields[2]); ; dir = path.Dir(dir) {
			b, _ := fs.ReadFile(root, path.Join(top, dir, file))
			// else "max"
			if limit, err := strconv.ParseInt(strings.TrimSpace(string(b)), 10, 64); err == nil &&
				limit > 0 {
				least = min(least, limit)
			}
			if dir == "/" {
				break
			}
		}
	}
	return least
}

// addresses returns what a limit of the address space leaves for data: the Go runtime and the
// program take some, and memory that was given back keeps its addresses.
func addresses() int64 {
	const limitAddresses = 9 // RLIMIT_AS, which package syscall names on some architectures only
	const overhead, fraction = 512 << 20, 2
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(limitAddresses, &limit); err != nil || uint64(limit.Cur) > none/2 {
		return none
	}
	return max(int64(limit.Cur)-overhead, smallest) / fraction
}

package replace

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"syscall"
)

// kernelID is the random number of this boot, and the space of process numbers, of which each
// container has its own.
func kernelID() string {
	boot, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	if err != nil || len(boot) == 0 {
		return ""
	}
	space, err := os.Readlink("/proc/self/ns/pid")
	if err != nil {
		return ""
	}
	return string(boot) + space
}

// ended reports whether there is no process of a number, or a zombie. Of killed processes zombies
// stay where nobody waits for them, as in containers whose first process does not.
func ended(pid int) bool {
	if errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) {
		return true
	}
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return false
	}
	// number (name) state ..., where the name may hold anything
	_, behind, _ := bytes.Cut(stat[max(0, bytes.LastIndexByte(stat, ')')):], []byte(" "))
	return len(behind) > 0 && (behind[0] == 'Z' || behind[0] == 'X')
}

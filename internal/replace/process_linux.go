package replace

import "os"

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

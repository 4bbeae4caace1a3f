package replace

import "golang.org/x/sys/unix"

// kernelID is the random number of this boot.
func kernelID() string {
	id, err := unix.Sysctl("kern.bootsessionuuid")
	if err != nil {
		return ""
	}
	return id
}

package replace

import (
	"errors"
	"syscall"
)

// ended reports whether there is no process of a number.
func ended(pid int) bool { return errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) }

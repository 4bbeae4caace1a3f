package memory

import (
	"os"
	"runtime/debug"
)

// LimitCollector lets garbage be collected before this process takes more than nine tenths of
// Machine, such as of its control group, so that a server with large requests is not ended by the
// system. It returns the limit in bytes; 0: the user's own GOMEMLIMIT stands.
func LimitCollector() int64 {
	if os.Getenv("GOMEMLIMIT") != "" {
		return 0
	}
	limit := Machine() / 10 * 9
	debug.SetMemoryLimit(limit)
	return limit
}

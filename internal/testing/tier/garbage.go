package tier

import (
	"os"
	"runtime/debug"
)

// How much garbage a process of tests keeps before it is collected, in percent of what is in use,
// and from how many bytes on it is collected earlier.
const (
	garbage = 400
	most    = 2 << 30
)

// Tests train thousands of small models. By Go's own rule each few megabytes of these begin a
// collection, which takes a fifth of the tests' time. By night memory counts more than time. A
// user's own GOGC stands.
func init() {
	if os.Getenv("GOGC") == "" && !Night() {
		debug.SetGCPercent(garbage)
		debug.SetMemoryLimit(most)
	}
}

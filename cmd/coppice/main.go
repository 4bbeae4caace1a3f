// Command coppice trains, tests, shows and applies decision trees on tables. "coppice help" lists what it can do.
package main

import (
	"os"
	"runtime/debug"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/command"
)

// collectAt is the growth of the heap, in percent, after which garbage is collected. Nearly all of it is columns of numbers,
// in which the collector has nothing to look for: collecting early costs little and keeps the peak near what is in use.
const collectAt = 20

func main() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(collectAt)
	}
	os.Exit(command.Main())
}

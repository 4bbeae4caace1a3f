package memory

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

const (
	garbageGrowth = 3 // percent by which large memory may grow
	// bytes by which small memory may grow, for each collection costs something too
	garbageSpare = 20 << 20
	// percent: Go collects first at 4 MB times the percentage, here at the spare bytes
	garbageMost = 500
)

// TuneCollector sets how much garbage this process keeps before it is collected, for as long as it
// runs. Nearly all memory of a program of tables is long arrays of numbers, in which the garbage
// collector has no pointers to follow. So it may run often, and the peak stays near what is in use.
// Go's own rule, to collect when the memory has doubled, would double the peak. A user's own GOGC
// stands.
func TuneCollector() {
	if os.Getenv("GOGC") != "" {
		return
	}
	debug.SetGCPercent(garbagePercent(0))
	watchCollector()
}

// garbagePercent returns by how much memory of some bytes may grow.
func garbagePercent(live uint64) int {
	return int(max(garbageGrowth, min(garbageMost, 100*garbageSpare/max(live, 1))))
}

// watchCollector sets the percentage anew after each collection: its object is garbage at once, and
// when it is collected another takes its place.
func watchCollector() {
	runtime.SetFinalizer(&[16]byte{}, func(*[16]byte) {
		sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
		metrics.Read(sample)
		debug.SetGCPercent(garbagePercent(sample[0].Value.Uint64()))
		watchCollector()
	})
}

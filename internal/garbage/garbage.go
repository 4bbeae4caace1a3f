// Package garbage owns how much garbage a program of tables keeps before it is collected. Nearly
// all of its memory is long arrays of numbers, in which the garbage collector has no pointers to
// follow. So it may run often, and the peak stays near what is in use. Go's own rule, to collect
// when the memory has doubled, would double the peak.
package garbage

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

const (
	growth = 3 // percent by which large memory may grow
	// bytes by which small memory may grow, for each collection costs something too
	spare = 20 << 20
	// percent: Go collects first at 4 MB times the percentage, here at the spare bytes
	most = 500
)

// Tune sets the rule for this process, for as long as it runs. A user's own GOGC stands.
func Tune() {
	if os.Getenv("GOGC") != "" {
		return
	}
	debug.SetGCPercent(percent(0))
	watch()
}

// percent returns by how much memory of some bytes may grow.
func percent(live uint64) int {
	return int(max(growth, min(most, 100*spare/max(live, 1))))
}

// watch sets the percentage anew after each collection: its object is garbage at once, and when it
// is collected another takes its place.
func watch() {
	runtime.SetFinalizer(&[16]byte{}, func(*[16]byte) {
		sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
		metrics.Read(sample)
		debug.SetGCPercent(percent(sample[0].Value.Uint64()))
		watch()
	})
}

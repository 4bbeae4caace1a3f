// Package tier owns how much a test does in each of the three tiers in which tests are run.
//
//	short    go test -short ./...             while one writes: under 90 s on two cores
//	change   go test ./...                    every change, by .ci/run: under 240 s
//	night    COPPICE_NIGHT=1 go test ./...    every night, by .ci/nightly: hours
//
// A test that takes over two seconds is left out of the short tier, or does less there. What a test
// asserts is the same in all tiers; how many cases it tries is not.
package tier

import (
	"os"
	"testing"
)

// Night reports whether the tests are those of the night.
func Night() bool { return os.Getenv("COPPICE_NIGHT") != "" }

// Count returns how many cases a test tries in this tier.
func Count(short, change, night int) int {
	switch {
	case testing.Short():
		return short
	case Night():
		return night
	}
	return change
}

// NotShort leaves a test out of the short tier, with what makes it slow.
func NotShort(t testing.TB, slow string) {
	t.Helper()
	if testing.Short() {
		t.Skipf("left out of -short: it %s", slow)
	}
}

// AtNight leaves a test to the night, with what makes it slow.
func AtNight(t testing.TB, slow string) {
	t.Helper()
	if !Night() || testing.Short() {
		t.Skipf("run at night, with COPPICE_NIGHT=1: it %s", slow)
	}
}

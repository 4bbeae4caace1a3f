package humanize

import (
	"fmt"
	"strconv"
	"time"
)

// Duration writes how long something took: with one decimal below ten seconds, in whole seconds
// below two minutes, and in minutes and seconds from there on.
//
//	0.4 s    12 s    3 min 5 s
func Duration(d time.Duration) string {
	seconds := d.Seconds()
	if seconds < 9.95 {
		return strconv.FormatFloat(seconds, 'f', 1, 64) + " s"
	}
	whole := int(seconds + 0.5)
	if whole < 120 {
		return strconv.Itoa(whole) + " s"
	}
	return fmt.Sprintf("%d min %d s", whole/60, whole%60)
}

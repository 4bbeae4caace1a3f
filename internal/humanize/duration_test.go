package humanize_test

import (
	"testing"
	"time"

	"github.com/coppice-ml/coppice/internal/humanize"
)

func TestDuration(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "0.0 s", 440 * time.Millisecond: "0.4 s", 9940 * time.Millisecond: "9.9 s",
		9960 * time.Millisecond: "10 s", 119400 * time.Millisecond: "119 s",
		119600 * time.Millisecond: "2 min 0 s", 3*time.Hour + 5*time.Second: "180 min 5 s",
	} {
		if got := humanize.Duration(d); got != want {
			t.Errorf("%v: %q, want %q", d, got, want)
		}
	}
}

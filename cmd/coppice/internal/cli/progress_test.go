package cli

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/coppice-ml/coppice/learn"
)

// The progress line shows the stage and how much is done. It is erased before other output.
func TestProgress(t *testing.T) {
	var terminal bytes.Buffer
	p := &Progress{Terminal: &terminal}
	p.round = learn.Round{Stage: "cross-validate", N: 3, Of: 10}
	p.show()
	if got := terminal.String(); !strings.Contains(got, "cross-validate") ||
		!strings.Contains(got, "(3/10)") {
		t.Errorf("the line %q does not report 3 of 10", got)
	}
	terminal.Reset()
	p.hide(func() { terminal.WriteString("note") })
	if got := terminal.String(); !strings.HasSuffix(got, "\rnote") {
		t.Errorf("%q does not clear the line before the note", got)
	}
	p.End()
}

// Without a terminal nothing is displayed.
func TestNoProgress(t *testing.T) {
	p := &Progress{}
	p.Begin("reading")
	if err := p.Observe(learn.Round{Stage: "grow", N: 1, Of: 2}); err != nil {
		t.Error(err)
	}
	if p.stop != nil || p.bar != nil {
		t.Error("progress is under way without a terminal")
	}
	p.End()
}

// A log gets a line about each stage, and one every ten seconds with the time that is left.
func TestProgressInLines(t *testing.T) {
	var log bytes.Buffer
	p, start := &Progress{Lines: &log}, time.Unix(1000, 0)
	for _, step := range []struct{ seconds, n int }{{0, 0}, {1, 5}, {20, 50}, {25, 60}, {30, 75}} {
		p.line(&learn.Round{Stage: "boost", N: step.n, Of: 100},
			start.Add(time.Duration(step.seconds)*time.Second))
	}
	p.line(&learn.Round{Stage: "testing"}, start.Add(time.Minute))
	want := "progress: boost\nprogress: boost  50 of 100  20s, about 20s left\n" +
		"progress: boost  75 of 100  30s, about 10s left\nprogress: testing\n"
	if got := log.String(); got != want {
		t.Errorf("the log is\n%swant\n%s", got, want)
	}
}

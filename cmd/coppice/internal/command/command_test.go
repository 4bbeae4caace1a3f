package command

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"syscall"
	"testing"

	"github.com/coppice-ml/coppice/learn"
)

// broken panics when something is written to it.
type broken struct{}

func (broken) Write([]byte) (int, error) { panic("boom") }

// A panic becomes one line that requests a bug report; the stack is shown only on request.
func TestPanic(t *testing.T) {
	for trace, lines := range map[string]int{"": 1, "1": 2} {
		t.Setenv("COPPICE_TRACE", trace)
		var stderr bytes.Buffer
		c := &console{out: broken{}, err: &stderr, progress: &progress{}}
		err := run(context.Background(), c, []string{"version"})
		if got := c.finish(err); got != failed {
			t.Errorf("status %d, want %d", got, failed)
		}
		text := strings.TrimSpace(stderr.String())
		if got := strings.Count(text, "\n") + 1; got < lines || lines == 1 && got > 1 {
			t.Errorf("COPPICE_TRACE=%q: %d lines:\n%s", trace, got, text)
		}
		if !strings.Contains(text, "coppice: internal error: boom: please report this") {
			t.Errorf("COPPICE_TRACE=%q: %q does not ask for a report", trace, text)
		}
	}
}

func TestFinish(t *testing.T) {
	for _, c := range []struct {
		err    error
		status int
		text   string
	}{
		{nil, done, ""},
		{errors.New("t.csv: no such file"), failed, "coppice: t.csv: no such file\n"},
		{errors.New("two\nlines"), failed, "coppice: two; lines\n"},
		{misusef("--seed: want %s", "a number"), misuse, "coppice: --seed: want a number\n"},
		{fmt.Errorf("train: %w", misusef("no")), misuse, "coppice: train: no\n"},
		{fmt.Errorf("fold 1: %w", context.Canceled), failed, "coppice: interrupted: no file was written\n"},
		{fmt.Errorf("write: %w", syscall.EPIPE), failed, ""},
	} {
		var stderr bytes.Buffer
		got := (&console{err: &stderr}).finish(c.err)
		if got != c.status || stderr.String() != c.text {
			t.Errorf("%v: status %d and %q, want %d and %q", c.err, got, &stderr, c.status, c.text)
		}
	}
}

// Every command has a paragraph of description, examples that begin with its name, and help for
// each flag.
func TestEveryCommandExplainsItself(t *testing.T) {
	root := newRoot(&console{out: io.Discard, err: io.Discard, progress: &progress{}})
	for _, cmd := range root.Commands() {
		if !cmd.IsAvailableCommand() || cmd.Name() == "completion" {
			continue
		}
		if len(cmd.Long) < 60 {
			t.Errorf("%s: the description %q is short", cmd.Name(), cmd.Long)
		}
		if strings.HasSuffix(cmd.Short, ".") || cmd.Short == "" {
			t.Errorf("%s: short description %q", cmd.Name(), cmd.Short)
		}
		for line := range strings.Lines(cmd.Example) {
			if !strings.Contains(line, "coppice "+cmd.Name()) {
				t.Errorf("%s: the example %q does not call it", cmd.Name(), line)
			}
		}
	}
}

// The line of progress shows the stage and how much is done, and goes away before anything else is
// written.
func TestProgress(t *testing.T) {
	var terminal bytes.Buffer
	p := &progress{w: &terminal}
	p.round = learn.Round{Stage: "cross-validate", N: 3, Of: 10}
	p.show()
	if got := terminal.String(); !strings.Contains(got, "cross-validate") || !strings.Contains(got, "(3/10)") {
		t.Errorf("the line %q does not report 3 of 10", got)
	}
	terminal.Reset()
	p.hide(func() { terminal.WriteString("note") })
	if got := terminal.String(); !strings.HasSuffix(got, "\rnote") {
		t.Errorf("%q does not clear the line before the note", got)
	}
	p.end()
}

// Without a terminal nothing is displayed.
func TestNoProgress(t *testing.T) {
	p := &progress{}
	p.begin("reading")
	if err := p.observe(learn.Round{Stage: "grow", N: 1, Of: 2}); err != nil {
		t.Error(err)
	}
	if p.stop != nil || p.bar != nil {
		t.Error("progress is under way without a terminal")
	}
	p.end()
}

func TestParseFraction(t *testing.T) {
	for text, want := range map[string]fraction{
		"": {}, "0.25": {fraction: 0.25}, "1e-3": {fraction: 0.001}, "test.csv": {path: "test.csv"}, "./0.2": {path: "./0.2"},
	} {
		if got, err := parseFraction("test", text); err != nil || got != want {
			t.Errorf("%q: %v %v, want %v", text, got, err, want)
		}
	}
	for _, text := range []string{"0", "1", "-0.1", "NaN", "inf", "2"} {
		if got, err := parseFraction("test", text); err == nil {
			t.Errorf("%q: %v, want an error", text, got)
		}
	}
}

// A read that waits for input ends when the context does.
func TestInterruptible(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	r, w := io.Pipe()
	in := &interruptible{ctx: ctx, r: r}
	go w.Write([]byte("abc"))
	b := make([]byte, 10)
	if n, err := in.Read(b); err != nil || string(b[:n]) != "abc" {
		t.Errorf("read %q, %v", b[:n], err)
	}
	cancel()
	if n, err := in.Read(b); n != 0 || !errors.Is(err, context.Canceled) {
		t.Errorf("read %d bytes, %v, want context.Canceled", n, err)
	}
	w.Close()
}

package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"syscall"
	"testing"

	"github.com/spf13/cobra"
)

// broken panics when something is written to it.
type broken struct{}

func (broken) Write([]byte) (int, error) { panic("boom") }

// A panic becomes one line that requests a bug report. The stack trace is printed only if
// COPPICE_TRACE is set.
func TestPanic(t *testing.T) {
	for trace, lines := range map[string]int{"": 1, "1": 2} {
		t.Setenv("COPPICE_TRACE", trace)
		var stderr bytes.Buffer
		c := &Console{Out: broken{}, Err: &stderr, Progress: &Progress{}}
		list := &cobra.Command{Use: "list", RunE: func(*cobra.Command, []string) error {
			c.Printf("an item\n")
			return nil
		}}
		err := Run(context.Background(), c,
			[]Command{{"list", func(*Console) *cobra.Command { return list }}}, []string{"list"})
		if got := c.Finish(err); got != statusFailed {
			t.Errorf("status %d, want %d", got, statusFailed)
		}
		text := strings.TrimSpace(stderr.String())
		if got := strings.Count(text, "\n") + 1; got < lines || lines == 1 && got > 1 {
			t.Errorf("COPPICE_TRACE=%q: %d lines:\n%s", trace, got, text)
		}
		if !strings.Contains(text, "coppice: internal error: boom: please report this") {
			t.Errorf("COPPICE_TRACE=%q: %q does not lead to a report", trace, text)
		}
	}
}

func TestFinish(t *testing.T) {
	for _, c := range []struct {
		err    error
		status int
		text   string
	}{
		{nil, statusDone, ""},
		{errors.New("t.csv: no such file"), statusFailed, "coppice: t.csv: no such file\n"},
		{errors.New("two\nlines"), statusFailed, "coppice: two; lines\n"},
		{Misusef("--seed: want %s", "a number"), statusMisuse, "coppice: --seed: want a number\n"},
		{fmt.Errorf("train: %w", Misusef("no")), statusMisuse, "coppice: train: no\n"},
		{fmt.Errorf("fold 1: %w", context.Canceled), statusFailed,
			"coppice: interrupted: no file was written\n"},
		{fmt.Errorf("write: %w", syscall.EPIPE), statusFailed, ""},
	} {
		var stderr bytes.Buffer
		got := (&Console{Err: &stderr}).Finish(c.err)
		if got != c.status || stderr.String() != c.text {
			t.Errorf("%v: status %d and %q, want %d and %q", c.err, got, &stderr, c.status, c.text)
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

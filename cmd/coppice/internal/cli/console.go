package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/coppice-ml/coppice/internal/printable"
)

// Console is where a command reads and writes.
type Console struct {
	In       io.Reader
	Out, Err io.Writer
	Terminal bool // out is one
	Progress *Progress
}

// interruptible is a reader that stops waiting for input when its context is done. The pending read
// continues in the background and its result is lost; the process is about to end.
type interruptible struct {
	ctx  context.Context
	r    io.Reader
	held []byte
}

// result is what one read gave.
type result struct {
	n   int
	err error
}

// Read reads into a buffer of its own, because a read that comes back late must not touch p any
// more.
func (i *interruptible) Read(p []byte) (int, error) {
	if len(i.held) < len(p) {
		i.held = make([]byte, len(p))
	}
	held, ready := i.held[:len(p)], make(chan result, 1)
	go func() {
		n, err := i.r.Read(held)
		ready <- result{n, err}
	}()
	select {
	case r := <-ready:
		return copy(p, held[:r.n]), r.err
	case <-i.ctx.Done():
		return 0, i.ctx.Err()
	}
}

// patient is a writer until its context is done.
type patient struct {
	ctx context.Context
	w   io.Writer
}

// Write fails with the context's error once it is done, so that what prints much ends soon.
func (p *patient) Write(b []byte) (int, error) {
	if err := p.ctx.Err(); err != nil {
		return 0, err
	}
	return p.w.Write(b)
}

// Note prints a remark, which is no result, on a line of standard error.
func (c *Console) Note(format string, args ...any) {
	c.Progress.hide(func() {
		fmt.Fprintf(c.Err, "note: %s\n", OneLine(fmt.Sprintf(format, args...)))
	})
}

// Warn prints what may make the result wrong, on a line of standard error.
func (c *Console) Warn(format string, args ...any) {
	c.Progress.hide(func() {
		fmt.Fprintf(c.Err, "warning: %s\n", OneLine(fmt.Sprintf(format, args...)))
	})
}

// Printf writes to the result. Errors of writing show when standard output is flushed.
func (c *Console) Printf(format string, args ...any) { fmt.Fprintf(c.Out, format, args...) }

// JSON writes the result as one JSON object.
func (c *Console) JSON(v any) error {
	e := json.NewEncoder(c.Out)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(v)
}

// OneLine keeps what comes from files and names from breaking a message into lines, and from being
// obeyed by a terminal.
func OneLine(text string) string { return printable.Line(strings.TrimSpace(text)) }

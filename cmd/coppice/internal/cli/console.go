package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/ranks"
)

// Console holds the streams of a command: where it reads input, and where it writes results,
// messages and progress.
type Console struct {
	In       io.Reader
	Out, Err io.Writer
	Terminal bool // Out is a terminal
	Progress *Progress
	Silent   bool // no notes and no warnings: --quiet
	Verbose  bool // details that one screen has no room for: -v
	Readers  int  // threads that read a table: --threads; 0 = one per processor
	// the processes that run this command line together, of which the first prints and writes
	// files; nil: this one alone
	Ranks ranks.Group
	// what the command found of its input and remarks once it is done; nil: nothing
	Remarks Remarks

	held *postponed // nil: notes and warnings are printed at once
}

// Remarks are findings about the input of a command, which may be complete only once all of it was
// read.
type Remarks interface {
	Line() string // one line for people, "" = there is nothing to remark
	Entries() any // all of them as a list, for the key "warnings" of a JSON object
}

// remark prints the remarks.
func (c *Console) remark() {
	if c.Remarks == nil {
		return
	}
	if line := c.Remarks.Line(); line != "" {
		c.Warn("%s", line)
	}
}

// Leads reports whether this process prints, and writes files.
func (c *Console) Leads() bool { return ranks.Of(c.Ranks).Rank() == 0 }

// Several reports whether other processes run the command line, too.
func (c *Console) Several() bool { return ranks.Of(c.Ranks).Size() > 1 }

// interruptible is a reader that stops waiting for input when its context is done. The pending read
// continues in the background and its result is lost. That is harmless, as the process then ends.
type interruptible struct {
	ctx  context.Context
	r    io.Reader
	held []byte
}

// result holds what one read returned.
type result struct {
	n   int
	err error
}

// Read reads into a separate buffer. A read that returns after the context is done must not write
// to p, which the caller may use again.
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

// interruptibleWriter is a writer that fails once its context is done.
type interruptibleWriter struct {
	ctx context.Context
	w   io.Writer
}

// Write returns the context's error once it is done, so that long output ends soon after an
// interrupt.
func (p *interruptibleWriter) Write(b []byte) (int, error) {
	if err := p.ctx.Err(); err != nil {
		return 0, err
	}
	return p.w.Write(b)
}

// Printf writes to the result. Errors of writing are reported when standard output is flushed.
func (c *Console) Printf(format string, args ...any) { fmt.Fprintf(c.Out, format, args...) }

// JSON writes the result as one JSON object, with the remarks.
func (c *Console) JSON(v any) error {
	if c.Remarks != nil && c.Remarks.Line() != "" {
		var err error
		if v, err = withWarnings(v, c.Remarks.Entries()); err != nil {
			return err
		}
	}
	e := json.NewEncoder(c.Out)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(v)
}

// withWarnings adds the last key to an object, which is not empty and has no such key.
func withWarnings(v, warnings any) (json.RawMessage, error) {
	var object, list bytes.Buffer
	for b, part := range map[*bytes.Buffer]any{&object: v, &list: warnings} {
		e := json.NewEncoder(b)
		e.SetEscapeHTML(false)
		if err := e.Encode(part); err != nil {
			return nil, err
		}
	}
	text := bytes.TrimSuffix(bytes.TrimSpace(object.Bytes()), []byte("}"))
	text = append(text, `,"warnings":`...)
	return append(append(text, bytes.TrimSpace(list.Bytes())...), '}'), nil
}

// OneLine makes a message one line that is safe to print. Texts from files and names may hold line
// ends, or control sequences of terminals.
func OneLine(text string) string { return humanize.Line(strings.TrimSpace(text)) }

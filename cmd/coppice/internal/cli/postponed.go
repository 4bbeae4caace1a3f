package cli

import (
	"fmt"
	"slices"
	"strings"
	"sync"
)

// postponed is the notes and warnings of a command that ends with one screen.
type postponed struct {
	mu    sync.Mutex
	lines []string // as they would be printed
}

// Postpone postpones notes and warnings from here on, unless the command is verbose. The command
// drops them once its screen has what is to be said of them. Otherwise they are printed at its end:
// they may explain why it failed.
func (c *Console) Postpone() {
	if !c.Verbose && !c.Silent {
		c.held = &postponed{}
	}
}

// DropPostponed drops what is postponed, and postpones nothing any more. It returns how many notes
// there were.
func (c *Console) DropPostponed() (notes int) {
	if c.held == nil {
		return 0
	}
	for _, line := range c.held.lines {
		if strings.HasPrefix(line, noteMark) {
			notes++
		}
	}
	c.held = nil
	return notes
}

// noteMark begins a note.
const noteMark = "note: "

// release prints what is postponed.
func (c *Console) release() {
	if c.held == nil {
		return
	}
	lines := c.held.lines
	c.held = nil
	for _, line := range lines {
		c.line(line)
	}
}

// remember postpones a line, or prints it.
func (c *Console) remember(line string) {
	if c.held == nil {
		c.line(line)
		return
	}
	c.held.mu.Lock()
	defer c.held.mu.Unlock()
	if !slices.Contains(c.held.lines, line) { // tables may be read for several models
		c.held.lines = append(c.held.lines, line)
	}
}

// line prints a line on standard error.
func (c *Console) line(text string) {
	c.Progress.hide(func() { fmt.Fprintln(c.Err, text) })
}

// Note prints a remark on a line of standard error. It is no part of the result.
func (c *Console) Note(format string, args ...any) {
	if !c.Silent {
		c.remember(noteMark + OneLine(fmt.Sprintf(format, args...)))
	}
}

// Notice is Note about something that changes what the command does. It is never postponed.
func (c *Console) Notice(format string, args ...any) {
	if !c.Silent {
		c.line(noteMark + OneLine(fmt.Sprintf(format, args...)))
	}
}

// Warn prints a line on standard error about something that may make the result wrong.
func (c *Console) Warn(format string, args ...any) {
	if !c.Silent {
		c.remember("warning: " + OneLine(fmt.Sprintf(format, args...)))
	}
}

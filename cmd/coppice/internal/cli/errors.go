package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"strconv"
	"strings"
	"syscall"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/loss"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/param"
)

// The exit statuses.
const (
	statusDone    = 0
	statusFailed  = 1 // the work failed: something about the files or the data
	statusMisuse  = 2 // the command line was wrong, whatever the data
	StatusPartial = 3 // the work was interrupted, and its partial result was written
	statusHeld    = 4 // a condition of --fail-if holds
)

// misuseError is an error of the command line: the exit status is 2.
type misuseError struct{ error }

func (e misuseError) Unwrap() error { return e.error }

// Misuse marks an error as one of the command line.
func Misuse(err error) error { return misuseError{err} }

// Misusef returns an error of the command line with a formatted text.
func Misusef(format string, args ...any) error { return misuseError{fmt.Errorf(format, args...)} }

// IsMisuse reports whether an error is one of the command line.
func IsMisuse(err error) bool {
	var wrong misuseError
	return errors.As(err, &wrong)
}

// Bug is the error of a panic, with the stack trace of its place.
type Bug struct {
	cause any
	Stack []byte
}

func newBug(cause any) *Bug { return &Bug{cause, debug.Stack()} }

func (b *Bug) Error() string {
	return fmt.Sprintf("internal error: %v: please report this with the command line "+
		"(COPPICE_TRACE=1 shows more)", b.cause)
}

// InterruptedAfter returns the error of a command that was interrupted after it had written some of
// its files: what it wrote, such as "rows.csv was written". Other errors stay what they are.
func InterruptedAfter(err error, what string) error {
	if errors.Is(err, context.Canceled) {
		return fmt.Errorf("interrupted after %s", what)
	}
	return err
}

var errInterrupted = errors.New("interrupted: no file was written")

// Finish prints an error, or the remarks of a command without one, as the last line of standard
// error and returns the exit status. Joined errors become one line. A closed standard output, as in
// a pipe to head, prints nothing.
func (c *Console) Finish(err error) int {
	var wrong misuseError
	var broken *Bug
	switch {
	case err == nil:
		c.remark()
		return statusDone
	case errors.Is(err, syscall.EPIPE):
		return statusFailed
	case errors.Is(err, context.Canceled):
		err = errInterrupted
	case errors.As(err, &broken) && os.Getenv("COPPICE_TRACE") != "":
		fmt.Fprintf(humanize.NewWriter(c.Err, false), "%s\n", broken.Stack)
	}
	fmt.Fprintf(c.Err, "coppice: %s\n",
		OneLine(strings.ReplaceAll(strings.TrimSpace(err.Error()), "\n", "; ")))
	if errors.As(err, &wrong) || unusable(err) {
		return statusMisuse
	}
	if half := (*PartialError)(nil); errors.As(err, &half) {
		return StatusPartial
	}
	if held(err) {
		return statusHeld
	}
	return statusFailed
}

// unusable reports whether an error of the library is a misuse of the command line: options of the
// reader contradict each other for any table, or a positive class is named without two classes.
func unusable(err error) bool {
	var fault *data.ReadError
	var positive *data.PositiveError
	if errors.As(err, &positive) {
		return true
	}
	return errors.As(err, &fault) && errors.Is(err, data.ErrOption) && fault.File == ""
}

// Located adds the file and the line of the row to an error about a row of a table.
func Located(err error, f *data.Frame) error {
	var value *model.ValueError
	var column *learn.ColumnError
	var label *loss.LabelError
	switch {
	case errors.As(err, &label) && label.Row >= 0:
		return fmt.Errorf("%s: %s", f.Locate(label.Row), label.Reason)
	case errors.As(err, &value) && value.Row >= 0:
		return fmt.Errorf("%s: column %q: %s%s", f.Locate(value.Row), value.Column, value.What,
			unseen(value, f))
	case errors.As(err, &column) && column.Row >= 0:
		return fmt.Errorf("%s: column %q: %s %s", f.Locate(column.Row), column.Column,
			column.Learner, column.What)
	}
	return err
}

// unseen names the category that a row has and training had not: of several new ones in the table
// the first ones, since a row does not keep its own.
func unseen(e *model.ValueError, f *data.Frame) string {
	const most = 3
	at := f.Schema.Index(e.Column)
	if at < 0 || f.IsMissing(e.Row, at) || !strings.Contains(e.What, "never seen") {
		return ""
	}
	c, levels := &f.Columns[at], f.Schema.Fields[at].Levels
	switch {
	case c.Codes() == nil:
		return ": " + strconv.FormatFloat(c.Number(e.Row), 'g', -1, 64)
	case int(c.Code(e.Row)) < len(levels): // of rows that were read with those of the training
		return ": " + strconv.Quote(levels[c.Code(e.Row)])
	case c.Code(e.Row) != data.UnseenCode || c.UnseenTexts() == nil:
		return ""
	}
	var names []string
	texts := c.UnseenTexts().Texts()
	for _, text := range texts[:min(most, len(texts))] {
		names = append(names, strconv.Quote(text))
	}
	switch {
	case len(names) == 0:
		return ""
	case len(texts) > most:
		return ": one of " + strings.Join(names, ", ") + " ..."
	case len(names) > 1:
		return ": " + humanize.Or(names)
	}
	return ": " + names[0]
}

// PartialError is the error of an interrupted training whose model so far was written.
type PartialError struct{ File string }

func (e *PartialError) Error() string {
	return fmt.Sprintf("interrupted: %s holds the model so far", e.File)
}

// Instead suggests a name for one that is unknown: the nearest one, else all that are allowed.
func Instead(given string, names []string) string {
	if near := param.Nearest(given, names); near != "" {
		return "did you mean " + near + "?"
	}
	return "want " + humanize.Or(names)
}

package command

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"strconv"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/table"
	"github.com/coppice-ml/coppice/internal/printable"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/loss"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/param"
)

// The exit statuses.
const (
	done   = 0
	failed = 1 // the work failed: something about the files or the data
	misuse = 2 // the command line was wrong, independent of the data
	halved = 3 // the work was interrupted, and what was done of it was written
)

// misuseError is an error of the command line.
type misuseError struct{ error }

func (e misuseError) Unwrap() error { return e.error }

func misusef(format string, args ...any) error { return misuseError{fmt.Errorf(format, args...)} }

// bug is a panic, with the stack that led to it.
type bug struct {
	cause any
	stack []byte
}

func newBug(cause any) *bug { return &bug{cause, debug.Stack()} }

func (b *bug) Error() string {
	return fmt.Sprintf("internal error: %v: please report this with the command line (COPPICE_TRACE=1 shows more)", b.cause)
}

// finish prints an error, if there is one, as the last line of standard error, several joined ones
// too, and returns the exit status. A closed standard output, as with head, needs no words.
func (c *console) finish(err error) int {
	var wrong misuseError
	var broken *bug
	switch {
	case err == nil:
		return done
	case errors.Is(err, syscall.EPIPE):
		return failed
	case errors.Is(err, context.Canceled):
		err = errors.New("interrupted: no file was written")
	case errors.As(err, &broken) && os.Getenv("COPPICE_TRACE") != "":
		fmt.Fprintf(printable.NewWriter(c.err, false), "%s\n", broken.stack)
	}
	fmt.Fprintf(c.err, "coppice: %s\n", oneLine(strings.ReplaceAll(strings.TrimSpace(err.Error()), "\n", "; ")))
	if errors.As(err, &wrong) || unusable(err) {
		return misuse
	}
	if half := (*partial)(nil); errors.As(err, &half) {
		return halved
	}
	return failed
}

// unusable reports whether options of the reader contradict each other, whatever the table, or a
// positive class is named where there are not two classes.
func unusable(err error) bool {
	var fault *table.Error
	var positive *data.PositiveError
	if errors.As(err, &positive) {
		return true
	}
	return errors.As(err, &fault) && errors.Is(err, table.ErrOption) && fault.File == ""
}

// flagError rewords an error of pflag and suggests the nearest flag for an unknown one.
func flagError(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	var invalid *pflag.InvalidValueError
	var valueless *pflag.ValueRequiredError
	switch {
	case errors.As(err, &unknown):
		return unknownFlag(cmd, unknown)
	case errors.As(err, &invalid):
		f := invalid.GetFlag()
		return misusef("--%s %s: want %s", f.Name, strconv.Quote(invalid.GetValue()), wanted(f, invalid))
	case errors.As(err, &valueless):
		return misusef("--%s needs a value: %s", valueless.GetFlag().Name, flagHelp(valueless.GetFlag()))
	}
	return misusef("%v (%s --help lists the flags)", err, cmd.CommandPath())
}

func unknownFlag(cmd *cobra.Command, e *pflag.NotExistError) error {
	given, name := "--"+e.GetSpecifiedName(), e.GetSpecifiedName()
	if short := e.GetSpecifiedShortnames(); short != "" {
		given, name = "-"+short, short // also a long name behind one dash
	}
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	name, _, _ = strings.Cut(name, "=")
	if near := param.Nearest(name, names); near != "" {
		return misusef("unknown flag %s: did you mean --%s?", given, near)
	}
	return misusef("unknown flag %s: %s --help lists all flags", given, cmd.CommandPath())
}

// wanted names the values that a flag takes.
func wanted(f *pflag.Flag, e *pflag.InvalidValueError) string {
	switch f.Value.Type() {
	case "uint64":
		return "an integer from 0 up"
	case "int":
		return "an integer"
	case "bool":
		return "true or false"
	case "stringSlice":
		return "names with commas between them (a name that holds a quote or a comma in double quotes)"
	}
	return e.Unwrap().Error()
}

// located gives an error about a row of a table the row's file and line.
func located(err error, f *data.Frame) error {
	var value *model.ValueError
	var column *learn.ColumnError
	var label *loss.LabelError
	switch {
	case errors.As(err, &label) && label.Row >= 0:
		return fmt.Errorf("%s: %s", f.Locate(label.Row), label.Reason)
	case errors.As(err, &value) && value.Row >= 0:
		return fmt.Errorf("%s: column %q: %s", f.Locate(value.Row), value.Column, value.What)
	case errors.As(err, &column) && column.Row >= 0:
		return fmt.Errorf("%s: column %q: %s %s", f.Locate(column.Row), column.Column, column.Learner, column.What)
	}
	return err
}

// flagHelp returns the help text of a flag without its quotes.
func flagHelp(f *pflag.Flag) string { return strings.ReplaceAll(f.Usage, "`", "") }

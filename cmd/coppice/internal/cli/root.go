// Package cli owns what all commands use on the command line: the console with its tables, charts
// and progress, help texts, common flags, errors and the exit status. It makes no decision about
// learning, and it imports no command.
//
// Standard output holds the result, with --json one JSON object and nothing else. Notes, progress
// and errors go to standard error.
//
// The exit status is 0 if the work is done, and 1 if it failed. It is 2 if the command was misused,
// 3 if it was interrupted and its partial result was written, and 4 if a condition of --fail-if
// holds. In all but the first case, the last line on standard error states the error, its place and
// a remedy.
package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/internal/option"
	"github.com/coppice-ml/coppice/memory"
	"github.com/coppice-ml/coppice/param"
	"github.com/coppice-ml/coppice/ranks"
)

// Messages of the library name the flags of the command.
func init() {
	option.ShowFlags()
	memory.SetBy("--memory")
}

// Command is a row of the table of sub-commands: a name, and what makes the command of this name,
// which reads and writes on a console.
type Command struct {
	Name string
	New  func(*Console) *cobra.Command
}

// Main runs the command line of the process and returns the exit status. The first interrupt
// cancels the work, which may write a partial result; a second one ends the process at once. Of
// several ranks, nil = one, the first alone reads input and prints; err is the error of the work.
// The cause of a cancelled context explains why the work has ended.
func Main(from context.Context, commands []Command, g ranks.Group) (status int, err error) {
	ctx, stop := signal.NotifyContext(from, os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop)
	out := bufio.NewWriter(os.Stdout)
	c := &Console{In: &interruptible{ctx: ctx, r: os.Stdin}, Out: out, Err: os.Stderr,
		Progress: &Progress{}, Ranks: g}
	c.Terminal = term.IsTerminal(int(os.Stdout.Fd()))
	if term.IsTerminal(int(os.Stderr.Fd())) {
		c.Progress.Terminal = os.Stderr
	}
	if !c.Leads() {
		c.In, c.Out, c.Err, c.Progress = strings.NewReader(""), io.Discard, io.Discard, &Progress{}
	}
	err = Run(ctx, c, commands, os.Args[1:])
	if flushed := out.Flush(); err == nil {
		err = flushed
	}
	if cause := context.Cause(from); err != nil && cause != nil && !errors.Is(err, cause) {
		err = &endedError{cause, described(err)}
	}
	return c.Finish(err), err
}

// endedError is the error of work that was ended from outside, and what is left of it.
type endedError struct{ cause, left error }

func (e *endedError) Error() string {
	return e.cause.Error() + "; " + strings.TrimPrefix(e.left.Error(), "interrupted: ")
}

func (e *endedError) Unwrap() []error { return []error{e.cause, e.left} }

// described returns an error as it is printed.
func described(err error) error {
	if errors.Is(err, context.Canceled) {
		return errInterrupted
	}
	return err
}

// Run executes one command line. All output goes through one humanize.Writer, so that no name in a
// model or a table can control a terminal. A panic becomes a *Bug.
func Run(ctx context.Context, c *Console, commands []Command, args []string) (err error) {
	defer c.release()
	defer c.Progress.End()
	defer func() {
		if p := recover(); p != nil {
			err = newBug(p)
		}
	}()
	out := c.Out
	text := humanize.NewWriter(out, c.Terminal)
	c.Out = text
	defer func() {
		flushed := text.Flush()
		if b, buffered := out.(*bufio.Writer); buffered && flushed == nil {
			flushed = b.Flush() // before what is postponed, which stands below the result
		}
		if err == nil {
			err = flushed
		}
	}()
	root := NewRoot(c, needed(commands, args))
	root.SetArgs(args)
	return root.ExecuteContext(ctx)
}

// needed returns the commands that a command line needs, mostly the one that it names: the flags of
// all take some milliseconds. Help texts and files of parameters also look at the flags of others.
func needed(commands []Command, args []string) []Command {
	if slices.ContainsFunc(args, looksAtOthers) || len(args) == 0 {
		return commands
	}
	i := slices.IndexFunc(commands, func(c Command) bool { return c.Name == args[0] })
	if i < 0 {
		return commands
	}
	return commands[i : i+1]
}

// looksAtOthers reports whether an argument may be --params, --help or -h, alone or among the
// letters of other flags.
func looksAtOthers(arg string) bool {
	return strings.HasPrefix(arg, "--params") || strings.HasPrefix(arg, "--help") ||
		strings.HasPrefix(arg, "-") && !strings.HasPrefix(arg, "--") && strings.Contains(arg, "h")
}

// NewRoot makes the command line of commands, which its help text lists in their order.
func NewRoot(c *Console, commands []Command) *cobra.Command {
	cobra.EnableCommandSorting = false // the help text has the order of the table
	root := &cobra.Command{
		Use:   "coppice",
		Short: "Decision trees and tree ensembles for tables",
		Long: `Coppice trains, evaluates, explains and applies decision trees and tree ensembles.
A table is a file with one row per example, in CSV, TSV, Parquet, Arrow, LibSVM, ARFF or JSON
lines. Text may be compressed by gzip or zstd. A model predicts one of the columns, the label,
from the others.`,
		Example: `  coppice data flowers.csv                               show the columns of a table
  coppice train flowers.csv --label species --test 0.2   train, evaluate, write model.coppice
  coppice show model.coppice                             show the model
  coppice predict model.coppice new.csv                  predict new rows`,
		Args:          known,
		RunE:          func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
		SilenceErrors: true,
		SilenceUsage:  true,
		Version:       BuildVersion(),
	}
	progress := ""
	root.PersistentFlags().BoolVar(&c.Silent, "quiet", false,
		"print the result and errors only: no notes, no warnings and no progress")
	root.PersistentFlags().BoolVarP(&c.Verbose, "verbose", "v", false,
		"print all details, notes and warnings")
	root.PersistentFlags().StringVar(&progress, "progress", progressAuto, "show progress as `HOW`: "+
		"auto (a bar, on a terminal), plain (lines for a log) or none")
	root.PersistentPreRunE = func(*cobra.Command, []string) error { return c.showProgress(progress) }
	root.SetVersionTemplate("coppice {{.Version}}\n")
	root.SetIn(c.In)
	root.SetOut(c.Out)
	root.SetErr(c.Err)
	root.SetFlagErrorFunc(flagError)
	root.SetHelpFunc(func(cmd *cobra.Command, _ []string) { help(c.Out, cmd) })
	root.SetHelpCommand(newHelp())
	for _, command := range commands {
		root.AddCommand(command.New(c))
	}
	return root
}

// How progress is shown.
const (
	progressAuto  = "auto"
	progressPlain = "plain"
	progressNone  = "none"
)

// showProgress chooses how progress is shown.
func (c *Console) showProgress(how string) error {
	kinds := []string{progressAuto, progressPlain, progressNone}
	if !slices.Contains(kinds, how) {
		return Misusef("--progress %q: %s", how, Instead(how, kinds))
	}
	if c.Silent || how != progressAuto {
		c.Progress.Terminal = nil
	}
	if !c.Silent && how == progressPlain && c.Leads() {
		c.Progress.Lines = c.Err
	}
	return nil
}

// known refuses an unknown command. cobra calls it with the arguments that name no command.
func known(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	var names []string
	for _, sub := range cmd.Commands() {
		names = append(names, sub.Name())
	}
	if near := param.Nearest(args[0], names); near != "" {
		return Misusef("unknown command %q: did you mean %q?", args[0], near)
	}
	return Misusef("unknown command %q: %s", args[0], list(cmd))
}

func list(root *cobra.Command) string {
	var names []string
	for _, sub := range root.Commands() {
		if sub.IsAvailableCommand() {
			names = append(names, sub.Name())
		}
	}
	return fmt.Sprintf("there are %s (coppice help describes them)", strings.Join(names, ", "))
}

// Operands returns a check of the number of operands: at least least, and at most most unless it is
// negative. Errors name the missing operand as the usage line does.
func Operands(least, most int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		switch {
		case len(args) < least:
			return Misusef("%s needs %s: %s", cmd.Name(), missingOperand(cmd, len(args)),
				cmd.UseLine())
		case most >= 0 && len(args) > most:
			return Misusef("%s takes no operand %q: %s", cmd.Name(), args[most], cmd.UseLine())
		}
		return nil
	}
}

// FirstAndRest makes a command of a function of the first operand, such as MODEL, and the others.
func FirstAndRest(
	run func(ctx context.Context, first string, rest []string) error,
) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		return run(cmd.Context(), args[0], args[1:])
	}
}

// missingOperand returns the word of the usage line for the first operand that is missing.
func missingOperand(cmd *cobra.Command, given int) string {
	words := strings.Fields(cmd.Use)[1:]
	if given < len(words) {
		return strings.TrimSuffix(words[given], "...")
	}
	return "more operands"
}

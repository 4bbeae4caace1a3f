// Package command owns the command line: one file per command, the flags that commands share, what
// is printed, and the exit status. It makes no decision about learning.
//
// Standard output holds the result, with --json one JSON object and nothing else. Notes, progress
// and errors go to standard error.
//
// The exit status is 0 if the work is done, and 1 if it failed. It is 2 if the command was misused,
// and 3 if it was interrupted and its partial result was written. In all but the first case, the
// last line on standard error states what is wrong, where, and what to do.
package command

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/coppice-ml/coppice/internal/printable"
	"github.com/coppice-ml/coppice/param"
)

// commands lists the commands in the order of the help text.
func commands() []func(*console) *cobra.Command {
	return []func(*console) *cobra.Command{
		newTrain,
		newPredict,
		newEvaluate,
		newCV,
		newMerge,
		newShow,
		newDraw,
		newProximity,
		newLab,
		newData,
		newLearners,
		newVersion,
	}
}

// Main runs the process's command line and returns the exit status. An interrupt ends the work in
// order; a second one ends the process at once.
func Main() int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop)
	out := bufio.NewWriter(os.Stdout)
	c := &console{in: &interruptible{ctx: ctx, r: os.Stdin}, out: out, err: os.Stderr, progress: &progress{}}
	c.terminal = term.IsTerminal(int(os.Stdout.Fd()))
	if term.IsTerminal(int(os.Stderr.Fd())) {
		c.progress.w = os.Stderr
	}
	err := run(ctx, c, os.Args[1:])
	if flushed := out.Flush(); err == nil {
		err = flushed
	}
	return c.finish(err)
}

// run executes one command line. All that it prints goes through one printable.Writer, so that no
// name in a model or a table can control a terminal. A panic is a bug; it becomes an error like any
// other, and its stack trace is shown only on request.
func run(ctx context.Context, c *console, args []string) (err error) {
	defer c.progress.end()
	defer func() {
		if p := recover(); p != nil {
			err = newBug(p)
		}
	}()
	text := printable.NewWriter(c.out, c.terminal)
	c.out = text
	defer func() {
		if flushed := text.Flush(); err == nil {
			err = flushed
		}
	}()
	root := newRoot(c)
	root.SetArgs(args)
	return root.ExecuteContext(ctx)
}

func newRoot(c *console) *cobra.Command {
	cobra.EnableCommandSorting = false // the help text has the order of the table
	root := &cobra.Command{
		Use:   "coppice",
		Short: "Decision trees and tree ensembles for tables",
		Long: `Coppice trains, evaluates, explains and applies decision trees and tree ensembles. A table is a file with one row
per example, in CSV, TSV, Parquet, Arrow, LibSVM, ARFF or JSON lines, text also compressed by gzip or zstd. A model predicts
one of its columns, the label, from the others.`,
		Example: `  coppice data flowers.csv                               show the columns of a table
  coppice train flowers.csv --label species --test 0.2   train, evaluate, write model.coppice
  coppice show model.coppice                             show the model
  coppice predict model.coppice new.csv                  predict new rows`,
		Args:          known,
		RunE:          func(cmd *cobra.Command, _ []string) error { return misusef("no command is given: %s", list(cmd)) },
		SilenceErrors: true,
		SilenceUsage:  true,
		Version:       buildVersion(),
	}
	root.SetVersionTemplate("coppice {{.Version}}\n")
	root.SetIn(c.in)
	root.SetOut(c.out)
	root.SetErr(c.err)
	root.SetFlagErrorFunc(flagError)
	root.SetHelpFunc(func(cmd *cobra.Command, _ []string) { help(c.out, cmd) })
	root.SetHelpCommand(newHelp())
	for _, create := range commands() {
		root.AddCommand(create(c))
	}
	return root
}

// known refuses an unknown command; cobra calls it with what it found no command for.
func known(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	var names []string
	for _, sub := range cmd.Commands() {
		names = append(names, sub.Name())
	}
	if near := param.Nearest(args[0], names); near != "" {
		return misusef("unknown command %q: did you mean %q?", args[0], near)
	}
	return misusef("unknown command %q: %s", args[0], list(cmd))
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

// operands returns a check that there are at least least and, unless most is negative, at most most
// operands, which the usage line names.
func operands(least, most int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		switch {
		case len(args) < least:
			return misusef("%s needs %s: %s", cmd.CommandPath(), missingOperand(cmd, len(args)), cmd.UseLine())
		case most >= 0 && len(args) > most:
			return misusef("%s takes no operand %q: %s", cmd.CommandPath(), args[most], cmd.UseLine())
		}
		return nil
	}
}

// missingOperand returns the word of the usage line that has no operand.
func missingOperand(cmd *cobra.Command, given int) string {
	words := strings.Fields(cmd.Use)[1:]
	if given < len(words) {
		return strings.TrimSuffix(words[given], "...")
	}
	return "more operands"
}

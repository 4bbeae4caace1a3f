package cli

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// The help of a command fits one screen. Where its flags do not, it has those that people use
// often, a line each, and --help all has all of them in groups.
const (
	often      = "often" // the annotation of a command that lists its frequent flags
	allFlags   = "all"   // what follows --help for all flags
	shownLines = 3       // of the examples
	// the command whose help describes the flags that many commands share
	home = "data"
)

// Often names the flags, separated by blanks, that the short help of a command lists in this order.
func Often(flags string) map[string]string { return map[string]string{often: flags} }

// wholeHelp reports whether the arguments of a command line end with --help all.
func wholeHelp(args []string) bool {
	n := len(args)
	return n > 1 && args[n-1] == allFlags && slices.Contains([]string{"--help", "-h"}, args[n-2])
}

// shortHelp prints the first paragraph about a command, its usage line, some examples, and its
// frequent flags.
func shortHelp(w io.Writer, cmd *cobra.Command) {
	about, _, _ := strings.Cut(cmd.Long, "\n\n")
	fmt.Fprintf(w, "%s\n\nUsage:\n  %s\n\nExamples:\n", Wrap(about), usage(cmd))
	shown := 0
	for line := range strings.Lines(cmd.Example) {
		if len(line) <= helpWidth && shown < shownLines {
			fmt.Fprintf(w, "%s\n", strings.TrimRight(line, "\n"))
			shown++
		}
	}
	fmt.Fprint(w, "\nFlags:\n")
	var names, texts []string
	width := 0
	for _, name := range strings.Fields(cmd.Annotations[often]) {
		f := cmd.Flags().Lookup(name)
		value, text := pflag.UnquoteUsage(f)
		shown := "--" + name
		if f.Shorthand != "" {
			shown = "-" + f.Shorthand + ", " + shown
		}
		if value != "" {
			shown += " " + value
		}
		names, texts, width = append(names, shown), append(texts, text), max(width, len(shown))
	}
	for i := range names {
		fmt.Fprintf(w, "  %-*s  %s\n", width, names[i], clause(texts[i], helpWidth-width-4))
	}
	all := 0
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden && f.Name != "help" && cmd.InheritedFlags().Lookup(f.Name) == nil {
			all++
		}
	})
	fmt.Fprintf(w, "\n%s --help all describes all %d flags.\n", cmd.CommandPath(), all)
}

// clause returns a text that fits, else as many of its first clauses as fit; of a long clause as
// many words as fit. What follows a colon is a list, of which no part is shown.
func clause(text string, width int) string {
	if len(text) <= width {
		return text
	}
	whole := text
	if at := strings.Index(text, ": "); at > 0 && len(strings.Fields(text[:at])) >= fewWords {
		text = text[:at]
	}
	if at := strings.LastIndex(text, " ("); at > 0 && !balanced(text) {
		text = text[:at]
	}
	if len(text) <= width {
		return text
	}
	end := 0
	for _, mark := range []string{"; ", " (", ", "} {
		if at := strings.LastIndex(text[:width], mark); at > end && balanced(text[:at]) {
			end = at
		}
	}
	if end == 0 {
		const more = " ..."
		return whole[:strings.LastIndexByte(whole[:width-len(more)+1], ' ')] + more
	}
	return text[:end]
}

// fewWords before a colon are a condition, as "binary: ", and say nothing alone.
const fewWords = 3

// balanced reports whether all brackets of a text are closed.
func balanced(text string) bool { return strings.Count(text, "(") == strings.Count(text, ")") }

// divided returns the flags of a section that another command's help describes, and the others.
func (s Section) divided(cmd *cobra.Command) (shared []string, own *pflag.FlagSet) {
	own = pflag.NewFlagSet(s.title, pflag.ContinueOnError)
	own.SortFlags = false
	other, _, err := cmd.Root().Find([]string{home})
	s.flags.VisitAll(func(f *pflag.Flag) {
		if s.title == "Reading" && err == nil && cmd.Name() != home {
			if g := other.Flags().Lookup(f.Name); g != nil && g.Usage == f.Usage {
				shared = append(shared, "--"+f.Name)
				return
			}
		}
		own.AddFlag(f)
	})
	return shared, own
}

// homeOfShared is the command line that describes shared flags.
func homeOfShared(cmd *cobra.Command) string {
	return cmd.Root().Name() + " " + home + " --help " + allFlags
}

// indented sets a text in lines below a heading.
func indented(text string) string {
	return "  " + strings.ReplaceAll(Wrap(text), "\n", "\n  ")
}

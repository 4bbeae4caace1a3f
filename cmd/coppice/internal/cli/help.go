package cli

import (
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/jedib0t/go-pretty/v6/text"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// helpWidth is the number of columns that help text is set in.
const helpWidth = 98

// Section is a group of flags under one heading of the help text.
type Section struct {
	title string
	flags *pflag.FlagSet
}

// NewSection makes a section. Each of the functions defines flags, which the help text lists in
// this order.
func NewSection(title string, define ...func(*pflag.FlagSet)) Section {
	s := Section{title, pflag.NewFlagSet(title, pflag.ContinueOnError)}
	s.flags.SortFlags = false
	for _, d := range define {
		d(s.flags)
	}
	s.flags.VisitAll(setOnce)
	return s
}

// WithFlags adds sections of flags to a command. Its help text shows each under its heading.
func WithFlags(c *Console, cmd *cobra.Command, sections ...Section) *cobra.Command {
	cmd.DisableFlagsInUseLine = len(sections) == 0
	cmd.Flags().SortFlags = false
	for _, s := range sections {
		cmd.Flags().AddFlagSet(s.flags)
	}
	if cmd.Flags().Lookup(queryFlag) != nil {
		acceptQuery(cmd)
	}
	cmd.SetHelpFunc(func(cmd *cobra.Command, args []string) {
		if !wholeHelp(args) && cmd.Annotations[often] != "" {
			shortHelp(c.Out, cmd)
			return
		}
		help(c.Out, cmd, sections...)
	})
	return cmd
}

// help prints the description of a command, its usage line, examples and flags.
func help(w io.Writer, cmd *cobra.Command, sections ...Section) {
	about := cmd.Long
	if about == "" {
		about = cmd.Short
	}
	fmt.Fprintf(w, "%s\n\nUsage:\n  %s\n", Wrap(about), usage(cmd))
	if cmd.HasExample() {
		fmt.Fprintf(w, "\nExamples:\n%s\n", cmd.Example)
	}
	if cmd.HasAvailableSubCommands() {
		fmt.Fprint(w, "\nCommands:\n")
		for _, sub := range cmd.Commands() {
			if sub.IsAvailableCommand() {
				fmt.Fprintf(w, "  %-*s  %s\n", cmd.NamePadding(), sub.Name(), sub.Short)
			}
		}
		fmt.Fprintf(w, "\nFlags of all commands:\n%s", cmd.PersistentFlags().FlagUsagesWrapped(helpWidth))
		fmt.Fprintf(w, "\nUse %s COMMAND --help for the flags of a command.\n", cmd.CommandPath())
		return
	}
	for _, s := range sections {
		shared, own := s.divided(cmd)
		if fmt.Fprintf(w, "\n%s:\n", s.title); len(shared) > 0 {
			fmt.Fprintf(w, "%s\n", indented(strings.Join(shared, ", ")+": see "+homeOfShared(cmd)))
		}
		fmt.Fprint(w, optional.ReplaceAllStringFunc(own.FlagUsagesWrapped(helpWidth), withoutDefault))
	}
}

// optional matches how pflag shows a flag with an optional value: NAME[="default"].
var optional = regexp.MustCompile(` (\S+)\[="[^"]*"\]`)

// withoutDefault shows a flag with an optional value as [=NAME], without the value that is used
// when it is left out.
func withoutDefault(shown string) string {
	return fmt.Sprintf("%-*s", len(shown), "[="+optional.FindStringSubmatch(shown)[1]+"]")
}

// Wrap sets the paragraphs of a text, which blank lines separate, in lines of at most helpWidth.
func Wrap(about string) string {
	paragraphs := strings.Split(about, "\n\n")
	for i, p := range paragraphs {
		lines := strings.Split(text.WrapSoft(strings.Join(strings.Fields(p), " "), helpWidth), "\n")
		for k := range lines {
			lines[k] = strings.TrimRight(lines[k], " ")
		}
		paragraphs[i] = strings.Join(lines, "\n")
	}
	return strings.Join(paragraphs, "\n\n")
}

// newHelp makes the command help.
func newHelp() *cobra.Command {
	return &cobra.Command{
		Use:    "help [COMMAND [all]]",
		Short:  "Show the help of a command",
		Hidden: true, // the last line of the help text already describes it
		RunE: func(cmd *cobra.Command, args []string) error {
			about, rest, err := cmd.Root().Find(args)
			whole := slices.Equal(rest, []string{allFlags})
			if err != nil || len(rest) > 0 && !whole {
				return known(cmd.Root(), args)
			}
			if whole {
				rest = []string{"--help", allFlags}
			}
			about.HelpFunc()(about, rest)
			return nil
		},
	}
}

func usage(cmd *cobra.Command) string {
	if cmd.HasAvailableSubCommands() {
		return cmd.CommandPath() + " COMMAND"
	}
	return cmd.UseLine()
}

package cli

import (
	"errors"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/coppice-ml/coppice/param"
)

// flagError turns an error of pflag into a misuse. For an unknown flag it suggests the nearest one.
func flagError(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	var invalid *pflag.InvalidValueError
	var wrong misuseError
	var valueless *pflag.ValueRequiredError
	switch {
	case errors.As(err, &unknown):
		return unknownFlag(cmd, unknown)
	case errors.As(err, &invalid) && errors.As(invalid.Unwrap(), &wrong):
		return wrong // the value has reported the misuse itself
	case errors.As(err, &invalid):
		f := invalid.GetFlag()
		return Misusef("--%s %s: want %s", f.Name, strconv.Quote(invalid.GetValue()),
			Accepted(f, invalid.Unwrap()))
	case errors.As(err, &valueless):
		return Misusef("--%s needs a value: %s", valueless.GetFlag().Name,
			flagHelp(valueless.GetFlag()))
	}
	return Misusef("%v (%s --help lists the flags)", err, cmd.CommandPath())
}

func unknownFlag(cmd *cobra.Command, e *pflag.NotExistError) error {
	given, name := "--"+e.GetSpecifiedName(), e.GetSpecifiedName()
	if short := e.GetSpecifiedShortnames(); short != "" {
		given, name = "-"+short, short // or a long name behind a single dash
	}
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	name, _, _ = strings.Cut(name, "=")
	if near := param.Nearest(name, names); near != "" {
		return Misusef("unknown flag %s: did you mean --%s?", given, near)
	}
	if name == "row" {
		return Misusef("unknown flag %s: coppice why MODEL DATA --row N explains row N", given)
	}
	hint := ""
	if cmd.Flags().Lookup("set") != nil {
		hint = "parameters of a learner are set by --set KEY=VALUE, and "
	}
	return Misusef("unknown flag %s: %s%s --help all lists all flags", given, hint, cmd.CommandPath())
}

// Accepted names the values that a flag takes, which has refused one by an error.
func Accepted(f *pflag.Flag, err error) string {
	switch f.Value.Type() {
	case "uint64":
		return "an integer from 0 up"
	case "int":
		return "an integer"
	case "float64":
		return "a number"
	case "intSlice":
		return "integers with commas between them"
	case "bool":
		return "true or false"
	case "stringSlice":
		return "names with commas between them (a name that holds a quote or a comma in double " +
			"quotes)"
	}
	return err.Error()
}

// flagHelp returns the help text of a flag without its quotes.
func flagHelp(f *pflag.Flag) string { return strings.ReplaceAll(f.Usage, "`", "") }

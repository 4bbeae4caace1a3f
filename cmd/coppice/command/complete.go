package command

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/tables"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/catalog"
	"github.com/coppice-ml/coppice/metric"
)

// completed makes a command whose flags a shell completes with the values that they take.
func completed(create func(*cli.Console) *cobra.Command) func(*cli.Console) *cobra.Command {
	return func(c *cli.Console) *cobra.Command {
		cmd := create(c)
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			if values := valuesOf(f.Name); values != nil {
				// an error is one of a flag that there is not
				_ = cmd.RegisterFlagCompletionFunc(f.Name, func(cmd *cobra.Command, operands []string,
					typed string) ([]string, cobra.ShellCompDirective) {
					return offered(values(cmd, operands), typed)
				})
			}
		})
		return cmd
	}
}

// columnFlags take columns of the table that is the last operand.
var columnFlags = []string{"label", "weight", "group", "event", "upper", "time", "ignore", "keep",
	"categorical", "numeric", "text", "columns", "init-score", "date"}

// valuesOf returns what lists the values of a flag; nil: nothing does.
func valuesOf(flag string) func(cmd *cobra.Command, operands []string) []string {
	switch flag {
	case "learner", "learners":
		return func(*cobra.Command, []string) []string { return learnerNames() }
	case "metric":
		return func(*cobra.Command, []string) []string { return metric.Names() }
	case "preset", "compat", "set":
		return func(cmd *cobra.Command, _ []string) []string { return settings(flag, cmd) }
	}
	if !slices.Contains(columnFlags, flag) {
		return nil
	}
	return func(cmd *cobra.Command, operands []string) []string {
		if len(operands) == 0 {
			return nil
		}
		return tables.ColumnNames(cmd.Context(), operands[len(operands)-1])
	}
}

func learnerNames() []string {
	var names []string
	for _, e := range catalog.Table() {
		names = append(names, e.Name)
	}
	return names
}

// settings lists the presets, the programs or the parameters of the learner of a command line, gbm
// if it names none.
func settings(flag string, cmd *cobra.Command) []string {
	name := "gbm"
	if f := cmd.Flags().Lookup("learner"); f != nil && f.Value.String() != "" {
		name = f.Value.String()
	}
	l, err := catalog.New(name)
	if err != nil {
		return nil
	}
	var names []string
	presets := func(all []learn.Preset) []string {
		for _, p := range all {
			names = append(names, p.Name)
		}
		return names
	}
	switch can := l.Capabilities(); flag {
	case "preset":
		return presets(can.Presets)
	case "compat":
		return presets(can.Compats)
	}
	for _, p := range l.Params().All() {
		names = append(names, p.Name+"=")
	}
	return names
}

// offered returns the values that begin as what was typed, the last part of a list. A value that
// ends with = is continued without a blank.
func offered(values []string, typed string) (all []string, how cobra.ShellCompDirective) {
	how = cobra.ShellCompDirectiveNoFileComp
	before, last := "", typed
	if at := strings.LastIndexByte(typed, ','); at >= 0 {
		before, last = typed[:at+1], typed[at+1:]
	}
	for _, v := range values {
		if strings.HasPrefix(v, last) {
			all = append(all, before+v)
			if strings.HasSuffix(v, "=") {
				how |= cobra.ShellCompDirectiveNoSpace
			}
		}
	}
	return all, how
}

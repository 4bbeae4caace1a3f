package cli

import "github.com/spf13/cobra"

// QueryOperand stands for the rows of a query, behind the other operands of a command, where the
// flag --sql is set. A file of that name is named ./--sql.
const QueryOperand = "--" + queryFlag

const queryFlag = "sql"

// acceptQuery adds QueryOperand to the operands of a command if the flag --sql is set, so that the
// query takes the place of files.
func acceptQuery(cmd *cobra.Command) {
	check, run := cmd.Args, cmd.RunE
	operands := func(cmd *cobra.Command, args []string) []string {
		if cmd.Flags().Changed(queryFlag) {
			return append(args[:len(args):len(args)], QueryOperand)
		}
		return args
	}
	cmd.Args = func(cmd *cobra.Command, args []string) error {
		return check(cmd, operands(cmd, args))
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return run(cmd, operands(cmd, args))
	}
}

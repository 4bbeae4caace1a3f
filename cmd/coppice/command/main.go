// Package command is the command line as a whole: the table of sub-commands, for one process and
// for several ranks. It has the commands that list what the program is and has, learners and
// version. The programs coppice and coppice-mpi consist of little else.
package command

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/memory"
	"github.com/coppice-ml/coppice/ranks"
)

// Main runs the command line of the process and returns the exit status.
func Main() int {
	memory.TuneCollector()
	status, _ := cli.Main(context.Background(), Table(), nil)
	return status
}

// Root returns the command line, for what describes it: manual pages and completions.
func Root() *cobra.Command { return cli.NewRoot(&cli.Console{}, Table()) }

// MainOf is Main of one rank of a group. All ranks have the same command line; rank 0 alone reads
// standard input, prints, and writes files. The error of another rank is returned, not printed.
func MainOf(ctx context.Context, g ranks.Group) (status int, err error) {
	memory.TuneCollector()
	return cli.Main(ctx, Table(), g)
}

package command

import (
	"runtime"

	"github.com/spf13/cobra"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/codec/native"
)

// newVersion makes the command.
func newVersion(c *cli.Console) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Print the version of the program and of the model files that it writes",
		Long: `Print the version of the program, of the Go that built it, the platform, and the
version of the model files that it writes.`,
		Example: `  coppice version`,
		Args:    cli.Operands(0, 0),
		RunE: func(*cobra.Command, []string) error {
			c.Facts(
				cli.Fact{Name: "coppice", Text: cli.BuildVersion()},
				cli.Fact{Name: "go", Text: runtime.Version()},
				cli.Fact{Name: "platform", Text: runtime.GOOS + "/" + runtime.GOARCH},
				cli.Fact{Name: "format", Text: native.Latest.String() + " of model files"},
			)
			return nil
		},
	}
	return cli.WithFlags(c, cmd)
}

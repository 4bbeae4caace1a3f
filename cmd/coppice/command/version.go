package command

import (
	"runtime"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/codec/native"
)

// newVersion makes the command.
func newVersion(c *cli.Console) *cobra.Command {
	whole := false
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Print the version of the program and of the model files that it writes",
		Long: `Print the version of the program, of the Go that built it, the platform, and the
version of the model files that it writes. --licenses prints the licences of all its parts.`,
		Example: `  coppice version
  coppice version --licenses`,
		Args: cli.Operands(0, 0),
		RunE: func(*cobra.Command, []string) error {
			if whole {
				c.Printf("%s", licenses)
				return nil
			}
			c.Facts(
				cli.Fact{Name: "coppice", Text: cli.BuildVersion()},
				cli.Fact{Name: "go", Text: runtime.Version()},
				cli.Fact{Name: "platform", Text: runtime.GOOS + "/" + runtime.GOARCH},
				cli.Fact{Name: "format", Text: native.Latest.String() + " of model files"},
			)
			return nil
		},
	}
	return cli.WithFlags(c, cmd, cli.NewSection("Flags", func(f *pflag.FlagSet) {
		f.BoolVar(&whole, "licenses", false, "print the licences of the program and of its parts")
	}))
}

package command

import (
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/coppice-ml/coppice/codec/native"
)

func newVersion(c *console) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Print the version of the program and of the model files that it writes",
		Long: `Print the version of the program, of the Go that built it, the platform, and the version of the model files that it
writes.`,
		Example: `  coppice version`,
		Args:    operands(0, 0),
		RunE: func(*cobra.Command, []string) error {
			c.facts(
				fact{"coppice", buildVersion()},
				fact{"go", runtime.Version()},
				fact{"platform", runtime.GOOS + "/" + runtime.GOARCH},
				fact{"format", native.Latest.String() + " of model files"},
			)
			return nil
		},
	}
	return withFlags(c, cmd)
}

// buildVersion returns the version of the module, or what is known of the source that was built.
func buildVersion() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	version := info.Main.Version
	if version == "" {
		version = "(devel)"
	}
	revision, changed := "", ""
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			revision = s.Value
		case "vcs.modified":
			if s.Value == "true" {
				changed = ", changed"
			}
		}
	}
	if version == "(devel)" && revision != "" {
		return version + " " + revision[:min(len(revision), 12)] + changed
	}
	return version
}

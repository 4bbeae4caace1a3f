package main

import (
	"io"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
)

func rootCommands() []*cobra.Command {
	return cli.NewRoot(&cli.Console{Out: io.Discard, Err: io.Discard, Progress: &cli.Progress{}},
		commands()).Commands()
}

// A flag that names a column does not silently drop the one that it named before.
func TestColumnsAreNamedOnce(t *testing.T) {
	tested := 0
	for i, cmd := range rootCommands() {
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			value, _ := pflag.UnquoteUsage(f)
			if !strings.HasPrefix(value, "COL") || strings.HasSuffix(f.Value.Type(), "Slice") {
				return
			}
			tested++
			f = rootCommands()[i].Flags().Lookup(f.Name) // of no other flags that were set
			if err := f.Value.Set("a"); err != nil {
				t.Errorf("%s --%s a: %v", cmd.Name(), f.Name, err)
			}
			err := f.Value.Set("b")
			if err == nil || !strings.Contains(err.Error(), "--"+f.Name+" is set twice") {
				t.Errorf("%s --%s a --%s b: %v", cmd.Name(), f.Name, f.Name, err)
			}
		})
	}
	if tested < 40 {
		t.Errorf("%d flags are tested: too few", tested)
	}
}

package main

import (
	"io"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
)

// Every command has a description, a short one without a full stop, and examples that call it.
func TestEveryCommandExplainsItself(t *testing.T) {
	root := cli.NewRoot(&cli.Console{Out: io.Discard, Err: io.Discard, Progress: &cli.Progress{}},
		commands())
	for i, cmd := range root.Commands() {
		if i < len(commands()) && commands()[i].Name != cmd.Name() {
			t.Errorf("the row %s of the table is of %s", commands()[i].Name, cmd.Name())
		}
		if !cmd.IsAvailableCommand() || cmd.Name() == "completion" {
			continue
		}
		if len(cmd.Long) < 60 {
			t.Errorf("%s: the description %q is short", cmd.Name(), cmd.Long)
		}
		if strings.HasSuffix(cmd.Short, ".") || cmd.Short == "" {
			t.Errorf("%s: short description %q", cmd.Name(), cmd.Short)
		}
		for line := range strings.Lines(cmd.Example) {
			if !strings.Contains(line, "coppice "+cmd.Name()) {
				t.Errorf("%s: the example %q does not call it", cmd.Name(), line)
			}
		}
	}
}

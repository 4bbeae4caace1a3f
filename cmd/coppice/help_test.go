package main

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"github.com/coppice-ml/coppice/cmd/coppice/command"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
)

// TestHelpFitsOneScreen reads the help of each command: the first one has at most 40 lines of 100
// columns and 15 flags, and --help all has every flag, in its groups or by name.
func TestHelpFitsOneScreen(t *testing.T) {
	root := cli.NewRoot(&cli.Console{}, command.Table())
	for _, c := range root.Commands() {
		if c.Hidden {
			continue
		}
		help, all := works(t, c.Name(), "--help"), works(t, c.Name(), "--help", "all")
		lines := strings.Split(strings.TrimRight(help, "\n"), "\n")
		if len(lines) > 40 {
			t.Errorf("%s --help has %d lines, of 40", c.Name(), len(lines))
		}
		for _, line := range append(lines, strings.Split(all, "\n")...) {
			if len(line) > 100 && !slices.Contains(strings.Split(c.Example, "\n"), line) {
				t.Errorf("%s --help has a line of %d columns: %s", c.Name(), len(line), line)
			}
		}
		if n := len(regexp.MustCompile(`(?m)^ +(-\w, )?--`).FindAllString(help, -1)); n > 15 {
			t.Errorf("%s --help has %d flags, of 15", c.Name(), n)
		}
		c.Flags().VisitAll(func(f *pflag.Flag) {
			if f.Name != "help" && !f.Hidden && !regexp.MustCompile(`[ ,]--`+f.Name+`\b`).MatchString(all) {
				t.Errorf("%s --help all lacks --%s", c.Name(), f.Name)
			}
		})
		if alias := works(t, "help", c.Name(), "all"); alias != all {
			t.Errorf("help %s all is not %s --help all", c.Name(), c.Name())
		}
	}
}

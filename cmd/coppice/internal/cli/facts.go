package cli

import (
	"strings"

	"github.com/coppice-ml/coppice/internal/humanize"
)

// Fact is one line of a heading.
type Fact struct{ Name, Text string }

// Facts prints a heading, its texts in one column.
func (c *Console) Facts(facts ...Fact) {
	width := 9
	for _, f := range facts {
		width = max(width, len(f.Name))
	}
	for _, f := range facts {
		c.Printf("%-*s %s\n", width, f.Name, f.Text)
	}
}

// PathList lists files.
func PathList(paths []string) string {
	shown := make([]string, len(paths))
	for i, path := range paths {
		shown[i] = humanize.Name(path)
		if path == "-" {
			shown[i] = "standard input"
		}
	}
	return strings.Join(shown, ", ")
}

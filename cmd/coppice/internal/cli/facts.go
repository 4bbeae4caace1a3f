package cli

import (
	"strings"

	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/internal/source"
)

// Fact is one line of a heading: a name and a text, such as "rows" and "120 for training".
type Fact struct{ Name, Text string }

// FactWidth is the most characters of a fact that has one line, behind a name of up to nine.
const FactWidth = Width - 10

// Facts prints the lines of a heading. The texts stand in one column, and long ones take several
// lines of it.
func (c *Console) Facts(facts ...Fact) {
	width := 9
	for _, f := range facts {
		width = max(width, len(f.Name))
	}
	for _, f := range facts {
		name := f.Name
		for _, line := range wrapWords(f.Text, Width-width-1) {
			c.Printf("%-*s %s\n", width, name, line)
			name = ""
		}
	}
}

// PathList lists files for people; - is standard input.
func PathList(paths []string) string {
	shown := make([]string, len(paths))
	for i, path := range paths {
		shown[i] = humanize.Name(source.Shown(path))
		switch path {
		case "-":
			shown[i] = "standard input"
		case QueryOperand:
			shown[i] = "query"
		}
	}
	return strings.Join(shown, ", ")
}

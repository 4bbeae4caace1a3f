package draw

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// TestWidth: lines of nodes have at most Options.Width characters, one for each node as without it,
// and what has no room is named below.
func TestWidth(t *testing.T) {
	const width = 64
	narrowed, dropped := 0, 0
	for _, s := range samples(t) {
		s.o.Surrogates = false // their lines are as long as they are
		whole := strings.Split(render(t, Text, s), "\n")
		s.o.Width = width
		lines := strings.Split(render(t, Text, s), "\n")
		const mark = "Without room for: "
		at := len(lines) - 2
		if strings.HasPrefix(lines[at], mark) {
			lines = append(lines[:at], lines[at+1:]...)
			dropped++
		}
		if len(lines) != len(whole) {
			t.Errorf("%s: %d lines, want %d", s.name, len(lines), len(whole))
		}
		for i, line := range lines {
			if node := strings.Contains(line, "─ ") || strings.HasPrefix(line, "all rows"); !node {
				continue
			}
			if utf8.RuneCountInString(line) > width {
				t.Errorf("%s: %d characters: %s", s.name, utf8.RuneCountInString(line), line)
			}
			if line != whole[i] {
				narrowed++
			}
		}
	}
	if narrowed < 10 || dropped == 0 {
		t.Errorf("%d lines are narrower, %d outlines have fewer columns: too few for a test", narrowed, dropped)
	}
}

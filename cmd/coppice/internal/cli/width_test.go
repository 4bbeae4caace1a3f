package cli

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"
)

// wideGrid has rows that the first two columns tell apart, and more columns than a line has room
// for.
func wideGrid() *Grid {
	g := &Grid{Columns: append([]Column{{Name: "table"}, {Name: "learner"}}, Numbers(strings.Fields(
		"accuracy precision recall specificity kappa likelihood seconds memory trees leaves")...)...)}
	for _, table := range []string{"adult", "bike"} {
		for _, learner := range []string{"gbm", "forest"} {
			row := []string{table, learner}
			for k := range 10 {
				row = append(row, fmt.Sprintf("%d.000000", k))
			}
			g.Add(row...)
		}
	}
	return g
}

// TestPartsOfGrids: a grid that is too wide is printed in parts, whose lines all say which row they
// are of.
func TestPartsOfGrids(t *testing.T) {
	var b strings.Builder
	wideGrid().Print(&b)
	parts := strings.Split(strings.TrimSpace(b.String()), "\n\n")
	if len(parts) < 2 {
		t.Fatalf("one part:\n%s", b.String())
	}
	values := 0
	for _, part := range parts {
		lines := strings.Split(part, "\n")
		for i, key := range []string{"table learner", "adult gbm", "adult forest", "bike gbm", "bike forest"} {
			words := strings.Fields(lines[i])
			if got := strings.Join(words[:2], " "); got != key {
				t.Errorf("line %d begins with %q, want %q:\n%s", i, got, key, part)
			}
			if utf8.RuneCountInString(lines[i]) > Width {
				t.Errorf("%d characters: %s", utf8.RuneCountInString(lines[i]), lines[i])
			}
			values += len(words) - 2
		}
	}
	if want := 5 * 10; values != want {
		t.Errorf("%d cells in all parts, want %d", values, want)
	}
}

// TestFitting: texts that have no room are counted.
func TestFitting(t *testing.T) {
	for width, want := range map[int]string{
		20: "a=1 bb=22 ccc=333", 17: "a=1 bb=22 ccc=333", 16: "a=1 and 2 more", 5: "a=1 …",
	} {
		if got := Fitting([]string{"a=1", "bb=22", "ccc=333"}, " ", "more", width); got != want {
			t.Errorf("in %d: %q, want %q", width, got, want)
		}
	}
}

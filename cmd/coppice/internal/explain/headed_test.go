package explain

import (
	"strings"
	"testing"
)

// Headings of many numbers stay within the screen, and none of the numbers is left out.
func TestHeaded(t *testing.T) {
	response := make([]float64, 40)
	text := "t.csv:2: predicts 12.3456" + strings.Repeat(", 12.3456", 39)
	got := headed(response, text)
	if strings.ReplaceAll(got, "\n", " ") != text {
		t.Errorf("%q has not the words of %q", got, text)
	}
	for line := range strings.SplitSeq(got, "\n") {
		if len(line) > 100 {
			t.Errorf("%q has %d columns", line, len(line))
		}
	}
	if one := "/a/long/path.csv:2: predicts yes, probability 0.5"; headed(response[:2], one) != one {
		t.Errorf("%q is broken", headed(response[:2], one))
	}
}

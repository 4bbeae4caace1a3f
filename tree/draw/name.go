package draw

import (
	"strconv"
	"strings"
	"unicode"

	"github.com/coppice-ml/coppice/internal/humanize"
)

// The least significant digits of values, and of split points.
const (
	defaultDigits = 4
	splitDigits   = 6
)

// word returns a name as it may stand in a line. It is quoted where it is empty, contains
// punctuation of the drawings, or contains characters that control a terminal.
func word(s string) string {
	odd := func(r rune) bool {
		return r == unicode.ReplacementChar || !unicode.IsPrint(r) ||
			strings.ContainsRune(`,{}"`, r)
	}
	if s == "" || s != strings.TrimSpace(s) || strings.IndexFunc(s, odd) >= 0 {
		return strconv.Quote(s)
	}
	return s
}

// title returns the head of a picture: the one that was requested, as it is, or the label.
func title(requested, label string) string {
	if requested != "" {
		return humanize.Name(requested)
	}
	return word(label)
}

package humanize

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// Count writes a number of things: "1 row", "2 rows".
func Count(n int, one, many string) string {
	return strconv.Itoa(n) + " " + Plural(n, one, many)
}

// Plural chooses the word for a number of things: "row" for 1, else "rows".
func Plural(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// And joins one or more names: "a", "a and b", "a, b and c".
func And(names []string) string { return list(names, " and ") }

// Or joins one or more names: "a", "a or b", "a, b or c".
func Or(names []string) string { return list(names, " or ") }

func list(names []string, before string) string {
	last := len(names) - 1
	if last == 0 {
		return names[0]
	}
	return strings.Join(names[:last], ", ") + before + names[last]
}

// Name writes a name of unknown origin, such as that of a column or a class. It is in quotes if it
// is empty, not UTF-8 or contains control characters of a terminal, such as the end of a line.
func Name(name string) string {
	if name == "" || !utf8.ValidString(name) || strings.ContainsFunc(name, Obeyed) {
		return strconv.Quote(name)
	}
	return name
}

// Shorten limits a text to a number of characters, of which the last is … where it was longer.
func Shorten(text string, width int) string {
	if r := []rune(text); len(r) > width {
		return string(r[:width-1]) + "…"
	}
	return text
}

// ShortenMiddle limits a text to a number of characters, of which one is … where it was longer.
// It keeps more of the end, where names of columns and files differ.
func ShortenMiddle(text string, width int) string {
	r := []rune(text)
	if len(r) <= width {
		return text
	}
	head := width / 3
	return string(r[:head]) + "…" + string(r[len(r)-(width-1-head):])
}

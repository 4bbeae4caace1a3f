package pmml

import (
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// xmlWriter writes elements. Each starts a line.
type xmlWriter struct {
	out  []byte
	open []string
}

// start opens an element. attributes are names and values in turn; a name that is "" has no
// attribute.
func (x *xmlWriter) start(name string, attributes ...string) {
	x.tag(name, attributes)
	x.out = append(x.out, '>')
	x.open = append(x.open, name)
}

// empty writes an element without content.
func (x *xmlWriter) empty(name string, attributes ...string) {
	x.tag(name, attributes)
	x.out = append(x.out, "/>"...)
}

func (x *xmlWriter) tag(name string, attributes []string) {
	x.out = append(append(x.out, "\n<"...), name...)
	for i := 0; i < len(attributes); i += 2 {
		if attributes[i] == "" {
			continue
		}
		x.out = append(append(append(x.out, ' '), attributes[i]...), `="`...)
		x.text(attributes[i+1], "&quot;")
		x.out = append(x.out, '"')
	}
}

// close closes the element that was opened last.
func (x *xmlWriter) close() {
	last := len(x.open) - 1
	x.out = append(append(append(x.out, "</"...), x.open[last]...), '>')
	x.open = x.open[:last]
}

// text writes a text, with quote for each quotation mark. White space but blanks is escaped, since
// a reader makes blanks of it in attributes.
func (x *xmlWriter) text(s, quote string) {
	for i := range len(s) {
		switch c := s[i]; c {
		case '&':
			x.out = append(x.out, "&amp;"...)
		case '<':
			x.out = append(x.out, "&lt;"...)
		case '>':
			x.out = append(x.out, "&gt;"...)
		case '"':
			x.out = append(x.out, quote...)
		case '\t', '\n', '\r':
			x.out = append(append(append(x.out, "&#"...), strconv.Itoa(int(c))...), ';')
		default:
			x.out = append(x.out, c)
		}
	}
}

// writable reports whether XML 1.0 has all characters of a text.
func writable(s string) bool {
	return utf8.ValidString(s) && strings.IndexFunc(s, func(r rune) bool {
		return r < ' ' && r != '\t' && r != '\n' && r != '\r' || r == 0xfffe || r == 0xffff
	}) < 0
}

// decimal returns a number with the fewest digits that are read back to the same bits.
func decimal(x float64) string {
	if x == math.Trunc(x) && math.Abs(x) < 1<<53 {
		return strconv.FormatFloat(x, 'f', -1, 64)
	}
	return strconv.FormatFloat(x, 'g', -1, 64)
}

package arff

import (
	"strings"
	"time"
)

// layouts are the letters of Java's date patterns that package time can read.
var layouts = map[string]string{
	"yyyy": "2006", "yy": "06", "MMMM": "January", "MMM": "Jan", "MM": "01", "M": "1", "dd": "02",
	"d": "2", "EEEE": "Monday", "EEE": "Mon",
	"HH": "15", "H": "15", "hh": "03", "h": "3", "mm": "04", "m": "4", "ss": "05", "s": "5",
	"SSS": "000", "a": "PM",
	"z": "MST", "Z": "-0700", "X": "Z07", "XX": "Z0700", "XXX": "Z07:00",
}

// layout returns the layout of package time for a pattern of Java's SimpleDateFormat. It reports
// false for patterns that it cannot express.
func layout(pattern string) (string, bool) {
	var b strings.Builder
	for i := 0; i < len(pattern); {
		c := pattern[i]
		switch {
		case c == '\'':
			word, rest, ok := quoted(pattern[i:])
			if !ok || !literal(word) {
				return "", false
			}
			b.WriteString(word)
			i = len(pattern) - len(rest)
		case 'a' <= c|0x20 && c|0x20 <= 'z':
			n := len(pattern[i:]) - len(strings.TrimLeft(pattern[i:], string(c)))
			letters, ok := layouts[pattern[i:i+n]]
			if !ok || c == 'S' && !strings.HasSuffix(b.String(), ".") &&
				!strings.HasSuffix(b.String(), ",") {
				return "", false // package time reads fractions only behind a point or comma
			}
			b.WriteString(letters)
			i += n
		default:
			if !literal(pattern[i : i+1]) {
				return "", false
			}
			b.WriteByte(c)
			i++
		}
	}
	return b.String(), b.Len() > 0
}

// quoted reads the text in quotes that a pattern begins with. Two quotes in a row are one.
func quoted(pattern string) (word, rest string, ok bool) {
	rest = pattern[1:]
	if strings.HasPrefix(rest, "'") {
		return "'", rest[1:], true
	}
	for {
		part, after, closed := strings.Cut(rest, "'")
		word += part
		if !closed || !strings.HasPrefix(after, "'") {
			return word, after, closed
		}
		word, rest = word+"'", after[1:]
	}
}

// literal reports whether a text means itself in a layout of package time.
func literal(text string) bool {
	return !strings.ContainsAny(text, "0123456789") && time.Time{}.Format(text) == text &&
		time.Unix(1e9, 0).Format(text) == text
}

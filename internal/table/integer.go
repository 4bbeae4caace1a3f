package table

import (
	"math"
	"strconv"
	"strings"

	"github.com/coppice-ml/coppice/data"
)

// AppendInteger appends an integer. As a category it has all its digits; as a number it is rounded
// to the nearest float64, and ReadOptions.Log receives a note where that changes it.
func (c *Column) AppendInteger(v int64) {
	if f := float64(v); -exactMantissa <= v && v <= exactMantissa {
		if c.Storage == Numbers && c.Kept.Dict == nil {
			c.AppendNumber(f)
		} else {
			text := strconv.FormatInt(v, 10)
			c.appendNumeral(f, text, []byte(text))
		}
		return
	}
	c.appendLong(strconv.FormatInt(v, 10))
}

// AppendUnsigned is AppendInteger for an integer without sign.
func (c *Column) AppendUnsigned(v uint64) {
	if v <= math.MaxInt64 {
		c.AppendInteger(int64(v))
	} else {
		c.appendLong(strconv.FormatUint(v, 10))
	}
}

// AppendNumeral appends the number that stands in text as decimal digits, with value v. An integer
// is appended as by AppendInteger, whatever its size; any other number as by AppendNumber, but for
// a verbatim column, which keeps the text.
func (c *Column) AppendNumeral(v float64, text []byte) {
	const safe = 15 // digits, which are distinct for every float64
	switch digits, ok := integer(string(text)); {
	case !ok && c.Kept.Dict != nil && v == v:
		c.appendNumeral(v, data.NumberText(v, c.Bits), text)
	case !ok:
		c.AppendNumber(v)
	case len(digits) <= safe:
		c.appendNumeral(v, digits, []byte(digits))
	default:
		c.appendLong(digits)
	}
}

// integer returns the digits of an integer in text, with a minus where it is negative and no zeros
// before it.
func integer(text string) (string, bool) {
	sign := ""
	if text != "" && (text[0] == '-' || text[0] == '+') {
		sign, text = strings.TrimSuffix(text[:1], "+"), text[1:]
	}
	for i := range len(text) {
		if text[i] < '0' || text[i] > '9' {
			return "", false
		}
	}
	if text == "" {
		return "", false
	}
	if text = strings.TrimLeft(text, "0"); text == "" {
		return "0", true
	}
	return sign + text, true
}

// appendLong appends an integer of many digits.
func (c *Column) appendLong(digits string) {
	if c.Storage == Numbers && c.Texts.inferred && nameReason([]byte(digits)) != "" {
		c.turn([]byte(digits))
	}
	v, _ := strconv.ParseFloat(digits, 64) // an error can only be of range: v is an infinity then
	if c.Storage == Numbers && c.rounded.first == nil && strconv.FormatFloat(v, 'f', 0, 64) != digits {
		c.rounded.first = &Turn{Text: digits, Row: c.start.before + c.rows}
		c.rounded.became = data.NumberText(c.Texts.value(v), 64)
	}
	c.appendNumeral(v, digits, []byte(digits))
}

// nameReason returns why a text that is a number is taken for a name unless the options require the
// number: "" if it is not. Zeros before a number, as in postal codes, and integers that float64
// cannot hold would be lost.
func nameReason(text []byte) string {
	if len(text) > 0 && (text[0] == '-' || text[0] == '+') {
		text = text[1:]
	}
	if len(text) > 1 && text[0] == '0' && '0' <= text[1] && text[1] <= '9' {
		return "begins with a zero"
	}
	const largest = "9007199254740992" // 2^53
	if len(text) < len(largest) {
		return ""
	}
	for _, c := range text {
		if c < '0' || c > '9' {
			return ""
		}
	}
	if len(text) > len(largest) || string(text) > largest {
		return "is an integer beyond 2^53"
	}
	return ""
}

package csvdata

import (
	"errors"
	"strconv"
	"strings"
	"unicode/utf8"
)

// The reasons of an Error that callers may want to tell apart, by errors.Is. An Error whose reason is none of them
// wraps what the operating system or a decompressor said.
var (
	ErrOption = errors.New("csvdata: unusable option") // Options name an unknown column or contradict each other
	ErrEmpty  = errors.New("csvdata: no rows")         // an empty file, or a header with no rows below it
	ErrHeader = errors.New("csvdata: bad header")      // nameless or repeated columns, or another header than the first file's
	ErrFields = errors.New("csvdata: field count")     // a row is shorter or longer than the header
	ErrQuote  = errors.New("csvdata: bad quotes")      // a quote is never closed, or text follows a closing quote
	ErrNumber = errors.New("csvdata: not a number")    // text in a column that must be numeric
	ErrText   = errors.New("csvdata: not UTF-8 text")  // binary data or another encoding
	ErrLimit  = errors.New("csvdata: too large")       // more rows or levels than a Frame can hold
)

// Error says what is wrong with a table, and where.
type Error struct {
	File   string // the path, the name given to ReadBytes, or "stdin"; "" if the fault is in Options
	Line   int    // counts from 1; 0 if the fault has no line
	Column string // the column's name; "" if the fault is not of one column
	Msg    string // what is wrong and, where that is not plain, what to do
	Err    error  // the reason: one of this package's Err values or the cause, for errors.Is and errors.As
}

// Error returns one line: `adult.csv:17: column "age": "abc" is not a number`.
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(e.File)
	if e.Line > 0 {
		b.WriteString(":" + strconv.Itoa(e.Line))
	}
	if b.Len() > 0 {
		b.WriteString(": ")
	}
	if e.Column != "" {
		b.WriteString("column " + strconv.Quote(e.Column) + ": ")
	}
	b.WriteString(e.Msg)
	return b.String()
}

// Unwrap returns the reason.
func (e *Error) Unwrap() error { return e.Err }

// quote shows a text of the file in a message: quoted, so that it stays on one line, and cut where it is long.
func quote(text []byte) string {
	const limit = 40
	if len(text) <= limit {
		return strconv.Quote(string(text))
	}
	cut := limit
	for cut > limit-utf8.UTFMax && !utf8.RuneStart(text[cut]) {
		cut--
	}
	return strconv.Quote(string(text[:cut])) + "..."
}

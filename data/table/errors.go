package table

import (
	"errors"
	"strconv"
	"strings"
	"unicode/utf8"
)

// The reasons of an Error that callers can distinguish by errors.Is. Readers have further ones of
// their own. An Error whose reason is none of them wraps an error of the operating system or of a
// decompressor.
var (
	// Options name an unknown column or contradict each other
	ErrOption = errors.New("table: unusable option")
	// another format, a truncated or damaged file
	ErrFormat = errors.New("table: not of this format")
	ErrEmpty  = errors.New("table: no rows") // an empty file, or columns and no rows
	// nameless or repeated columns, or others than in the first file
	ErrHeader = errors.New("table: bad columns")
	// a column of lists, objects or other values that have no place in a table
	ErrType   = errors.New("table: unusable type")
	ErrNumber = errors.New("table: not a number")   // text in a column that must be numeric
	ErrDate   = errors.New("table: not a date")     // text that is no date in a date column
	ErrText   = errors.New("table: not UTF-8 text") // binary data or another encoding
	// more rows, levels or values than a Frame can hold
	ErrLimit = errors.New("table: too large")
)

// EncodingAdvice is the advice for a text that is not in UTF-8.
const EncodingAdvice = "--encoding windows-1252 reads what Windows wrote in Western Europe"

// Error reports what is wrong with a table, and where.
type Error struct {
	// the path, the name given for bytes in memory, or "stdin"; "" if the fault is in Options
	File string
	// counts from 1; in a file without lines the row, from 1; 0 if the fault has no line
	Line   int
	Column string // the column's name; "" if the fault is not of one column
	Msg    string // the fault and, where it is not obvious, the remedy
	// the reason: an Err value of this package or of the reader, or the cause, for errors.Is and
	// errors.As
	Err error
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

// Place gives an error of a file the line on which it was found, unless it has one.
func Place(err error, line int) error {
	var e *Error
	if errors.As(err, &e) && e.Line == 0 {
		placed := *e
		placed.Line = line
		return &placed
	}
	return err
}

// Unwrap returns the reason.
func (e *Error) Unwrap() error { return e.Err }

// Quote shows a text of a file in a message: quoted, so that it stays on one line, and shortened
// where it is long.
func Quote(text []byte) string {
	const limit = 40
	if len(text) <= limit {
		return strconv.Quote(string(text))
	}
	end := limit
	for end > limit-utf8.UTFMax && !utf8.RuneStart(text[end]) {
		end--
	}
	return strconv.Quote(string(text[:end])) + "..."
}

// Damaged returns an Error with what another package reported of a file's data. What that package
// reports of itself, where it failed on the data, is left out. An Error that is there already is
// returned with the file's name.
func Damaged(file, what string, err error) *Error {
	var known *Error
	if errors.As(err, &known) {
		placed := *known
		placed.File = file
		return &placed
	}
	const limit = 200
	e := &Error{File: file, Msg: "damaged " + what, Err: errors.Join(ErrFormat, err)}
	text := strings.ToValidUTF8(strings.Join(strings.Fields(err.Error()), " "), "?")
	if strings.Contains(text, "runtime error") || strings.Contains(text, "reflect:") {
		return e
	}
	if len(text) > limit {
		end := limit
		for !utf8.RuneStart(text[end]) {
			end--
		}
		text = text[:end] + "..."
	}
	e.Msg += ": " + text
	return e
}

package data

import (
	"errors"
	"strconv"
	"strings"
)

// The reasons of a ReadError that callers can distinguish by errors.Is. Readers have further ones
// of their own. A ReadError whose reason is none of them wraps an error of the operating system or
// of a decompressor.
var (
	// Options name an unknown column or contradict each other
	ErrOption = errors.New("data: unusable option")
	// another format, a truncated or damaged file
	ErrFormat = errors.New("data: not of this format")
	ErrEmpty  = errors.New("data: no rows") // an empty file, or columns and no rows
	// nameless or repeated columns, or others than in the first file
	ErrHeader = errors.New("data: bad columns")
	// a column of lists, objects or other values that have no place in a table
	ErrType   = errors.New("data: unusable type")
	ErrNumber = errors.New("data: not a number")   // text in a column that must be numeric
	ErrDate   = errors.New("data: not a date")     // text that is no date in a date column
	ErrText   = errors.New("data: not UTF-8 text") // binary data or another encoding
	// more rows, levels or values than a Frame can hold
	ErrLimit = errors.New("data: too large")
)

// ReadError reports what is wrong with a table, and where.
type ReadError struct {
	// the path, the name given for bytes in memory, or "stdin"; "" if the fault is in ReadOptions
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
func (e *ReadError) Error() string {
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
func (e *ReadError) Unwrap() error { return e.Err }

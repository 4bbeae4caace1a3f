package table

import (
	"errors"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/option"
)

// EncodingAdvice returns the advice for a text that is not in UTF-8.
func EncodingAdvice() string {
	return option.Expand("{encoding} windows-1252 reads what Windows wrote in Western Europe")
}

// Place gives an error of a file the line on which it was found, unless it has one.
func Place(err error, line int) error {
	var e *data.ReadError
	if errors.As(err, &e) && e.Line == 0 {
		placed := *e
		placed.Line = line
		return &placed
	}
	return err
}

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

// Damaged returns a data.ReadError with what another package reported of a file's data. What that
// package reports of itself, where it failed on the data, is left out. One that is there already is
// returned with the file's name.
func Damaged(file, what string, err error) *data.ReadError {
	var known *data.ReadError
	if errors.As(err, &known) {
		placed := *known
		placed.File = file
		return &placed
	}
	const limit = 200
	e := &data.ReadError{File: file, Msg: "damaged " + what, Err: errors.Join(data.ErrFormat, err)}
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

// Package jsontext walks over the tokens of a JSON text that is in memory (RFC 8259): a line of a
// table, or the body of a request. It copies no text that has no escapes.
package jsontext

import (
	"bytes"
	"encoding/json"
	"strconv"
	"unicode/utf8"
)

// Walker stands at a byte of a text. Whatever it moves over, it moves over the blanks behind it.
type Walker struct {
	Text []byte
	At   int
}

// Blanks moves over blanks.
func (w *Walker) Blanks() {
	for w.At < len(w.Text) {
		switch w.Text[w.At] {
		case ' ', '\t', '\r', '\n':
			w.At++
		default:
			return
		}
	}
}

// Next returns the byte that comes next, 0 at the end.
func (w *Walker) Next() byte {
	if w.At < len(w.Text) {
		return w.Text[w.At]
	}
	return 0
}

// Ended reports whether nothing comes.
func (w *Walker) Ended() bool { return w.At == len(w.Text) }

// Take moves over a byte if it is the next one.
func (w *Walker) Take(c byte) bool {
	if w.Ended() || w.Text[w.At] != c {
		return false
	}
	w.At++
	w.Blanks()
	return true
}

// Quoted moves over a text and returns it in its quotes. ok is false, and nothing is moved over,
// where no text comes, where it has a line end or another control character, or no closing quote.
func (w *Walker) Quoted() (text []byte, ok bool) {
	if w.Next() != '"' {
		return nil, false
	}
	for i := w.At + 1; i < len(w.Text); i++ {
		switch c := w.Text[i]; {
		case c == '"':
			text = w.Text[w.At : i+1]
			w.At = i + 1
			w.Blanks()
			return text, true
		case c == '\\':
			i++
		case c < ' ':
			return nil, false
		}
	}
	return nil, false
}

// Word moves over what is neither a text nor a bracket: a number, true, false or null.
func (w *Walker) Word() []byte {
	from := w.At
	for w.At < len(w.Text) {
		switch w.Text[w.At] {
		case ' ', '\t', '\r', '\n', ',', ':', '{', '}', '[', ']', '"':
			word := w.Text[from:w.At]
			w.Blanks()
			return word
		}
		w.At++
	}
	return w.Text[from:]
}

// Nested moves over an object or an array. The error is that of encoding/json, which finds it.
func (w *Walker) Nested() error {
	d := json.NewDecoder(bytes.NewReader(w.Text[w.At:]))
	var raw json.RawMessage
	if err := d.Decode(&raw); err != nil {
		return err
	}
	w.At += int(d.InputOffset())
	w.Blanks()
	return nil
}

// Unquote returns what a text in quotes means: a part of it, or of own, which grows, if it has
// escapes. ok is false if it is no valid text: no UTF-8, an escape that JSON does not have, or one
// half of a character of UTF-16 alone, which encoding/json replaces.
func Unquote(quoted, own []byte) (text []byte, ok bool) {
	inside := quoted[1 : len(quoted)-1]
	if !utf8.Valid(inside) {
		return nil, false
	}
	if bytes.IndexByte(inside, '\\') < 0 {
		return inside, true
	}
	var plain string
	err := json.Unmarshal(quoted, &plain)
	return append(own[:0], plain...), err == nil && !halved(inside)
}

// halved reports whether a text of valid escapes has one of a surrogate without its other half.
func halved(text []byte) bool {
	high := false // the first half stands before
	for i := 0; i < len(text); i++ {
		unit := uint64(0)
		if text[i] == '\\' {
			if i++; text[i] == 'u' {
				unit, _ = strconv.ParseUint(string(text[i+1:i+5]), 16, 16) // which are four digits
				i += 4
			}
		}
		if low := unit>>10 == 0xDC00>>10; low != high {
			return true
		}
		high = unit>>10 == 0xD800>>10
	}
	return high
}

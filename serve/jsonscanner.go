package serve

import (
	"bytes"
	"cmp"
	"errors"
	"io"

	"github.com/coppice-ml/coppice/internal/jsontext"
	"github.com/coppice-ml/coppice/internal/spelling"
)

// jsonScanner reads the JSON text of a body. What it returns lies in the text, or in memory of its
// own, until the next call. Half of the time of a request of one row is JSON; encoding/json makes a
// string of each key and number.
type jsonScanner struct {
	jsontext.Walker
	own []byte // the last text with escapes
}

// reset begins with another text.
func (s *jsonScanner) reset(text []byte) {
	s.Walker = jsontext.Walker{Text: text}
	s.Blanks()
}

// broken says where the text is no JSON, and what was expected there.
func (s *jsonScanner) broken(want string) error {
	if s.Ended() {
		return s.cut()
	}
	rest := s.Text[s.At:min(len(s.Text), s.At+20)]
	return syntaxf("byte %d of the body: want %s, not %q", s.At+1, want, bytes.ToValidUTF8(rest, nil))
}

// cut reports that the text ends too early.
func (s *jsonScanner) cut() error {
	return syntaxf("the body ends inside of its JSON, behind byte %d", len(s.Text))
}

// quoted moves over a text in quotes and returns what it means.
func (s *jsonScanner) quoted(what string) ([]byte, error) {
	from := s.At
	raw, ok := s.Quoted()
	if !ok && s.Next() == '"' {
		if i := bytes.IndexFunc(s.Text[from:], func(r rune) bool { return r < ' ' }); i >= 0 {
			s.At += i
			return nil, s.broken("a text without line ends")
		}
		return nil, s.cut()
	}
	if !ok {
		return nil, s.broken(what)
	}
	text, ok := jsontext.Unquote(raw, s.own)
	if !ok {
		s.At = from
		return nil, s.broken("a text of valid escapes and UTF-8")
	}
	if len(raw) != len(text)+2 { // it had escapes
		s.own = text
	}
	return text, nil
}

// skip moves over any value.
func (s *jsonScanner) skip() error {
	switch s.Next() {
	case '"':
		_, err := s.quoted("a text")
		return err
	case '{', '[':
		return s.nested()
	}
	from := s.At
	word := s.Word()
	switch {
	case string(word) == "null", string(word) == "true", string(word) == "false":
		return nil
	case spelling.JSONNumber(word):
		return nil
	}
	s.At = from
	return s.broken("a value")
}

// nested moves over an object or an array.
func (s *jsonScanner) nested() error {
	err := s.Nested()
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return s.cut()
	}
	if err != nil {
		return s.broken("a value")
	}
	return nil
}

// more moves to value n of an array, from 1, and reports whether there is one.
func (s *jsonScanner) more(n int) (bool, error) {
	if n == 1 {
		if !s.Take('[') {
			return false, s.broken("an array")
		}
		return !s.Take(']'), nil
	}
	if s.Take(']') {
		return false, nil
	}
	if !s.Take(',') {
		return false, s.broken("a comma or a closing bracket")
	}
	return true, nil
}

// row moves to row n of an array that is the whole text; io.EOF is behind the last one.
func (s *jsonScanner) row(n int) error {
	more, err := s.more(n)
	if err == nil && !more {
		err = cmp.Or(s.end(), io.EOF)
	}
	return err
}

// element moves to the next value of an array, flat or nested, and returns its first byte: 0 behind
// the last one.
func (s *jsonScanner) element() byte {
	for s.Take('[') || s.Take(',') || s.Take(']') {
	}
	return s.Next()
}

// end reports what stands behind the JSON of a body.
func (s *jsonScanner) end() error {
	if s.Ended() {
		return nil
	}
	return syntaxf("byte %d of the body: something follows the JSON", s.At+1)
}

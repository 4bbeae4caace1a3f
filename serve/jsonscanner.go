package serve

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"unicode/utf8"

	"github.com/coppice-ml/coppice/internal/spelling"
)

// jsonScanner walks over the values of a JSON text that is in memory (RFC 8259). What it returns
// lies in the text, or in memory of its own, until the next call. Half of the time of a request of
// one row is JSON; encoding/json makes a string of each key and number.
type jsonScanner struct {
	text []byte
	at   int
	own  []byte // the last text with escapes
}

// reset begins with another text.
func (s *jsonScanner) reset(text []byte) { s.text, s.at = text, 0 }

// next returns the first byte behind blanks, 0 at the end.
func (s *jsonScanner) next() byte {
	for s.at < len(s.text) {
		switch c := s.text[s.at]; c {
		case ' ', '\t', '\r', '\n':
			s.at++
		default:
			return c
		}
	}
	return 0
}

// take moves over a byte if it is the next one.
func (s *jsonScanner) take(c byte) bool {
	if s.next() != c || s.at == len(s.text) {
		return false
	}
	s.at++
	return true
}

// broken says where the text is no JSON, and what was expected there.
func (s *jsonScanner) broken(want string) error {
	if s.next() == 0 && s.at == len(s.text) {
		return syntaxf("the body ends inside of its JSON, behind byte %d", s.at)
	}
	rest := s.text[s.at:min(len(s.text), s.at+20)]
	return syntaxf("byte %d of the body: want %s, not %q", s.at+1, want, bytes.ToValidUTF8(rest, nil))
}

// quoted moves over a text in quotes and returns what it means.
func (s *jsonScanner) quoted(what string) ([]byte, error) {
	if s.next() != '"' {
		return nil, s.broken(what)
	}
	escapes := false
	for i := s.at + 1; i < len(s.text); i++ {
		switch c := s.text[i]; {
		case c == '"':
			raw := s.text[s.at : i+1]
			if !utf8.Valid(raw) {
				return nil, s.broken("UTF-8")
			}
			s.at = i + 1
			if !escapes {
				return raw[1 : len(raw)-1], nil
			}
			var text string
			if json.Unmarshal(raw, &text) != nil {
				s.at -= len(raw)
				return nil, s.broken("a text")
			}
			s.own = append(s.own[:0], text...)
			return s.own, nil
		case c == '\\':
			escapes = true
			i++
		case c < ' ':
			s.at = i
			return nil, s.broken("a text without line ends")
		}
	}
	return nil, syntaxf("the body ends inside of its JSON, behind byte %d", len(s.text))
}

// word moves over what is neither a text nor a bracket: a number, true, false or null.
func (s *jsonScanner) word() []byte {
	s.next()
	from := s.at
	for s.at < len(s.text) {
		switch s.text[s.at] {
		case ' ', '\t', '\r', '\n', ',', ':', '{', '}', '[', ']', '"':
			return s.text[from:s.at]
		}
		s.at++
	}
	return s.text[from:]
}

// skip moves over any value.
func (s *jsonScanner) skip() error {
	switch s.next() {
	case '"':
		_, err := s.quoted("a text")
		return err
	case '{', '[':
		return s.nested()
	}
	word := s.word()
	switch {
	case string(word) == "null", string(word) == "true", string(word) == "false":
		return nil
	case spelling.JSONNumber(word):
		return nil
	}
	s.at -= len(word)
	return s.broken("a value")
}

// nested moves over an object or an array.
func (s *jsonScanner) nested() error {
	d := json.NewDecoder(bytes.NewReader(s.text[s.at:]))
	var v json.RawMessage
	if err := d.Decode(&v); err != nil {
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			return syntaxf("the body ends inside of its JSON, behind byte %d", len(s.text))
		}
		return s.broken("a value")
	}
	s.at += int(d.InputOffset())
	return nil
}

// more moves to value n of an array, from 1, and reports whether there is one.
func (s *jsonScanner) more(n int) (bool, error) {
	if n == 1 {
		if !s.take('[') {
			return false, s.broken("an array")
		}
		return !s.take(']'), nil
	}
	if s.take(']') {
		return false, nil
	}
	if !s.take(',') {
		return false, s.broken("a comma or a closing bracket")
	}
	return true, nil
}

// end reports what stands behind the JSON of a body.
func (s *jsonScanner) end() error {
	if s.next() == 0 && s.at == len(s.text) {
		return nil
	}
	return syntaxf("byte %d of the body: something follows the JSON", s.at+1)
}

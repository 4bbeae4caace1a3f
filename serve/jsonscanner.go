package serve

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"

	"github.com/coppice-ml/coppice/internal/jsontext"
	"github.com/coppice-ml/coppice/internal/spelling"
)

// jsonScanner reads the JSON text of a body. What it returns lies in the text, or in memory of its
// own, until the next call. Half of the time of a request of one row is JSON; encoding/json makes a
// string of each key and number.
type jsonScanner struct {
	jsontext.Walker
	own   []byte // the last text with escapes
	depth int    // of the value that is skipped
	again bool   // what is skipped is read later, and its texts are checked then
}

// errText reports a text of which nobody knows what it means. No reader replaces a part of it.
var errText = &syntaxError{"want a text in UTF-8 with the escapes of JSON, without halves of surrogates"}

// reset begins with another text.
func (s *jsonScanner) reset(text []byte) {
	s.Walker, s.depth, s.again = jsontext.Walker{Text: text}, 0, false
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

// quoted moves over a text in quotes and returns what it means. It has moved over that, too, where
// the error is errText.
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
		return nil, fmt.Errorf("byte %d of the body: %w", from+1, errText)
	}
	if len(raw) != len(text)+2 { // it had escapes
		s.own = text
	}
	return text, nil
}

// skip moves over any value.
func (s *jsonScanner) skip() error {
	c := s.Next()
	if c == '"' {
		_, err := s.quoted("a text")
		if s.again && errors.Is(err, errText) {
			return nil
		}
		return err
	}
	if c == '{' || c == '[' {
		if s.depth++; s.depth > deepest {
			return syntaxf("byte %d of the body: JSON is read to a depth of %d", s.At+1, deepest)
		}
		var err error
		if c == '{' {
			err = s.object(func([]byte) error { return s.skip() })
		} else {
			err = s.list(len(s.Text), "values", s.skip)
		}
		s.depth--
		return err
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

// deepest is how many arrays and objects may lie in each other.
const deepest = 1000

// fields reads an object: read gets the name of each field that is one of some, at its value. One
// that occurs twice is refused, null is as none, and others are skipped.
func (s *jsonScanner) fields(read func(name string) error, names ...string) error {
	var seen uint64 // by name
	return s.object(func(key []byte) error {
		at := slices.IndexFunc(names, func(name string) bool { return name == string(key) })
		switch {
		case at < 0 || s.Next() == 'n':
			return s.skip()
		case seen>>at&1 == 1:
			return syntaxf("byte %d of the body: the field %q occurs twice", s.At+1, key)
		}
		seen |= 1 << at
		return read(names[at])
	})
}

// object reads an object: read gets the name of each field, at its value.
func (s *jsonScanner) object(read func(key []byte) error) error {
	if !s.Take('{') {
		return s.broken("an object")
	}
	for first := true; !s.Take('}'); first = false {
		if !first && !s.Take(',') {
			return s.broken("a comma or a closing brace")
		}
		key, err := s.quoted("a name in quotes")
		if err == nil && !s.Take(':') {
			err = s.broken("a colon")
		}
		if err == nil {
			err = read(key)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// list reads an array of so many values at most, each by read.
func (s *jsonScanner) list(most int, what string, read func() error) error {
	for n := 1; ; n++ {
		more, err := s.more(n)
		if err == nil && more && n > most {
			err = syntaxf("byte %d of the body: more than %d %s", s.At+1, most, what)
		}
		if err == nil && more {
			err = read()
		}
		if err != nil || !more {
			return err
		}
	}
}

// value moves over any value, and returns what reads it.
func (s *jsonScanner) value() (v jsonScanner, err error) {
	v.At = s.At
	s.again = true
	err = s.skip()
	s.again = false
	v.Text = s.Text[:s.At]
	return v, err
}

// text reads a text of a small body part, such as a name.
func (s *jsonScanner) text(to *string) error {
	from := s.At
	text, err := s.quoted("a text")
	if err == nil && len(text) > longestText {
		err = syntaxf("byte %d of the body: want a text of %d bytes at most", from+1, longestText)
	}
	*to = string(text)
	return err
}

// longestText is how many bytes a name or an id may have.
const longestText = 1000

// whole reads a whole number.
func (s *jsonScanner) whole() (int64, error) {
	from := s.At
	n, err := strconv.ParseInt(string(s.Word()), 10, 64)
	if err != nil {
		s.At = from
		return 0, s.broken("a whole number of 64 bits")
	}
	return n, nil
}

// truth reads true or false.
func (s *jsonScanner) truth(to *bool) error {
	from := s.At
	word := string(s.Word())
	if *to = word == "true"; !*to && word != "false" {
		s.At = from
		return s.broken("true or false")
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

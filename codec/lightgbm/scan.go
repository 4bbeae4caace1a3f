package lightgbm

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"

	"github.com/coppice-ml/coppice/internal/imported"
)

// scanner reads JSON from memory, value by value, so that a file costs no memory but for what the
// caller keeps. The caller expects a value of some type; another one is an error. An error ends
// with the path of the value, such as tree_info[3].threshold.
type scanner struct {
	*imported.Budget
	text    []byte
	at      int
	path    []step // of the current value: as many as levels of nested values
	deepest int    // the greatest length of path so far
}

// step is a part of a path: a key, or a place in a list.
type step struct {
	key   []byte // nil: a place
	place int
}

// maxDepth is the greatest depth of nested values.
const maxDepth = 10_000

// where returns the path of the current value.
func (s *scanner) where() string {
	var path []byte
	const most = 8 // steps
	for i, step := range s.path[max(0, len(s.path)-most):] {
		switch {
		case step.key == nil:
			path = fmt.Appendf(path, "[%d]", step.place)
			continue
		case i > 0:
			path = append(path, '.')
		}
		path = fmt.Appendf(path, "%.40s", step.key)
	}
	if len(path) == 0 {
		return "top level"
	}
	return strconv.QuoteToASCII(string(path))[1 : len(strconv.QuoteToASCII(string(path)))-1]
}

// peek returns the first byte of the next token, 0 at the end.
func (s *scanner) peek() byte {
	for s.at < len(s.text) {
		switch c := s.text[s.at]; c {
		case ' ', '\t', '\n', '\r':
			s.at++
		default:
			return c
		}
	}
	return 0
}

// expect reads a token of one byte.
func (s *scanner) expect(c byte) error {
	if got := s.peek(); got != c {
		return fmt.Errorf("want %q", c)
	}
	s.at++
	return nil
}

// enter goes one level deeper.
func (s *scanner) enter() error {
	memory := int64(64)
	if s.path = append(s.path, step{}); len(s.path) > s.deepest {
		s.deepest = len(s.path)
		memory += 256
	}
	if len(s.path) > maxDepth {
		return fmt.Errorf("values nested deeper than %d levels", maxDepth)
	}
	return s.Take(memory)
}

// object reads an object: member reads the value of a key, or skips it.
func (s *scanner) object(member func(key string) error) error {
	return s.sequence('{', '}', func(int) error {
		start := s.at
		key, err := s.string()
		if err != nil {
			return err
		}
		s.path[len(s.path)-1].key = bytes.Trim(s.text[start:s.at], " \t\r\n\"")
		if err := s.expect(':'); err != nil {
			return err
		}
		return member(key)
	})
}

// list reads a list: element reads the value in a place.
func (s *scanner) list(element func(place int) error) error {
	return s.sequence('[', ']', element)
}

// sequence reads what is between two brackets, with commas between the elements.
func (s *scanner) sequence(open, end byte, element func(place int) error) error {
	if err := s.expect(open); err != nil {
		return err
	}
	if err := s.enter(); err != nil {
		return err
	}
	for i := 0; s.peek() != end; i++ {
		if i > 0 {
			if err := s.expect(','); err != nil {
				return err
			}
		}
		s.path[len(s.path)-1] = step{place: i}
		if err := element(i); err != nil {
			return err
		}
	}
	s.at++
	s.path = s.path[:len(s.path)-1]
	return nil
}

// token returns the text of a string, with its quotes, or of a number or word.
func (s *scanner) token() ([]byte, error) {
	s.peek()
	start := s.at
	if s.at < len(s.text) && s.text[s.at] == '"' {
		for s.at++; s.at < len(s.text); s.at++ {
			switch s.text[s.at] {
			case '\\':
				s.at++
			case '"':
				s.at++
				return s.text[start:s.at], nil
			}
		}
		s.at = len(s.text)
		return nil, errors.New("a string does not end")
	}
	for s.at < len(s.text) && bytes.IndexByte([]byte(" \t\r\n,:[]{}\""), s.text[s.at]) < 0 {
		s.at++
	}
	if start == s.at {
		return nil, errors.New("a value is missing")
	}
	return s.text[start:s.at], nil
}

// string reads a string.
func (s *scanner) string() (string, error) {
	token, err := s.token()
	if err != nil {
		return "", err
	}
	if token[0] != '"' {
		return "", fmt.Errorf("%.20q is not a string", token)
	}
	if err := s.Take(16 + 2*int64(len(token))); err != nil {
		return "", err
	}
	inner := token[1 : len(token)-1]
	if bytes.IndexByte(inner, '\\') < 0 {
		return string(inner), nil
	}
	var text string
	if err := s.Take(8 * int64(len(token))); err != nil {
		return "", err
	}
	if err := json.Unmarshal(token, &text); err != nil {
		return "", errors.New("a string with a wrong escape")
	}
	return text, nil
}

// number reads a number. A number in quotes is one too.
func (s *scanner) number() (float64, error) {
	token, err := s.token()
	if err != nil {
		return 0, err
	}
	x, err := strconv.ParseFloat(string(bytes.Trim(token, `"`)), 64)
	if err != nil && !errors.Is(err, strconv.ErrRange) {
		return 0, fmt.Errorf("%.20q is not a number", token)
	}
	return x, nil
}

// integer reads a whole number.
func (s *scanner) integer() (int, error) {
	token, err := s.token()
	if err != nil {
		return 0, err
	}
	return number(token)
}

// boolean reads true or false.
func (s *scanner) boolean() (bool, error) {
	token, err := s.token()
	if err != nil {
		return false, err
	}
	switch string(token) {
	case "true", "1":
		return true, nil
	case "false", "0":
		return false, nil
	}
	return false, fmt.Errorf("%.20q is neither true nor false", token)
}

// skip reads a value of any type.
func (s *scanner) skip() error {
	switch s.peek() {
	case '{':
		return s.object(func(string) error { return s.skip() })
	case '[':
		return s.list(func(int) error { return s.skip() })
	}
	_, err := s.token()
	return err
}

// end checks that nothing follows.
func (s *scanner) end() error {
	if s.peek() != 0 || s.at < len(s.text) {
		return errors.New("something follows the value")
	}
	return nil
}

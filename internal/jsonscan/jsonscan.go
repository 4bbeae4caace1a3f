// Package jsonscan owns a reader of JSON from files that may be hostile. It reads value by value
// and keeps nothing, so that what a file costs is what its reader stores: "0," is two bytes, and a
// general decoder makes many times as much of it.
package jsonscan

import (
	"bytes"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Scanner reads values one after the other. The first error stays: all later calls read nothing and
// return zero values, so that a reader needs to look at Err once.
type Scanner struct {
	data []byte
	at   int
	path []string
	err  error
}

// New returns a scanner of a text.
func New(data []byte) *Scanner { return &Scanner{data: data} }

// deepest bounds how deep values may lie within each other.
const deepest = 1000

// Err returns the first error, nil if there is none.
func (s *Scanner) Err() error { return s.err }

// Offset returns the place of the next byte.
func (s *Scanner) Offset() int { return s.at }

// Path names the value that is read by the members around it, such as "model_info.params".
func (s *Scanner) Path() string { return strings.Join(s.path, ".") }

// Stop keeps an error of the caller as the first one.
func (s *Scanner) Stop(err error) {
	if s.err == nil {
		s.err = err
	}
}

// Fail is Stop with a text.
func (s *Scanner) Fail(format string, args ...any) {
	if s.err == nil {
		s.err = fmt.Errorf(format, args...)
	}
}

// Next returns the first byte of the next value without reading it: '{', '[', '"', 't', 'f', 'n',
// or that of a number; 0 at the end or after an error.
func (s *Scanner) Next() byte {
	for s.err == nil && s.at < len(s.data) {
		switch b := s.data[s.at]; b {
		case ' ', '\n', '\t', '\r':
			s.at++
		default:
			return b
		}
	}
	return 0
}

// End checks that only spaces follow.
func (s *Scanner) End() {
	if b := s.Next(); b != 0 || s.err == nil && s.at < len(s.data) {
		s.Fail("%q after the end", s.data[s.at])
	}
}

// take reads a byte after spaces.
func (s *Scanner) take(want byte) bool {
	got := s.Next()
	switch {
	case s.err != nil:
		return false
	case s.at == len(s.data):
		s.Fail("the file ends where %q is expected", want)
		return false
	case got != want:
		s.Fail("%q where %q is expected", s.data[s.at], want)
		return false
	}
	s.at++
	return true
}

// list reads parts with commas between them.
func (s *Scanner) list(open, closing byte, part func()) {
	if !s.take(open) {
		return
	}
	if s.Next() == closing {
		s.at++
		return
	}
	for s.err == nil {
		part()
		if s.Next() != ',' {
			s.take(closing)
			return
		}
		s.at++
	}
}

// Object reads an object and calls member with each name; member reads the value.
func (s *Scanner) Object(member func(name string)) {
	if len(s.path) >= deepest {
		s.Fail("more than %d values within each other", deepest)
		return
	}
	depth := len(s.path)
	s.path = append(s.path, "")
	s.list('{', '}', func() {
		name := s.Text()
		s.path[depth] = name
		if s.take(':') {
			member(name)
		}
	})
	if s.err == nil {
		s.path = s.path[:depth]
	}
}

// Array reads an array and calls element before each element with its number; element reads it.
func (s *Scanner) Array(element func(i int)) {
	i := 0
	s.list('[', ']', func() {
		element(i)
		i++
	})
}

// quoted returns the next text with its quotes.
func (s *Scanner) quoted() (text []byte, escaped bool) {
	if !s.take('"') {
		return nil, false
	}
	for at := s.at; at < len(s.data); at++ {
		switch b := s.data[at]; {
		case b == '"':
			text = s.data[s.at-1 : at+1]
			s.at = at + 1
			return text, escaped
		case b < ' ':
			s.Fail("a text with byte %#x", b)
			return nil, false
		case b == '\\':
			escaped = true
			at++
		}
	}
	s.Fail("a text without end")
	return nil, false
}

// Text reads a text.
func (s *Scanner) Text() string {
	text, escaped := s.quoted()
	switch {
	case s.err != nil:
		return ""
	case !utf8.Valid(text):
		s.Fail("a text is not UTF-8")
		return ""
	case escaped:
		return s.plain(text[1 : len(text)-1])
	}
	return string(text[1 : len(text)-1])
}

// plain returns a text without its escapes.
func (s *Scanner) plain(text []byte) string {
	var b strings.Builder
	b.Grow(len(text))
	for len(text) > 0 {
		if text[0] != '\\' {
			b.WriteByte(text[0])
			text = text[1:]
			continue
		}
		// a backslash is never the last byte, which would be the quote that it escapes
		letter := text[1]
		if letter != 'u' {
			at := strings.IndexByte(`"\/bfnrt`, letter)
			if at < 0 {
				s.Fail("the escape \\%c in a text", letter)
				return ""
			}
			b.WriteByte("\"\\/\b\f\n\r\t"[at])
			text = text[2:]
			continue
		}
		r := unit(text)
		if r < 0 {
			s.Fail("an escape \\u without its four digits")
			return ""
		}
		text = text[6:]
		if low := unit(text); utf16.IsSurrogate(r) && low >= 0 {
			if r = utf16.DecodeRune(r, low); r != utf8.RuneError {
				text = text[6:]
			}
		}
		b.WriteRune(r) // that of half a pair is utf8.RuneError
	}
	return b.String()
}

// unit returns the number of an escape such as \u00e4 at the front of a text, -1 if there is none.
func unit(text []byte) rune {
	if len(text) < 6 || text[0] != '\\' || text[1] != 'u' {
		return -1
	}
	n, err := strconv.ParseUint(string(text[2:6]), 16, 16)
	if err != nil {
		return -1
	}
	return rune(n)
}

// longest bounds the digits of a number.
const longest = 64

// word returns the next number or name such as true.
func (s *Scanner) word() []byte {
	s.Next()
	from := s.at
	for s.err == nil && s.at < len(s.data) {
		b := s.data[s.at]
		if letter := b|0x20 >= 'a' && b|0x20 <= 'z'; !letter && (b < '0' || b > '9') &&
			b != '-' && b != '+' && b != '.' {
			break
		}
		s.at++
	}
	if n := s.at - from; s.err == nil && (n == 0 || n > longest) {
		s.Fail("no value where one is expected")
	}
	return s.data[from:s.at]
}

// Float reads a number. Those that double precision cannot hold, NaN and infinities are errors.
func (s *Scanner) Float() float64 {
	word := s.word()
	if s.err != nil {
		return 0
	}
	x, err := strconv.ParseFloat(string(word), 64)
	if err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
		s.Fail("%q is no finite number", word)
		return 0
	}
	return x
}

// digits returns the next number, which may be a text.
func (s *Scanner) digits() []byte {
	if s.Next() != '"' {
		return s.word()
	}
	text, _ := s.quoted()
	if s.err != nil {
		return nil
	}
	return text[1 : len(text)-1]
}

// Int reads an integer from low to high, which may be written as 1.0 or as a text.
func (s *Scanner) Int(low, high int64) int64 {
	word := s.digits()
	if s.err != nil {
		return 0
	}
	n, ok := integer(word)
	if !ok || n < low || n > high {
		s.Fail("%.40q is no integer in range", word)
		return 0
	}
	return n
}

// integer returns the integer that digits are.
func integer(word []byte) (n int64, ok bool) {
	if !bytes.ContainsAny(word, ".eE") {
		n, err := strconv.ParseInt(string(word), 10, 64)
		return n, err == nil
	}
	x, err := strconv.ParseFloat(string(word), 64)
	return int64(x), err == nil && x == math.Trunc(x) && math.Abs(x) <= 1<<53
}

// Uint reads an integer below 2^64, which may be a text.
func (s *Scanner) Uint() uint64 {
	word := s.digits()
	if s.err != nil {
		return 0
	}
	n, err := strconv.ParseUint(string(word), 10, 64)
	if err != nil {
		s.Fail("%.40q is no integer below 2^64", word)
	}
	return n
}

// Bool reads true or false.
func (s *Scanner) Bool() bool {
	switch word := s.word(); {
	case s.err != nil:
	case string(word) == "true":
		return true
	case string(word) != "false":
		s.Fail("%q where true or false is expected", word)
	}
	return false
}

// Skip reads a value and leaves it out.
func (s *Scanner) Skip() { s.skip(0) }

func (s *Scanner) skip(depth int) {
	if depth > deepest {
		s.Fail("more than %d values within each other", deepest)
		return
	}
	switch s.Next() {
	case '{':
		s.list('{', '}', func() {
			s.quoted()
			if s.take(':') {
				s.skip(depth + 1)
			}
		})
	case '[':
		s.list('[', ']', func() { s.skip(depth + 1) })
	case '"':
		s.quoted()
	default:
		s.word()
	}
}

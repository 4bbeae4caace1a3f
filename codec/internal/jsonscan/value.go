package jsonscan

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// textSize is what a text takes beside its bytes.
const textSize = 32

// Text reads a text.
func (s *Scanner) Text() string { return s.stored(s.quoted(true)) }

// stored returns a text that quoted read as one of its own, without its escapes.
func (s *Scanner) stored(text []byte, escaped bool) string {
	if escaped && s.err == nil {
		if len(s.long) == 0 {
			text = s.extend(text) // the file's own bytes stay
		}
		var err error
		if text, err = plain(text); err != nil {
			s.Fail("%w", err)
		}
	}
	if !utf8.Valid(text) {
		s.Fail("a text is not UTF-8")
	}
	if !s.Take(int64(len(text)) + textSize) {
		return ""
	}
	return string(text)
}

// mostNames and longestName bound the names of members that are stored; nameSize is what the table
// takes for one.
const (
	mostNames   = 256
	longestName = 64
	nameSize    = 128
)

// name reads the name of a member. Files repeat few names very often, which are allocated once.
func (s *Scanner) name() string {
	text, escaped := s.quoted(true)
	if name, ok := s.names[string(text)]; ok && !escaped {
		return name
	}
	name := s.stored(text, escaped)
	if !escaped && len(name) <= longestName && len(s.names) < mostNames && s.Take(nameSize) {
		if s.names == nil {
			s.names = map[string]string{}
		}
		s.names[name] = name
	}
	return name
}

// quoted returns what is between the quotes of the next text, with its escapes, until the next
// call. If it is not kept, only its end is found.
func (s *Scanner) quoted(keep bool) (text []byte, escaped bool) {
	if !s.accept('"') {
		return nil, false
	}
	s.long = s.long[:0]
	from, after := s.at, false // after: the last byte was a backslash
	for {
		if !after {
			s.at += ordinary(s.buf[s.at:])
		}
		for ; s.at < len(s.buf); s.at++ {
			switch b := s.buf[s.at]; {
			case after:
				after = false
			case b == '"':
				text = s.buf[from:s.at]
				s.at++
				if len(s.long) > 0 {
					text = s.extend(text)
				}
				return text, escaped
			case b == '\\':
				escaped, after = true, true
			case b < ' ':
				s.Fail("a text with byte %#x", b)
				return nil, false
			}
		}
		if keep {
			s.extend(s.buf[from:])
		}
		if !s.fill() {
			s.Fail("a text without end")
			return nil, false
		}
		from = 0
	}
}

// ordinary returns the number of bytes before the first quote, backslash or control character. It
// passes over most texts as a whole; quoted does the rest byte by byte.
func ordinary(text []byte) int {
	for i, b := range text {
		if b == '"' || b == '\\' || b < ' ' {
			return i
		}
	}
	return len(text)
}

// extend appends a piece to what is not in the buffer as it is, and returns all of it.
func (s *Scanner) extend(piece []byte) []byte {
	if n := len(s.long) + len(piece); n > cap(s.long) {
		n = max(longest, n, 2*cap(s.long))
		if !s.Take(int64(n)) {
			return nil
		}
		s.long = append(make([]byte, 0, n), s.long...)
	}
	s.long = append(s.long, piece...)
	return s.long
}

// plain replaces the escapes of a text by what they stand for, which is never longer.
func plain(text []byte) ([]byte, error) {
	plain := text[:0]
	for len(text) > 0 {
		if text[0] != '\\' {
			plain, text = append(plain, text[0]), text[1:]
			continue
		}
		// a backslash is never the last byte, which would be the quote that it escapes
		letter := text[1]
		if letter != 'u' {
			at := strings.IndexByte(`"\/bfnrt`, letter)
			if at < 0 {
				return nil, fmt.Errorf("the escape \\%c in a text", letter)
			}
			plain, text = append(plain, "\"\\/\b\f\n\r\t"[at]), text[2:]
			continue
		}
		r := unit(text)
		if r < 0 {
			return nil, errors.New("an escape \\u without its four digits")
		}
		text = text[6:]
		if low := unit(text); utf16.IsSurrogate(r) && low >= 0 {
			if r = utf16.DecodeRune(r, low); r != utf8.RuneError {
				text = text[6:]
			}
		}
		plain = utf8.AppendRune(plain, r) // that of half a pair is utf8.RuneError
	}
	return plain, nil
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

// longest bounds the bytes of a number.
const longest = 64

// Word returns the next number, or name such as true, until the next call.
func (s *Scanner) Word() []byte {
	s.Next()
	word := s.word()
	if s.at == len(s.buf) && s.r != nil { // it may go on in the next piece of the file
		s.long = s.long[:0]
		word = s.extend(word)
		for len(word) <= longest && s.at == len(s.buf) && s.fill() {
			word = s.extend(s.word())
		}
	}
	switch {
	case len(word) == 0:
		s.expected("a value")
	case len(word) > longest:
		s.Fail("a number of more than %d digits", longest)
	}
	return word
}

// digits returns the next number, which may be in quotes, until the next call.
func (s *Scanner) digits() []byte {
	if s.Next() != '"' {
		return s.Word()
	}
	text, _ := s.quoted(true)
	return text
}

// errorSize bounds the memory of an error of strconv.
const errorSize = 256

// Float reads a number, rounded once to as many bits: 32 or 64. Numbers beyond their range are
// infinite.
func (s *Scanner) Float(bits int) float64 {
	word := s.digits()
	if s.err != nil {
		return 0
	}
	x, err := strconv.ParseFloat(string(word), bits)
	switch {
	case err == nil:
		return x
	case !math.IsInf(x, 0):
		s.Fail("%.40q is not a number", word)
		return 0
	case !s.Take(errorSize):
		return 0
	}
	return x
}

// Finite reads a number in double precision. NaN and infinities are errors.
func (s *Scanner) Finite() float64 {
	x := s.Float(64)
	if math.IsNaN(x) || math.IsInf(x, 0) {
		s.Fail("%v is not a finite number", x)
		return 0
	}
	return x
}

// Int reads an integer from low to high, which may be written as 1.0.
func (s *Scanner) Int(low, high int64) int64 {
	word := s.digits()
	if s.err != nil {
		return 0
	}
	n, ok := integer(word)
	if !ok || n < low || n > high {
		s.Fail("%.40q is not an integer from %d to %d", word, low, high)
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

// Uint reads an integer below 2^64.
func (s *Scanner) Uint() uint64 {
	word := s.digits()
	if s.err != nil {
		return 0
	}
	n, err := strconv.ParseUint(string(word), 10, 64)
	if err != nil {
		s.Fail("%.40q is not an integer below 2^64", word)
	}
	return n
}

// Bool reads true or false, or 1 or 0.
func (s *Scanner) Bool() bool {
	switch word := s.Word(); string(word) {
	case "true", "1":
		return s.err == nil
	case "false", "0":
	default:
		s.Fail("%q where true or false is expected", word)
	}
	return false
}

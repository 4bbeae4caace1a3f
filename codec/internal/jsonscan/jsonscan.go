// Package jsonscan owns a reader of JSON from files that may be hostile. It reads a file value by
// value, in pieces, and keeps nothing but the buffer: a file costs what its reader stores. "0," is
// two bytes, and a general decoder makes many times as much of it.
//
// Beyond JSON it takes NaN, Infinity and -Infinity for numbers, and numbers may stand in quotes:
// tools write both.
package jsonscan

import (
	"fmt"
	"io"
)

// Scanner reads values one after the other. A caller that expects a value of some kind calls the
// method of that kind; any other value is an error. The first error stays: all later calls read
// nothing and return zero values, so that a caller needs to look at Err once.
type Scanner struct {
	window
	long  []byte            // the text or number that is read, if it is not in the buffer as it is
	names map[string]string // short names of members, each of which is allocated once
	path  Path
	take  func(n int64) error
}

// New returns a scanner of a file of size bytes. The scanner calls take before it allocates n
// bytes; an error of take, or of reading, is returned by Err as it is. A nil take bounds nothing.
// It calls fail, if that is not nil, with the first error; fail may end the reading by a panic.
func New(r io.ReaderAt, size int64, take func(n int64) error, fail func(error)) *Scanner {
	s := NewText(nil, take)
	s.fail = fail
	n := min(max(size, 0), bufferSize)
	if s.Take(n) {
		s.r, s.size, s.buf = r, size, make([]byte, 0, n)
	}
	return s
}

// NewText is New for a text in memory, which must not change.
func NewText(text []byte, take func(n int64) error) *Scanner {
	if take == nil {
		take = func(int64) error { return nil }
	}
	return &Scanner{window: window{buf: text}, take: take}
}

// Error reports that a text is not JSON, or that a value is not what the caller expects.
type Error struct {
	Offset int64  // the byte of the file behind what was read
	Path   string // the value that is read, as Path.String has it
	Err    error
}

func (e *Error) Error() string { return fmt.Sprintf("%s, byte %d: %v", e.Path, e.Offset, e.Err) }

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Path names the value that is read, such as "model_info.params".
func (s *Scanner) Path() string { return s.path.String() }

// Fail is Stop with an *Error of the value that is read.
func (s *Scanner) Fail(format string, args ...any) {
	if s.err == nil {
		s.Stop(&Error{s.Offset(), s.Path(), fmt.Errorf(format, args...)})
	}
}

// Take reports whether n bytes may be allocated, and ends the reading if not. Callers use it for
// what they allocate themselves.
func (s *Scanner) Take(n int64) bool {
	if s.err == nil {
		s.Stop(s.take(n))
	}
	return s.err == nil
}

// End checks that only spaces follow, or zeros, which programs in C may append.
func (s *Scanner) End() {
	for s.Next() == 0 && s.at < len(s.buf) {
		s.at++
	}
	if s.at < len(s.buf) {
		s.Fail("%q after the end", s.buf[s.at])
	}
}

// expected fails because of the next byte.
func (s *Scanner) expected(what string) {
	if s.at < len(s.buf) {
		s.Fail("%q where %s is expected", s.buf[s.at], what)
	}
	s.Fail("the file ends where %s is expected", what)
}

// accept reads a byte after spaces.
func (s *Scanner) accept(want byte) bool {
	if s.Next() != want {
		s.expected(fmt.Sprintf("%q", want))
		return false
	}
	s.at++
	return s.err == nil
}

// enter reads the bracket before the parts of an object or array.
func (s *Scanner) enter(open byte) bool {
	if !s.accept(open) {
		return false
	}
	if s.path.Depth() == Deepest {
		s.Fail("more than %d values within each other", Deepest)
		return false
	}
	s.Stop(s.path.Enter(s.take))
	return s.err == nil
}

// more reports whether part i of an object or array follows, and reads the comma before it. If not
// it reads the closing bracket.
func (s *Scanner) more(i int, closing byte) bool {
	b := s.Next()
	switch {
	case b == closing:
		s.at++
		s.path.Leave()
		return false
	case i == 0:
	case b == ',':
		s.at++
	default:
		s.expected(fmt.Sprintf("',' or %q", closing))
	}
	return s.err == nil
}

// Object reads an object and calls member with each name; member reads the value.
func (s *Scanner) Object(member func(name string)) {
	if !s.enter('{') {
		return
	}
	for i := 0; s.more(i, '}'); i++ {
		name := s.name()
		s.path.Name(name)
		if s.accept(':') {
			member(name)
		}
	}
}

// Array reads an array and calls element before each element with its number; element reads it.
func (s *Scanner) Array(element func(i int)) {
	if !s.enter('[') {
		return
	}
	for i := 0; s.more(i, ']'); i++ {
		s.path.Place(i)
		element(i)
	}
}

// Skip reads a value of any kind and leaves it out.
func (s *Scanner) Skip() {
	switch s.Next() {
	case '{':
		s.Object(func(string) { s.Skip() })
	case '[':
		s.Array(func(int) { s.Skip() })
	case '"':
		s.quoted(false)
	default:
		s.Word()
	}
}

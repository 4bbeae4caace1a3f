package xgboost

import (
	"bufio"
	"errors"
	"io"
	"unicode/utf8"

	"github.com/coppice-ml/coppice/codec/internal/foreign"
	"github.com/coppice-ml/coppice/codec/internal/jsonscan"
)

// stream reads the bytes of a file in their order.
type stream struct {
	*input
	r    *bufio.Reader
	path jsonscan.Path // of the value that is read
}

// bufferSize is the number of bytes that are read at a time.
const bufferSize = 64 << 10

func newStream(in *input) *stream {
	in.Need(bufferSize)
	r := bufio.NewReaderSize(io.NewSectionReader(in.reader, 0, in.size), bufferSize)
	return &stream{input: in, r: r}
}

// where returns the place of the value that is read.
func (s *stream) where() (offset int64, path string) { return s.at, s.path.String() }

// corrupt reports damage of the value that is read.
func (s *stream) corrupt(format string, args ...any) {
	s.section = s.path.String()
	s.input.corrupt(format, args...)
}

// next reads a byte.
func (s *stream) next() byte {
	b, err := s.r.ReadByte()
	s.check(err)
	s.at++
	return b
}

// peek returns the next byte, which is read again.
func (s *stream) peek() byte {
	b, err := s.r.Peek(1)
	s.check(err)
	return b[0]
}

// full reads as many bytes as p has.
func (s *stream) full(p []byte) {
	n, err := io.ReadFull(s.r, p)
	s.at += int64(n)
	s.check(err)
}

// pass leaves n bytes out.
func (s *stream) pass(n int64) {
	if n < 0 || n > s.size-s.at {
		s.corrupt("%d bytes where %d are left", n, s.size-s.at)
	}
	for n > 0 {
		passed, err := s.r.Discard(int(min(n, 1<<30)))
		s.at += int64(passed)
		n -= int64(passed)
		s.check(err)
	}
}

// check ends reading by the error of a reader, of which the end of the file is damage.
func (s *stream) check(err error) {
	if err == nil {
		return
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		s.corrupt("the file ends too soon")
	}
	foreign.Check(err)
}

// longestText bounds names, attributes and objectives.
const longestText = 1 << 20

// texted returns bytes as a text, which is UTF-8.
func (s *stream) texted(b []byte) string {
	if !utf8.Valid(b) {
		s.corrupt("a text is not UTF-8")
	}
	return s.copied(b)
}

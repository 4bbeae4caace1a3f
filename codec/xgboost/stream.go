package xgboost

import (
	"bufio"
	"errors"
	"io"
	"unicode/utf8"

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

func newStream(in *input) (*stream, error) {
	if err := in.Take(bufferSize); err != nil {
		return nil, err
	}
	r := bufio.NewReaderSize(io.NewSectionReader(in.reader, 0, in.size), bufferSize)
	return &stream{input: in, r: r}, nil
}

// where returns the place of the value that is read.
func (s *stream) where() (offset int64, path string) { return s.at, s.path.String() }

// corrupt reports damage of the value that is read.
func (s *stream) corrupt(format string, args ...any) error {
	s.section = s.path.String()
	return s.input.corrupt(format, args...)
}

// next reads a byte.
func (s *stream) next() (byte, error) {
	b, err := s.r.ReadByte()
	if err != nil {
		return 0, s.failed(err)
	}
	s.at++
	return b, nil
}

// peek returns the next byte, which is read again.
func (s *stream) peek() (byte, error) {
	b, err := s.r.Peek(1)
	if err != nil {
		return 0, s.failed(err)
	}
	return b[0], nil
}

// full reads as many bytes as p has.
func (s *stream) full(p []byte) error {
	n, err := io.ReadFull(s.r, p)
	s.at += int64(n)
	if err != nil {
		return s.failed(err)
	}
	return nil
}

// pass leaves n bytes out.
func (s *stream) pass(n int64) error {
	if n < 0 || n > s.size-s.at {
		return s.corrupt("%d bytes where %d are left", n, s.size-s.at)
	}
	for n > 0 {
		passed, err := s.r.Discard(int(min(n, 1<<30)))
		s.at += int64(passed)
		n -= int64(passed)
		if err != nil {
			return s.failed(err)
		}
	}
	return nil
}

// failed makes of the error of a reader, of which the end of the file is damage, that of the file.
func (s *stream) failed(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return s.corrupt("the file ends too soon")
	}
	return err
}

// longestText bounds names, attributes and objectives.
const longestText = 1 << 20

// texted returns bytes as a text, which is UTF-8.
func (s *stream) texted(b []byte) (string, error) {
	if !utf8.Valid(b) {
		return "", s.corrupt("a text is not UTF-8")
	}
	return s.copied(b)
}

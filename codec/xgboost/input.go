package xgboost

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/coppice-ml/coppice/codec"
	"github.com/coppice-ml/coppice/internal/imported"
)

// input is the bytes of a file, the memory that reading may still take, and where reading is.
type input struct {
	*imported.Budget
	format   string
	r        *bufio.Reader
	at, size int64    // bytes read, and in all
	path     []string // names of the members and elements around the value that is read
}

// bufferSize is the number of bytes that are read at a time.
const bufferSize = 64 << 10

func newInput(format string, r io.ReaderAt, size int64, l codec.Limits) (*input, error) {
	in := &input{Budget: imported.NewBudget(format, size, l), format: format, size: size}
	if err := in.Take(bufferSize); err != nil {
		return nil, err
	}
	in.r = bufio.NewReaderSize(io.NewSectionReader(r, 0, size), bufferSize)
	return in, nil
}

// next reads a byte.
func (in *input) next() (byte, error) {
	b, err := in.r.ReadByte()
	if err != nil {
		return 0, in.failed(err)
	}
	in.at++
	return b, nil
}

// peek returns the next byte, which is read again.
func (in *input) peek() (byte, error) {
	b, err := in.r.Peek(1)
	if err != nil {
		return 0, in.failed(err)
	}
	return b[0], nil
}

// full reads as many bytes as p has.
func (in *input) full(p []byte) error {
	n, err := io.ReadFull(in.r, p)
	in.at += int64(n)
	if err != nil {
		return in.failed(err)
	}
	return nil
}

// pass leaves n bytes out.
func (in *input) pass(n int64) error {
	if n < 0 || n > in.size-in.at {
		return in.corrupt("%d bytes where %d are left", n, in.size-in.at)
	}
	for n > 0 {
		passed, err := in.r.Discard(int(min(n, 1<<30)))
		in.at += int64(passed)
		n -= int64(passed)
		if err != nil {
			return in.failed(err)
		}
	}
	return nil
}

// failed makes of the error of a reader, of which the end of the file is damage, that of the file.
func (in *input) failed(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return in.corrupt("the file ends too soon")
	}
	return err
}

// corrupt reports damage where reading is.
func (in *input) corrupt(format string, args ...any) error {
	section := "file"
	if len(in.path) > 0 {
		section = strings.Join(in.path, ".")
	}
	return &codec.CorruptError{Format: in.format, Offset: in.at, Section: section,
		Err: fmt.Errorf(format, args...)}
}

func (in *input) unsupported(format string, args ...any) error {
	return &codec.UnsupportedError{Format: in.format, What: fmt.Sprintf(format, args...)}
}

// wrong makes an error of what was read a *codec.CorruptError, unless it is one of package codec.
func (in *input) wrong(err error) error {
	var (
		corrupt     *codec.CorruptError
		unsupported *codec.UnsupportedError
		limit       *codec.LimitError
	)
	if err == nil || errors.As(err, &corrupt) || errors.As(err, &unsupported) ||
		errors.As(err, &limit) {
		return err
	}
	return in.corrupt("%w", err)
}

// within runs f with a name added to the path, which stays where f fails.
func (in *input) within(name string, f func() error) error {
	in.path = append(in.path, name)
	if err := f(); err != nil {
		return err
	}
	in.path = in.path[:len(in.path)-1]
	return nil
}

// longestText bounds names, attributes and objectives.
const longestText = 1 << 20

// textSize is what a text takes beside its bytes.
const textSize = 32

// texted returns bytes as a text, which is UTF-8.
func (in *input) texted(b []byte) (string, error) {
	if !utf8.Valid(b) {
		return "", in.corrupt("a text is not UTF-8")
	}
	if err := in.Take(int64(len(b)) + textSize); err != nil {
		return "", err
	}
	return string(b), nil
}

// push appends an element. Memory that doubles is counted before it is allocated.
func push[T any](in *input, s []T, v T) ([]T, error) {
	if len(s) == cap(s) {
		n := max(8, 2*len(s))
		if err := in.Take(int64(n) * int64(reflect.TypeFor[T]().Size())); err != nil {
			return nil, err
		}
		s = append(make([]T, 0, n), s...)
	}
	return append(s, v), nil
}

// element is the name of an element in a path.
func element(name string, i int) string { return name + "[" + strconv.Itoa(i) + "]" }

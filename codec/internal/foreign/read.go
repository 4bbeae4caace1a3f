package foreign

import (
	"errors"
	"fmt"
	"io"
	"reflect"

	"github.com/coppice-ml/coppice/codec"
	"github.com/coppice-ml/coppice/codec/internal/jsonscan"
	"github.com/coppice-ml/coppice/codec/internal/protobuf"
)

// Budget counts the memory that decoding a file allocates, before it is allocated.
type Budget struct {
	format string
	limit  int64
	left   int64
}

// NewBudget returns the budget of a file of size bytes in some format.
func NewBudget(format string, size int64, l codec.Limits) *Budget {
	limit := l.MemoryFor(size)
	return &Budget{format, limit, limit}
}

// Take takes n bytes, or returns a *codec.LimitError if so many are not left.
func (b *Budget) Take(n int64) error {
	if n < 0 || n > b.left {
		return &codec.LimitError{Format: b.format, Limit: b.limit}
	}
	b.left -= n
	return nil
}

// Push appends an element to a slice, which doubles when it is full. It ends the reading if so much
// memory is not left.
func Push[T any](b *Budget, s []T, v T) []T {
	if len(s) == cap(s) {
		n := max(8, 2*len(s))
		b.Need(int64(n) * int64(reflect.TypeFor[T]().Size()))
		s = append(make([]T, 0, n), s...)
	}
	return append(s, v)
}

// ReadAll reads a file of size bytes into memory. A file that is shorter is damaged.
func (b *Budget) ReadAll(r io.ReaderAt, size int64) ([]byte, error) {
	if int64(int(size)) != size {
		return nil, &codec.UnsupportedError{Format: b.format,
			What: fmt.Sprintf("%d bytes are too many for this machine", size)}
	}
	if err := b.Take(size); err != nil {
		return nil, err
	}
	all := make([]byte, size)
	n, err := r.ReadAt(all, 0)
	switch {
	case n == len(all):
		return all, nil
	case err == nil || errors.Is(err, io.EOF):
		return nil, &codec.CorruptError{Format: b.format, Offset: int64(n), Section: "file",
			Err: fmt.Errorf("the file ends before byte %d: %w", size, io.ErrUnexpectedEOF)}
	}
	return nil, err
}

// JSON returns a scanner of a file of size bytes, whose first error ends the reading.
func (b *Budget) JSON(r io.ReaderAt, size int64) *jsonscan.Scanner {
	return jsonscan.New(r, size, b.Take, func(err error) { Check(b.damage(err)) })
}

// damage returns the error of a scanner as one of package codec: a *jsonscan.Error becomes a
// *codec.CorruptError, all others stay.
func (b *Budget) damage(err error) error {
	var e *jsonscan.Error
	if Typed(err) || !errors.As(err, &e) {
		return err
	}
	return &codec.CorruptError{Format: b.format, Offset: e.Offset, Section: e.Path, Err: e.Err}
}

// Wrapped returns an error of reading a section of a file in Protocol Buffers as one of package
// codec: if it is none, it becomes a *codec.CorruptError, with its byte if it is a *protobuf.Error.
func Wrapped(format, section string, err error) error {
	if known := typed(err); known != nil || err == nil {
		return known
	}
	damage := &codec.CorruptError{Format: format, Section: section, Err: err}
	var e *protobuf.Error
	if errors.As(err, &e) {
		damage.Offset, damage.Err = e.Offset, fmt.Errorf("field %d: %w", e.Field, e.Err)
	}
	return damage
}

// Typed reports whether an error is one of package codec, which readers return as it is.
func Typed(err error) bool { return typed(err) != nil }

// typed returns the error of package codec in an error, nil if there is none.
func typed(err error) error {
	var (
		corrupt     *codec.CorruptError
		unsupported *codec.UnsupportedError
		limit       *codec.LimitError
	)
	switch {
	case errors.As(err, &limit):
		return limit
	case errors.As(err, &unsupported):
		return unsupported
	case errors.As(err, &corrupt):
		return corrupt
	}
	return nil
}

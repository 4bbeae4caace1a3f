package catboost

import (
	"fmt"
	"io"
	"reflect"

	"github.com/coppice-ml/coppice/codec"
	"github.com/coppice-ml/coppice/internal/imported"
)

// source is the bytes of a file, the memory that reading may still take, and where reading is.
type source struct {
	*imported.Budget
	format  string
	data    []byte
	section string // the part that is read
	at      int64  // its first byte
}

// newSource reads all bytes: both formats point into themselves, or name what they need later.
func newSource(format string, r io.ReaderAt, size int64, l codec.Limits) (*source, error) {
	in := &source{Budget: imported.NewBudget(format, size, l), format: format, section: "file"}
	if err := in.Take(size); err != nil {
		return nil, err
	}
	in.data = make([]byte, size)
	n, err := r.ReadAt(in.data, 0)
	switch {
	case int64(n) == size:
		return in, nil
	case err == io.EOF:
		in.at = int64(n)
		return nil, in.corrupt("the file ends too soon")
	}
	return nil, err
}

// corrupt reports damage of the part that is read.
func (in *source) corrupt(format string, args ...any) error {
	return &codec.CorruptError{Format: in.format, Offset: in.at, Section: in.section,
		Err: fmt.Errorf(format, args...)}
}

// unsupported reports a model that this package cannot predict with.
func (in *source) unsupported(format string, args ...any) error {
	return &codec.UnsupportedError{Format: in.format, What: fmt.Sprintf(format, args...)}
}

// wrong makes an error of what was read damage, unless it is an error of package codec.
func (in *source) wrong(err error) error {
	switch err.(type) {
	case *codec.CorruptError, *codec.UnsupportedError, *codec.LimitError:
		return err
	}
	return in.corrupt("%w", err)
}

// push appends an element. Memory that doubles is counted before it is allocated.
func push[T any](in *source, s []T, v T) ([]T, error) {
	if len(s) == cap(s) {
		n := max(4, 2*len(s))
		if err := in.Take(int64(n) * int64(reflect.TypeFor[T]().Size())); err != nil {
			return nil, err
		}
		s = append(make([]T, 0, n), s...)
	}
	return append(s, v), nil
}

package catboost

import (
	"fmt"
	"io"

	"github.com/coppice-ml/coppice/codec"
	"github.com/coppice-ml/coppice/codec/internal/foreign"
)

// source is a file, the memory that reading may still take, and where reading is.
type source struct {
	*foreign.Budget
	format  string
	reader  io.ReaderAt
	size    int64
	section string // the part that is read
	at      int64  // its first byte
}

func newSource(format string, r io.ReaderAt, size int64, l codec.Limits) *source {
	return &source{Budget: foreign.NewBudget(format, size, l), format: format, reader: r,
		size: size, section: "file"}
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
	if err == nil || foreign.Typed(err) {
		return err
	}
	return in.corrupt("%w", err)
}

// push appends an element. Memory that doubles is counted before it is allocated.
func push[T any](in *source, s []T, v T) ([]T, error) { return foreign.Push(in.Budget, s, v) }

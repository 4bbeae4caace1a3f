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

// corrupt ends reading by damage of the part that is read.
func (in *source) corrupt(format string, args ...any) {
	foreign.Check(&codec.CorruptError{Format: in.format, Offset: in.at, Section: in.section,
		Err: fmt.Errorf(format, args...)})
}

// unsupported ends reading by what this package cannot predict with.
func (in *source) unsupported(format string, args ...any) {
	foreign.Check(&codec.UnsupportedError{Format: in.format, What: fmt.Sprintf(format, args...)})
}

// check ends reading by an error of what was read, which is damage unless it is one of package
// codec.
func (in *source) check(err error) {
	if err != nil && !foreign.Typed(err) {
		in.corrupt("%w", err)
	}
	foreign.Check(err)
}

// push appends an element. Memory that doubles is counted before it is allocated.
func push[T any](in *source, s []T, v T) []T { return foreign.Push(in.Budget, s, v) }

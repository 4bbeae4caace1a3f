package xgboost

import (
	"fmt"
	"io"
	"strconv"

	"github.com/coppice-ml/coppice/codec"
	"github.com/coppice-ml/coppice/codec/internal/foreign"
)

// input is a file, the memory that reading may still take, and where reading or checking is.
type input struct {
	*foreign.Budget
	format  string
	reader  io.ReaderAt
	at      int64 // bytes read ...
	size    int64 // ... and in all
	section string
}

func newInput(format string, r io.ReaderAt, size int64, l codec.Limits) *input {
	return &input{Budget: foreign.NewBudget(format, size, l), format: format, reader: r,
		size: size, section: "file"}
}

// corrupt ends reading by damage where it is.
func (in *input) corrupt(format string, args ...any) {
	foreign.Check(&codec.CorruptError{Format: in.format, Offset: in.at, Section: in.section,
		Err: fmt.Errorf(format, args...)})
}

func (in *input) unsupported(format string, args ...any) {
	foreign.Check(&codec.UnsupportedError{Format: in.format, What: fmt.Sprintf(format, args...)})
}

// check ends reading by an error of what was read, which is damage unless it is one of package
// codec.
func (in *input) check(err error) {
	if err != nil && !foreign.Typed(err) {
		in.corrupt("%w", err)
	}
	foreign.Check(err)
}

// textSize is what a text takes beside its bytes.
const textSize = 32

// copied returns bytes as a text of its own.
func (in *input) copied(b []byte) string {
	in.Need(int64(len(b)) + textSize)
	return string(b)
}

// push appends an element. Memory that doubles is counted before it is allocated.
func push[T any](in *input, s []T, v T) []T { return foreign.Push(in.Budget, s, v) }

// element is the name of an element in a path.
func element(name string, i int) string { return name + "[" + strconv.Itoa(i) + "]" }

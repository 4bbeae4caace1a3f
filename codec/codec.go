// Package codec owns the contract of model file formats, native or of other tools: Format, its limits, and the
// two kinds of failure that a reader must be able to tell apart. Each format has a folder of its own;
// codec/formats lists them.
package codec

import (
	"fmt"
	"io"

	"github.com/coppice-ml/coppice/model"
)

// Limits bounds what decoding may cost, so that a hostile file can neither exhaust memory nor hang. The zero value
// means the defaults.
type Limits struct {
	Memory int64 // bytes that decoding may allocate; 0 = 16 x the file's size + 64 MiB
}

// Format is a model file format.
type Format struct {
	Name   string                 // e.g. "coppice"
	Suffix []string               // usual endings of file names
	Sniff  func(head []byte) bool // whether a file that starts with head (up to 512 bytes) is of this format
	Decode func(r io.ReaderAt, size int64, l Limits) (model.Model, error)
	Encode func(w io.Writer, m model.Model) error // nil: read-only format
}

// CorruptError says that a file is damaged: mend or fetch it again.
type CorruptError struct {
	Format  string
	Offset  int64 // byte offset at which the damage shows
	Section string
	Err     error
}

func (e *CorruptError) Error() string {
	return fmt.Sprintf("damaged %s model (%s, byte %d): %v", e.Format, e.Section, e.Offset, e.Err)
}

// Unwrap returns the cause.
func (e *CorruptError) Unwrap() error { return e.Err }

// UnsupportedError says that a file is sound as far as can be told but newer than this program, or that a model
// cannot be written in a format.
type UnsupportedError struct {
	Format string
	What   string
}

func (e *UnsupportedError) Error() string { return fmt.Sprintf("%s model: %s", e.Format, e.What) }

// Package codec owns the contract of model file formats, native or of other tools: Format, its
// limits, and the kinds of failure that a reader must be able to distinguish. Each format has a
// folder of its own; codec/formats lists them, codec/codectest is the suite that all of
// them must pass.
package codec

import (
	"fmt"
	"io"
	"io/fs"
	"math"

	"github.com/coppice-ml/coppice/model"
)

// Limits bounds what decoding may cost, so that a hostile file can neither exhaust memory nor hang.
// The zero value means the defaults.
type Limits struct {
	Memory int64 // bytes that decoding may allocate, live or not; 0 = 16 x the file's size + 128 MiB
}

// MemoryFor returns the number of bytes that decoding a file of the given size may allocate.
func (l Limits) MemoryFor(size int64) int64 {
	const floor = 128 << 20
	switch {
	case l.Memory > 0:
		return l.Memory
	case size > (math.MaxInt64-floor)/16:
		return math.MaxInt64
	}
	return 16*max(size, 0) + floor
}

// Format is a model file format.
//
// Decode reads a file of size bytes. It returns a *CorruptError for a damaged file, an
// *UnsupportedError for a newer one, and a *LimitError for one that costs more than l allows. Where
// reading fails it returns the reader's own error. Whatever it returns without error is valid:
// prediction on it cannot leave an array.
//
// Encode writes a model; the same model gives the same bytes. It returns an *UnsupportedError for a
// model that the format cannot hold.
type Format struct {
	Name   string   // e.g. "coppice"
	Suffix []string // usual endings of file names, each with its dot
	// whether a file that starts with head (up to 512 bytes) is of this format
	Sniff  func(head []byte) bool
	Decode func(r io.ReaderAt, size int64, l Limits) (model.Model, error)
	Encode func(w io.Writer, m model.Model) error // nil: read-only format
	// DecodeFS is Decode for a format whose models are folders; those have no Decode, and Sniff
	// gets the names in the folder, one a line
	DecodeFS func(fsys fs.FS, l Limits) (model.Model, error)
	// Reference reads a file for comparison with what Decode makes of it; nil: there is none. Its
	// errors are those of Decode.
	Reference func(r io.ReaderAt, size int64, l Limits) (Reference, error)
	// ReferenceFS is Reference for a format whose models are folders
	ReferenceFS func(fsys fs.FS, l Limits) (Reference, error)
	// checksums cover every byte: a file with any changed bit is refused
	Sealed bool
	// the format is another tool's: Encode may write less than the model has, such as fewer digits,
	// and Decode returns what the tool would predict with. Otherwise a model comes back equal.
	Foreign bool
	// the tool compares and adds up in single precision
	Single bool
}

// Reference predicts by the nodes and comparisons of a file of another tool, as that tool does, in
// single precision where the tool has it. It is a second, plain evaluation that shares no code with
// the models and engines of this module: the two agree, or one has a fault.
//
// A row holds the values of the fields of the decoded model's schema, in their order: numbers, the
// codes of categories, NaN for a missing value and -1 for a category that the schema does not have.
type Reference interface {
	// Trees returns the number of trees, all rounds included.
	Trees() int
	// Scores returns the number of raw scores of a row, Outputs that of its response.
	Scores() int
	Outputs() int
	// Raw writes the raw scores of a row, before the link.
	Raw(dst, row []float64)
	// Response writes the response of a row: probabilities of all classes, or predicted numbers.
	Response(dst, row []float64)
	// Leaves writes the leaf that a row reaches in each tree, by the tool's own numbers.
	Leaves(dst []int32, row []float64)
}

// CorruptError reports that a file is damaged: mend or fetch it again.
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

// UnsupportedError reports a file without visible damage that is newer than this program, or a
// model that a format cannot store.
type UnsupportedError struct {
	Format string
	What   string
}

func (e *UnsupportedError) Error() string { return fmt.Sprintf("%s model: %s", e.Format, e.What) }

// LimitError reports that a file is not read because decoding it would allocate more than
// Limits.Memory.
type LimitError struct {
	Format string
	Limit  int64 // bytes
}

func (e *LimitError) Error() string {
	return fmt.Sprintf("%s model: decoding needs more memory than the limit of %d bytes",
		e.Format, e.Limit)
}

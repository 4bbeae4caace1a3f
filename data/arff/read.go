package arff

import (
	"bytes"
	"context"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/source"
	"github.com/coppice-ml/coppice/internal/table"
)

const format = "ARFF"

// Weight is the name of the column of the rows' weights.
const Weight = "weight"

// Sniff reports whether a text that begins so is ARFF: its first line that is no comment declares a
// relation or an attribute.
func Sniff(head []byte) bool {
	for line := range bytes.Lines(bytes.TrimPrefix(head, []byte("\ufeff"))) {
		line = bytes.TrimSpace(line)
		if len(line) == 0 || line[0] == '%' {
			continue
		}
		keyword, _ := keyword(line)
		return keyword == "@relation" || keyword == "@attribute"
	}
	return false
}

// Suffixes end the names of ARFF files, before .gz or .zst. Of a folder the files with such names
// are read.
var Suffixes = []string{".arff"}

// Open returns the table of files that declare the same columns, one after the other; "-" is
// standard input. In Table.Stream, weights that a model needs and no row has are an error behind
// the last rows, unless there is one block only: that lacks them. Paths may be patterns and
// folders: see package data.
func Open(o data.ReadOptions, paths ...string) data.Table { return fileFormat.Open(o, paths) }

var fileFormat = source.ByRows(source.Format{Name: format, Suffixes: Suffixes, Text: true,
	Size: size}, func(*data.ReadOptions) source.Reader { return &reader{} })

// size returns about how many rows a file has, and how many attributes it declares.
func size(
	ctx context.Context, _ *data.ReadOptions, s *source.Source,
) (rows, columns int64, err error) {
	inData := false
	rows, err = s.EstimateRows(ctx, format, func(line []byte) bool {
		t := tokens{line: line}
		if t.blanks(); t.end() || inData {
			return !t.end()
		}
		switch keyword, _ := keyword(line[t.at:]); keyword {
		case "@attribute":
			columns++
		case "@data":
			inData = true
		}
		return false
	})
	return rows, columns, err
}

// reader reads the rows of all files.
type reader struct {
	builder    *table.Builder
	attributes []attribute // of the current file
	lines      *source.Lines
	weights    *table.Column // nil: no row has one so far
	declared   bool          // an attribute has the name of the weights
	named      []int         // sparse rows: by attribute, the line that named it last
}

// Add appends the rows of one file.
func (r *reader) Add(ctx context.Context, b *table.Builder, s *source.Source) error {
	text, err := s.OpenText(ctx, format)
	if err != nil {
		return err
	}
	defer text.Close()
	r.builder, r.lines = b, text.Lines(format)
	if err := r.readHeader(); err != nil {
		return err
	}
	r.named = make([]int, len(r.attributes))
	for {
		line, err := r.lines.Next()
		if line == nil || err != nil {
			return err
		}
		t := tokens{line: line}
		if t.blanks(); t.end() {
			continue
		}
		if err := r.row(&t); err != nil {
			return err
		}
		if err := b.EndRow(r.lines.Number()); err != nil {
			return err
		}
	}
}

// Finish does nothing: the builder has all attributes, and the weights if any row has one.
func (r *reader) Finish(*table.Builder) error { return nil }

func (r *reader) fault(reason error, format string, args ...any) error {
	return r.lines.Fault(reason, format, args...)
}

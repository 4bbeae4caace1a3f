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

var fileFormat = &source.Format{Name: format, Suffixes: Suffixes, Read: func(
	ctx context.Context, o *data.ReadOptions, sources []source.Source,
) (*data.RowBlock, error) {
	return source.Build(ctx, o, table.Tokens(o, nil), sources, &reader{})
}}

// Open returns the table of files that declare the same columns, one after the other; "-" is
// standard input. It is held in memory. Paths may be patterns and folders: see package data.
func Open(o data.ReadOptions, paths ...string) data.Table { return fileFormat.Open(o, paths) }

// reader reads the rows of all files.
type reader struct {
	builder    *table.Builder
	attributes []attribute // of the current file
	lines      *source.Lines
	weights    []float64 // of all rows, nil while all are 1
	named      []int     // sparse rows: by attribute, the line that named it last
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

// Finish adds the column of weights, if any row has one.
func (r *reader) Finish(b *table.Builder) error {
	if r.weights == nil {
		return nil
	}
	if b.Has(Weight) {
		return r.fault(data.ErrHeader, "rows have weights, and an attribute is called %q too",
			Weight)
	}
	for len(r.weights) < b.Rows() {
		r.weights = append(r.weights, 1)
	}
	if !b.Used(Weight) {
		r.weights = nil
	}
	if err := b.Numbers(Weight, data.Numbers(r.weights)); err != nil {
		return err
	}
	b.State(Weight, data.WeightRole)
	return nil
}

func (r *reader) fault(reason error, format string, args ...any) error {
	return r.lines.Fault(reason, format, args...)
}

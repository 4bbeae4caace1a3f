package jsonl

import (
	"bytes"
	"context"
	"iter"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/source"
	"github.com/coppice-ml/coppice/internal/table"
)

const format = "JSON lines"

// Sniff reports whether a text that begins so looks like JSON lines: an object begins.
func Sniff(head []byte) bool {
	head, object := bytes.CutPrefix(bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\ufeff")),
		blanks), []byte("{"))
	head = bytes.TrimLeft(head, blanks)
	return object && len(head) > 0 && (head[0] == '"' || head[0] == '}')
}

const blanks = " \t\r\n"

// Suffixes end the names of files of JSON lines, before .gz or .zst. Of a folder the files with
// such names are read.
var Suffixes = []string{".jsonl", ".ndjson"}

// Read reads a table from files, one after the other; "-" is standard input. It is ReadTable
// without the verbatim columns.
func Read(ctx context.Context, o data.ReadOptions, paths ...string) (*data.Frame, error) {
	return table.FrameOf(ReadTable(ctx, o, paths...))
}

// ReadBytes reads a table from memory, as Read reads a file of that name. It keeps no reference to
// b.
func ReadBytes(ctx context.Context, o data.ReadOptions, name string, b []byte) (*data.Frame, error) {
	return fileFormat.ReadBytes(ctx, o, name, b)
}

// ReadTable reads a table from files, one after the other; "-" is standard input. Its columns are
// those of all files.
//
// Paths may be patterns and folders: see package data.
//
// Errors are of type *data.ReadError, or those of the context.
func ReadTable(ctx context.Context, o data.ReadOptions, paths ...string) (*table.Table, error) {
	return fileFormat.ReadTable(ctx, o, paths...)
}

var fileFormat = &source.Format{Suffixes: Suffixes, Text: true,
	Reader: func() source.Reader { return &reader{} }, Size: size}

// OpenBlocks reads the files once, for the kinds of columns, their dictionaries and the number of
// rows, and returns the table as one that is read in blocks. Where a column turns out to hold texts
// behind the first rows, they are read twice. Options and errors are those of ReadTable; Verbatim
// is refused. A text that is a number, in a column that turns categorical behind it, is a category
// as it stands: "1.0", which ReadTable reads as the number 1.
func OpenBlocks(ctx context.Context, o data.ReadOptions, paths ...string) (*table.Blocks, error) {
	return fileFormat.OpenBlocks(ctx, o, paths...)
}

// Tables reads the tables of files as consecutive tables of some rows, which together are what
// ReadTable returns. Options.Schema decides on all columns that are read, but for verbatim ones.
// Errors are those of ReadTable; the first one is the last that is yielded. Columns of the schema
// that no row names are an error behind the last rows, unless there is one table only: that lacks
// them.
func Tables(ctx context.Context, o data.ReadOptions, paths ...string) iter.Seq2[*table.Table, error] {
	return fileFormat.Tables(ctx, o, paths...)
}

// Estimate returns about how many rows and columns the files have together, by the first line of
// the first one. Errors are those of ReadTable.
func Estimate(
	ctx context.Context, o data.ReadOptions, paths ...string,
) (rows, columns int64, err error) {
	return fileFormat.Estimate(ctx, o, paths...)
}

// size returns about how many rows and columns a file has, by its first line.
func size(
	ctx context.Context, _ *data.ReadOptions, s *source.Source,
) (rows, columns int64, err error) {
	text, err := s.OpenText(ctx, format)
	if err != nil {
		return 0, 0, err
	}
	defer text.Close()
	line, err := text.Lines(format).Next()
	if err != nil || line == nil {
		return 0, 0, err
	}
	bytesOf := s.Size
	if text.Packed() != "" {
		const packed = 8 // times smaller, as repeated keys make it
		bytesOf *= packed
	}
	return bytesOf / int64(len(line)+1), int64(bytes.Count(line, []byte(`":`))), nil
}

// reader reads the rows of all files.
type reader struct {
	builder *table.Builder
	lines   *source.Lines
	columns map[string]*table.Column // by key as it is written
}

// Add appends the rows of one file.
func (r *reader) Add(ctx context.Context, b *table.Builder, s *source.Source) error {
	text, err := s.OpenText(ctx, format)
	if err != nil {
		return err
	}
	defer text.Close()
	if r.columns == nil {
		r.columns = map[string]*table.Column{}
	}
	r.builder, r.lines = b, text.Lines(format)
	b.LateColumns()
	for {
		line, err := r.lines.Next()
		if line == nil || err != nil {
			return err
		}
		p := parser{b: line}
		if p.blanks(); p.at == len(line) {
			continue
		}
		if err := r.row(&p); err != nil {
			return err
		}
		if err := b.EndRow(r.lines.Number()); err != nil {
			return err
		}
	}
}

// Finish does nothing: the builder has all keys.
func (r *reader) Finish(*table.Builder) error { return nil }

// row appends the object in a line.
func (r *reader) row(p *parser) error {
	if !p.take('{') {
		return r.lines.Fault(data.ErrFormat,
			"the line begins with %s, not with a JSON object (every line must be one)", p.next())
	}
	if !p.take('}') {
		for {
			if err := r.pair(p); err != nil {
				return err
			}
			if p.take('}') {
				break
			}
			if !p.take(',') {
				return r.syntax(p, "a comma or a closing brace")
			}
		}
	}
	if p.at < len(p.b) {
		return r.lines.Fault(data.ErrFormat, "%s follows the object (every line must be one)",
			p.next())
	}
	return nil
}

// syntax reports what is expected where the parser stands.
func (r *reader) syntax(p *parser, want string) error {
	if p.at == len(p.b) {
		return r.lines.Fault(data.ErrFormat,
			"the line ends inside of its object: %s is missing (every line must be an object)",
			want)
	}
	return r.lines.Fault(data.ErrFormat, "byte %d of the line: want %s, not %s", p.at+1,
		want, p.next())
}

const keyBytes = 60 // of an entry of columns beside the key

// pair appends the value of a key.
func (r *reader) pair(p *parser) error {
	key, ok := p.text()
	if !ok {
		return r.syntax(p, "a key in double quotes")
	}
	c := r.columns[string(key)]
	if c == nil {
		name, ok := unquote(key)
		if !ok {
			return r.lines.Fault(data.ErrText, "the key %s is not UTF-8 text (%s)",
				table.Quote(key), table.EncodingAdvice)
		}
		var err error
		if c, err = r.builder.Column(name, table.Untyped); err != nil {
			return table.Place(err, r.lines.Number())
		}
		r.builder.Charge(int64(len(key)) + keyBytes)
		r.columns[string(key)] = c
	}
	r.builder.Pad(c)
	if c.Rows() > r.builder.Rows() {
		return r.lines.Fault(data.ErrHeader, "the key %q occurs twice in the line", c.Field.Name)
	}
	if !p.take(':') {
		return r.syntax(p, "a colon behind the key")
	}
	return r.value(p, c)
}

package jsonl

import (
	"bytes"
	"context"
	"fmt"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/jsontext"
	"github.com/coppice-ml/coppice/internal/source"
	"github.com/coppice-ml/coppice/internal/table"
)

const format = "JSON lines"

// Sniff reports whether a text that begins so looks like JSON lines, or like an array of objects:
// an object begins.
func Sniff(head []byte) bool {
	head = bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\ufeff")), blanks)
	if in, array := bytes.CutPrefix(head, []byte("[")); array {
		head = bytes.TrimLeft(in, blanks)
	}
	head, object := bytes.CutPrefix(head, []byte("{"))
	head = bytes.TrimLeft(head, blanks)
	return object && len(head) > 0 && (head[0] == '"' || head[0] == '}')
}

const blanks = " \t\r\n"

// Suffixes end the names of files of JSON lines, before .gz or .zst. Of a folder the files with
// such names are read.
var Suffixes = []string{".jsonl", ".ndjson"}

// Open returns the table of files, one after the other; "-" is standard input. Its columns are
// those of all files. In Table.Stream, columns of the schema that no row names are an error behind
// the last rows, unless there is one block only: that lacks them. Paths may be patterns and
// folders: see package data.
func Open(o data.ReadOptions, paths ...string) data.Table { return fileFormat.Open(o, paths) }

var fileFormat = source.ByRows(source.Format{Name: format, Suffixes: Suffixes, Text: true,
	Size: size}, func(o *data.ReadOptions) source.Reader { return &reader{options: o} })

// size returns about how many rows a file has, and the most keys of its first ones.
func size(
	ctx context.Context, _ *data.ReadOptions, s *source.Source,
) (rows, columns int64, err error) {
	rows, err = s.EstimateRows(ctx, format, func(line []byte) bool {
		columns = max(columns, int64(bytes.Count(line, []byte(`":`))))
		return len(line) > 0
	})
	return rows, columns, err
}

// reader reads the rows of all files.
type reader struct {
	options *data.ReadOptions
	builder *table.Builder
	array   bool                     // the objects are in one
	line    int                      // on which the current object begins
	columns map[string]*table.Column // by key as it is written
	keys    []key                    // those without escapes
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
	r.builder = b
	b.Late.Expect()
	o := objects{lines: text.Lines(format)}
	if some, err := o.begin(); err != nil || !some {
		return err
	}
	if r.array = o.array; !o.array {
		return r.readLines(o.lines, text.Size())
	}
	for {
		object, err := o.next()
		if object == nil || err != nil {
			return err
		}
		r.line = o.line
		if err := r.row(&parser{jsontext.Walker{Text: object}}); err != nil {
			return err
		}
		if err := b.EndRow(r.line); err != nil {
			return err
		}
	}
}

// Finish does nothing: the builder has all keys.
func (r *reader) Finish(*table.Builder) error { return nil }

// row appends the object in a line.
func (r *reader) row(p *parser) error {
	if !p.Take('{') {
		return r.fault(data.ErrFormat,
			"the line begins with %s, not with a JSON object (every line must be one)", p.rest())
	}
	if err := r.pairs(p, "", 0); err != nil {
		return err
	}
	if !p.Ended() {
		return r.fault(data.ErrFormat, "%s follows the object (every line must be one)", p.rest())
	}
	return nil
}

// deepest is how many objects may be inside each other.
const deepest = 32

// pairs appends the values of an object behind its brace. Before its keys stand those of the
// objects around it, with points between them.
func (r *reader) pairs(p *parser, before string, depth int) error {
	if p.Take('}') {
		return nil
	}
	for {
		if err := r.pair(p, before, depth); err != nil {
			return err
		}
		if p.Take('}') {
			return nil
		}
		if !p.Take(',') {
			return r.syntax(p, "a comma or a closing brace")
		}
	}
}

// fault returns an error at the line on which the current object begins.
func (r *reader) fault(reason error, format string, args ...any) error {
	return &data.ReadError{File: r.builder.File(), Line: r.line,
		Msg: fmt.Sprintf(format, args...), Err: reason}
}

// syntax reports what is expected where the parser stands.
func (r *reader) syntax(p *parser, want string) error {
	if p.Ended() {
		return r.fault(data.ErrFormat,
			"the line ends inside of its object: %s is missing (every line must be an object)",
			want)
	}
	what := "line"
	if r.array {
		what = "object"
	}
	return r.fault(data.ErrFormat, "byte %d of the %s: want %s, not %s", p.At+1, what, want, p.rest())
}

const keyBytes = 90 // of an entry of columns and one of keys, beside the key

// pair appends the value of a key. Those of an object inside have names with points, unless the
// column of the whole object is left out.
func (r *reader) pair(p *parser, before string, depth int) error {
	quoted, ok := p.Quoted()
	if !ok {
		return r.syntax(p, "a key in double quotes")
	}
	if !p.Take(':') {
		return r.syntax(p, "a colon behind the key")
	}
	if p.Next() == '{' {
		name, ok := unquote(quoted)
		if ok && !slices.Contains(r.options.Ignore, before+name) {
			if depth == deepest {
				return r.fault(data.ErrLimit, "more than %d objects inside each other", deepest)
			}
			p.Take('{')
			return r.pairs(p, before+name+".", depth+1)
		}
	}
	c := r.columns[string(quoted)]
	if before != "" {
		c = r.columns[before+string(quoted)]
	}
	if c == nil {
		name, ok := unquote(quoted)
		if !ok {
			return r.fault(data.ErrText, "the key %s is not UTF-8 text (%s)",
				table.Quote(quoted), table.EncodingAdvice())
		}
		var err error
		if c, err = r.builder.Column(before+name, table.Untyped); err != nil {
			return table.Place(err, r.line)
		}
		r.builder.Size.Charge(int64(len(before)+len(quoted)) + keyBytes)
		r.columns[before+string(quoted)] = c
		if before == "" && bytes.IndexByte(quoted, '\\') < 0 {
			r.keys = append(r.keys, key{string(quoted), c})
		}
	}
	r.builder.Pad(c)
	if c.Rows() > r.builder.Rows() {
		return r.fault(data.ErrHeader, "the key %q occurs twice in the line", c.Field.Name)
	}
	return r.value(p, c)
}

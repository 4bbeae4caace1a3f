package csvdata

import (
	"context"
	"errors"
	"math"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/source"
	"github.com/coppice-ml/coppice/internal/table"
)

// Options describe how to read a table. The zero value reads a table with a header and infers the
// kind of every column.
type Options struct {
	data.ReadOptions

	NoHeader bool // the first line is data; columns are called f0, f1, ...
	Comma    byte // the separator, an ASCII character; 0: found by the file's name and first line
}

// The reasons of a data.ReadError that only this package has.
var (
	ErrFields = errors.New("csvdata: field count") // a row is shorter or longer than the header
	// a quote is never closed, or text follows a closing quote
	ErrQuote = errors.New("csvdata: bad quotes")
)

// Suffixes end the names of CSV and TSV files, before .gz or .zst. Of a folder the files with such
// names are read.
var Suffixes = []string{".csv", ".tsv", ".tab"}

// Read reads a table from files that have the same columns, one after the other; "-" is standard
// input. It is ReadTable without the verbatim columns.
func Read(ctx context.Context, o Options, paths ...string) (*data.Frame, error) {
	return table.FrameOf(ReadTable(ctx, o, paths...))
}

// ReadBytes reads a table from memory, as Read reads a file of that name. It keeps no reference to
// b.
func ReadBytes(ctx context.Context, o Options, name string, b []byte) (*data.Frame, error) {
	return o.readBytes(ctx, name, b, blockSize)
}

func (o *Options) readBytes(
	ctx context.Context, name string, b []byte, block int,
) (*data.Frame, error) {
	return table.FrameOf(o.read(ctx, []source.Source{source.Bytes(name, b)}, block))
}

// ReadTable reads a table from files that have the same columns, one after the other; "-" is
// standard input. Each file has the same header unless Options.NoHeader is set. The rows of the
// frame record their lines.
//
// Paths may be patterns and folders: see package data.
//
// Errors are of type *data.ReadError, or those of the context.
func ReadTable(ctx context.Context, o Options, paths ...string) (*table.Table, error) {
	sources, err := source.All(ctx, &o.ReadOptions, paths, Suffixes)
	if err != nil {
		return nil, err
	}
	return o.read(ctx, sources, blockSize)
}

// read reads in blocks of that many bytes.
func (o *Options) read(
	ctx context.Context, sources []source.Source, block int,
) (*table.Table, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	t := &reading{store: store{options: o}, tokens: table.Tokens(&o.ReadOptions, data.DefaultMissing),
		until: math.MaxInt}
	for i := range sources {
		t.size += sources[i].Size
		sources[i].Encoding = o.Encoding
		t.partitions = append(t.partitions, sources[i].Partitions)
	}
	if err := t.readAll(ctx, sources, block); err != nil {
		return nil, err
	}
	if t.rows == 0 {
		return nil, &data.ReadError{File: sources[0].Name, Msg: "no rows below the header",
			Err: data.ErrEmpty}
	}
	if err := t.readAgain(ctx, sources, block); err != nil {
		return nil, err
	}
	return t.finish()
}

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
	Skip     int  // so many lines above the header, or the first row, of each file are left out
	Comment  byte // an ASCII character: lines that begin with it are left out; 0: none are
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

// Open returns the table of files that have the same columns, one after the other; "-" is standard
// input. Each file has the same header unless Options.NoHeader is set. The rows of the frame record
// their lines. Paths may be patterns and folders: see package data.
func Open(o Options, paths ...string) data.Table {
	return o.format(blockSize, int(max(1, table.BlockSize(&o.ReadOptions)/blockSize))).
		Open(o.ReadOptions, paths)
}

// format returns the format of files under these options, which are read in blocks of so many
// bytes. So many of them make a block of rows.
func (o Options) format(block, segment int) *source.Format {
	with := func(common *data.ReadOptions) *Options {
		own := o
		own.ReadOptions = *common
		return &own
	}
	return &source.Format{Name: "CSV", Suffixes: Suffixes, Text: true,
		Read: func(
			ctx context.Context, o *data.ReadOptions, sources []source.Source,
		) (*data.RowBlock, error) {
			return with(o).read(ctx, sources, block)
		},
		Blocks: func(
			ctx context.Context, o *data.ReadOptions, sources []source.Source,
		) (data.Features, error) {
			return with(o).blocks(ctx, sources, block, segment)
		},
		Stream: func(
			ctx context.Context, o *data.ReadOptions, sources []source.Source,
			pass func(*data.RowBlock) bool,
		) error {
			return with(o).stream(ctx, sources, block, segment, pass)
		},
		Size: func(
			ctx context.Context, o *data.ReadOptions, s *source.Source,
		) (rows, columns int64, err error) {
			return with(o).estimate(ctx, s, block)
		}}
}

// read reads in blocks of that many bytes.
func (o *Options) read(
	ctx context.Context, sources []source.Source, block int,
) (*data.RowBlock, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	t := &reading{store: store{options: o}, tokens: table.Tokens(&o.ReadOptions, data.DefaultMissing),
		until: math.MaxInt}
	for i := range sources {
		t.size += sources[i].Size
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

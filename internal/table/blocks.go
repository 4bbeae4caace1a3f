package table

import (
	"context"
	"fmt"
	"io"
	"iter"

	"github.com/coppice-ml/coppice/data"
)

// blockBytes is about how much a block of rows takes unless ReadOptions.BlockBytes is another
// number.
const blockBytes = 16 << 20

// BlockSize returns about how many bytes a block of rows is to take: ReadOptions.BlockBytes, or
// less under a low limit of memory.
func BlockSize(o *data.ReadOptions) int64 {
	const part = 16 // of the limit: what reads and predicts a block takes a few times as much
	bytes := o.BlockBytes
	if bytes == 0 {
		bytes = blockBytes
	}
	return max(1, min(bytes, o.Memory.Bytes()/part))
}

// CheckBlocks returns an error for columns that a table in blocks cannot have: verbatim ones, and
// texts, as their n-grams that become columns depend on all rows.
func CheckBlocks(o *data.ReadOptions) error {
	for name := range o.Texts {
		return BadOption(fmt.Sprintf("column %q cannot be a text in a table that is read in blocks",
			name))
	}
	if o.Verbatim != nil {
		return BadOption("no texts are kept of a table that is read in blocks")
	}
	return nil
}

// Blocks is a table that is read in blocks of rows, again for every pass over it, so that it need
// not be in memory. It is a data.RowSource. Columns are those of the reader's ReadTable, kinds and
// dictionaries included: all rows were read once for them. In memory there are the dictionaries,
// and 4 bytes for each row where lines of a file are not one row each.
type Blocks struct {
	found *Table // of no rows
	rows  int
	read  func(ctx context.Context, o *data.ReadOptions, wanted *data.Region) iter.Seq2[*Table, error]

	options data.ReadOptions // with the schema
}

// NewBlocks returns the table whose columns and origin are those of a table without rows. The
// function reads it in blocks, by options of which the schema has all columns. It may leave out
// rows that are not wanted, if any region is.
func NewBlocks(
	o *data.ReadOptions, tokens []string, found *Table, rows int,
	read func(ctx context.Context, o *data.ReadOptions, wanted *data.Region) iter.Seq2[*Table, error],
) *Blocks {
	b := &Blocks{found: found, rows: rows, read: read, options: *o}
	b.options.Schema, b.options.Missing = &found.Frame.Schema, tokens
	b.options.Numeric, b.options.Categorical, b.options.Dates = nil, nil, nil
	b.options.Ignore, b.options.AllCategorical = nil, false
	b.options.Also, b.options.Optional = nil, nil
	b.options.Formats, b.options.Log = nil, nil
	return b
}

// Schema returns the columns.
func (b *Blocks) Schema() *data.Schema { return &b.found.Frame.Schema }

// Fields implements data.RowSource.
func (b *Blocks) Fields() []data.Field { return b.found.Frame.Schema.Fields }

// Rows implements data.RowSource.
func (b *Blocks) Rows() int { return b.rows }

// Names returns the names of all columns of the files, those that are not read among them.
func (b *Blocks) Names() []string { return b.found.Columns }

// Origin returns where the rows come from.
func (b *Blocks) Origin() *data.Origin { return b.found.Frame.Origin }

// Locate implements data.RowSource.
func (b *Blocks) Locate(row int) string { return b.Origin().Locate(row) }

// Blocks implements data.RowSource.
func (b *Blocks) Blocks(ctx context.Context) iter.Seq2[data.RowBlock, error] {
	return b.BlocksOf(ctx, data.Region{To: b.rows})
}

// BlocksOf implements data.RegionSource. Groups of rows that are stored by themselves, and columns,
// are read if the region has them; of text the rows before it are read, too.
func (b *Blocks) BlocksOf(ctx context.Context, p data.Region) iter.Seq2[data.RowBlock, error] {
	return func(yield func(data.RowBlock, error) bool) {
		end := 0
		for t, err := range b.pass(ctx, p) {
			if err != nil {
				yield(data.RowBlock{}, err)
				return
			}
			first := max(end, t.first)
			if first >= p.To {
				return
			}
			end = first + t.Frame.Rows()
			if end > p.From && !yield(data.RowBlock{Frame: t.Frame, First: first}, nil) {
				return
			}
		}
		if end < p.To || p.To == b.rows && end > p.To {
			yield(data.RowBlock{}, &data.ReadError{File: b.Origin().Files[0],
				Msg: "the file changed while it was read", Err: io.ErrUnexpectedEOF})
		}
	}
}

// pass reads a region.
func (b *Blocks) pass(ctx context.Context, p data.Region) iter.Seq2[*Table, error] {
	if p.From == 0 && p.To == b.rows && p.Columns == nil {
		return b.read(ctx, &b.options, nil)
	}
	o := b.options
	if p.Columns != nil {
		some := o.Schema.Like(nil)
		for _, c := range p.Columns {
			some.Fields = append(some.Fields, o.Schema.Fields[c])
		}
		o.Schema = &some
	}
	return b.read(ctx, &o, &p)
}

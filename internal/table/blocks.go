package table

import (
	"context"
	"fmt"
	"io"
	"iter"
	"maps"
	"slices"

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
	for _, name := range slices.Sorted(maps.Keys(o.Texts)) {
		return BadOption(fmt.Sprintf("column %q cannot be a text in a table that is read in blocks",
			name))
	}
	if o.Verbatim != nil {
		return BadOption("no texts are kept of a table that is read in blocks")
	}
	return nil
}

// blocks is a table that is read in blocks of rows, again for every pass over it.
type blocks struct {
	*data.Frame // its outline
	read        ReadBlocks
	options     data.ReadOptions // with the schema
}

// ReadBlocks passes the rows of a table on in blocks, until pass returns false. Rows that are not
// wanted may be left out, if any region is.
type ReadBlocks func(
	ctx context.Context, o *data.ReadOptions, wanted *data.Region, pass func(*data.RowBlock) bool,
) error

// Blocks returns the features whose columns and origin are those of a table without rows. The
// function reads it in blocks, by options of which the schema has all columns.
func Blocks(
	o *data.ReadOptions, tokens []string, found *data.RowBlock, rows int,
	read ReadBlocks,
) data.Features {
	b := &blocks{data.Outline(found.Schema, rows, found.Origin), read, *o}
	b.options.MissingOf = missingOf(o)
	if chosenTokens(o) { // else the format's own hold again, and data.MissingNumbers
		b.options.Missing = tokens
	}
	b.options.Schema = &b.Frame.Schema
	b.options.Numeric, b.options.Categorical, b.options.Dates = nil, nil, nil
	b.options.Ignore, b.options.AllCategorical, b.options.NewLevels = nil, false, false
	b.options.Also, b.options.Optional = nil, nil
	b.options.Formats, b.options.Log = nil, nil
	return b
}

// Blocks implements data.RowSource.
func (b *blocks) Blocks(ctx context.Context) iter.Seq2[data.RowBlock, error] {
	return b.BlocksOf(ctx, data.Region{To: b.Rows()})
}

// BlocksOf implements data.RegionSource. Groups of rows that are stored by themselves, and columns,
// are read if the region has them; of text the rows before it are read, too.
func (b *blocks) BlocksOf(ctx context.Context, p data.Region) iter.Seq2[data.RowBlock, error] {
	return func(yield func(data.RowBlock, error) bool) {
		end, over := 0, false
		err := b.pass(ctx, p, func(t *data.RowBlock) bool {
			first := max(end, t.First)
			if over = first >= p.To; over {
				return false
			}
			end = first + t.Frame.Rows()
			over = end > p.From && !yield(data.RowBlock{Frame: t.Frame, First: first}, nil)
			return !over
		})
		switch {
		case over:
		case err != nil:
			yield(data.RowBlock{}, err)
		case end < p.To || p.To == b.Rows() && end > p.To:
			yield(data.RowBlock{}, &data.ReadError{File: b.Origin.Files[0],
				Msg: "the file changed while it was read", Err: io.ErrUnexpectedEOF})
		}
	}
}

// pass reads a region.
func (b *blocks) pass(
	ctx context.Context, p data.Region, pass func(*data.RowBlock) bool,
) error {
	if p.From == 0 && p.To == b.Rows() && p.Columns == nil {
		return b.read(ctx, &b.options, nil, pass)
	}
	o := b.options
	if p.Columns != nil {
		some := o.Schema.Like(nil)
		for _, c := range p.Columns {
			some.Fields = append(some.Fields, o.Schema.Fields[c])
		}
		o.Schema = &some
	}
	return b.read(ctx, &o, &p, pass)
}

package data

import (
	"cmp"
	"context"
	"iter"
)

// RowSource is a table that is read in blocks of rows, so that it need not be in memory as a whole.
// A Frame is one, of a single block.
type RowSource interface {
	// Fields returns the fields of the columns, with complete dictionaries.
	Fields() []Field
	// Rows returns the number of rows.
	Rows() int
	// Blocks yields all rows in their order, or the first error instead of a block. It may be
	// called any number of times, by several goroutines, and always yields the same rows.
	Blocks(ctx context.Context) iter.Seq2[RowBlock, error]
	// Locate names a row for an error message.
	Locate(row int) string
}

// RowBlock is consecutive rows of a table: row i of the frame is row First + i of the table.
type RowBlock struct {
	*Frame
	First int
	// Verbatim has the columns of ReadOptions.Verbatim in the file's order, all categorical, of
	// the same rows. It is nil where there are none, and in blocks of a RowSource.
	Verbatim *Frame
}

// Region is some rows and columns of a table.
type Region struct {
	From, To int   // the rows From ... To-1
	Columns  []int // ascending; nil: all
}

// RegionSource is a RowSource that reads regions of its table alone, such as some row groups of a
// Parquet file.
type RegionSource interface {
	RowSource
	// BlocksOf yields the blocks that have some of the rows, which may have others, too. Frames
	// have the columns of the region alone.
	BlocksOf(ctx context.Context, p Region) iter.Seq2[RowBlock, error]
}

// BlocksOf yields what RegionSource.BlocksOf does. Of other sources the rows before those of the
// region are read, too.
func BlocksOf(ctx context.Context, from RowSource, p Region) iter.Seq2[RowBlock, error] {
	if s, ok := from.(RegionSource); ok {
		return s.BlocksOf(ctx, p)
	}
	return func(yield func(RowBlock, error) bool) {
		for b, err := range from.Blocks(ctx) {
			if err == nil && b.First >= p.To {
				return
			}
			if err == nil && b.First+b.Rows() <= p.From {
				continue
			}
			if err == nil && p.Columns != nil {
				b.Frame = b.Select(p.Columns)
			}
			if !yield(b, err) || err != nil {
				return
			}
		}
	}
}

// Fields returns the fields of the schema.
func (f *Frame) Fields() []Field { return f.Schema.Fields }

// Blocks yields the frame as the one block of its rows, or the error of a context that is
// cancelled. Of an outline it yields the error of InMemory.
func (f *Frame) Blocks(ctx context.Context) iter.Seq2[RowBlock, error] {
	return func(yield func(RowBlock, error) bool) {
		_, err := f.InMemory()
		if err = cmp.Or(ctx.Err(), err); err != nil {
			yield(RowBlock{}, err)
			return
		}
		yield(RowBlock{Frame: f}, nil)
	}
}

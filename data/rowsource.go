package data

import (
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

// RowBlock is consecutive rows of a RowSource: row i of the frame is row First + i of the source.
type RowBlock struct {
	*Frame
	First int
}

// Fields returns the fields of the schema.
func (f *Frame) Fields() []Field { return f.Schema.Fields }

// Blocks yields the frame as the one block of its rows, or the error of a context that is
// cancelled.
func (f *Frame) Blocks(ctx context.Context) iter.Seq2[RowBlock, error] {
	return func(yield func(RowBlock, error) bool) {
		if err := ctx.Err(); err != nil {
			yield(RowBlock{}, err)
			return
		}
		yield(RowBlock{Frame: f}, nil)
	}
}

package data

import (
	"context"
	"iter"
)

// Table is a table that a reader has opened: files that have the same columns, one after the other,
// or the rows of a query. It reads when rows are requested, and reports then what is wrong with its
// options too. Errors are of type *ReadError, or those of the context. Several goroutines may read
// one at the same time, but for what can be read only once, such as a pipe.
//
//	f, err := csvdata.Open(csvdata.Options{}, "adult.csv").Frame(ctx)
type Table interface {
	// Frame reads all rows into memory. A table that takes more than ReadOptions.Memory is an error
	// that wraps memory.ErrLimit.
	Frame(ctx context.Context) (*Frame, error)
	// Read is Frame with the columns of ReadOptions.Verbatim.
	Read(ctx context.Context) (*RowBlock, error)
	// Stream reads the table once, in blocks of consecutive rows that together are what Read
	// returns. ReadOptions.Schema decides on all columns but verbatim ones. The first error is the
	// last that is yielded. Standard input is not held in memory, where its format is text.
	Stream(ctx context.Context) iter.Seq2[*RowBlock, error]
	// Blocks reads the table once for kinds, dictionaries and the number of rows, and returns it as
	// features that are read again, in blocks, for every pass. Where a column turns out to hold
	// texts behind rows of numbers, it is read twice. In memory there are the dictionaries, and 4
	// bytes for each row where lines of a file are not one row each. Kinds and dictionaries are
	// those of Frame, but in JSON lines: a text that is a number, in a column that turns
	// categorical behind it, is a category as it stands ("1.0", which Frame reads as the number 1).
	//
	// Verbatim columns and texts are an error.
	Blocks(ctx context.Context) (Features, error)
	// Estimate returns about how many rows and columns there are, by the first bytes of the first
	// file and the sizes of all; 0 where nobody can say, as of queries. Columns of sparse rows are
	// those that a row names.
	Estimate(ctx context.Context) (rows, columns int64, err error)
}

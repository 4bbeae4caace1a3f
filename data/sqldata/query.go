package sqldata

import (
	"context"
	"database/sql"
	"errors"
	"iter"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/scratch"
	"github.com/coppice-ml/coppice/internal/table"
)

// Query is the table of the rows of a query, which the database sends once: one of Frame, Read,
// Stream, Blocks and Gather reads them, and closes them. It is a data.Table.
type Query struct {
	// Enumerations are the values of types that have these alone, by what sql.ColumnType names the
	// type. Their columns are categorical, and have all these levels. A program that knows them
	// sets them before it reads.
	Enumerations map[string][]string

	options data.ReadOptions
	rows    *sql.Rows
	stored  *scratch.File // of Blocks and Gather; nil: none
}

// Open returns the table of the rows of a query. Columns that are not needed are skipped, but the
// database sends them: name those that are needed in the query.
//
// Errors of a database that fails while it sends rows wrap the error of its driver.
func Open(o data.ReadOptions, rows *sql.Rows) *Query { return &Query{options: o, rows: rows} }

// Close closes the rows and removes what Blocks and Gather stored of them.
func (q *Query) Close() error {
	err := q.rows.Close()
	if q.stored != nil {
		err = errors.Join(err, q.stored.Close())
	}
	return err
}

// Frame implements data.Table.
func (q *Query) Frame(ctx context.Context) (*data.Frame, error) {
	made, err := q.Read(ctx)
	if err != nil {
		return nil, err
	}
	return made.Frame, nil
}

// Read implements data.Table.
func (q *Query) Read(ctx context.Context) (*data.RowBlock, error) {
	defer q.rows.Close()
	b, err := table.NewBuilder(&q.options, table.Tokens(&q.options, nil))
	if err != nil {
		return nil, err
	}
	if err := q.read(ctx, b); err != nil {
		return nil, err
	}
	return b.Table()
}

// Stream implements data.Table.
func (q *Query) Stream(ctx context.Context) iter.Seq2[*data.RowBlock, error] {
	return func(yield func(*data.RowBlock, error) bool) {
		defer q.rows.Close()
		if err := table.PassOn(&q.options, table.Tokens(&q.options, nil), nil,
			func(b *data.RowBlock) bool { return yield(b, nil) },
			func(b *table.Builder) error { return q.read(ctx, b) },
		); err != nil {
			yield(nil, err)
		}
	}
}

// Blocks implements data.Table. It stores the values as they come in a scratch file of
// ReadOptions.Scratch, which Close removes. So the query runs once, every pass sees the same rows
// in the same order, and the database can be closed.
//
// The file has 8 bytes for a number or a date, and 4 for a category. Columns of ReadOptions.Ignore
// are left out.
func (q *Query) Blocks(ctx context.Context) (data.Features, error) {
	return q.Gather(ctx, func(int, int) bool { return false })
}

// Gather reads the rows into memory, as Frame does, while they keep the limit of memory and fits
// reports that so many rows and columns may be there. Where they do not, those so far and the
// others go to the scratch file of Blocks. Options that Blocks refuses are an error.
func (q *Query) Gather(
	ctx context.Context, fits func(rows, columns int) bool,
) (data.Features, error) {
	defer q.rows.Close()
	if err := table.CheckBlocks(&q.options); err != nil {
		return nil, err
	}
	made, err := table.Gather(&q.options, table.Tokens(&q.options, nil), fits,
		func() (file *scratch.File, err error) {
			q.stored, err = scratch.Create(q.options.Scratch)
			return q.stored, err
		}, func(b *table.Builder) error { return q.read(ctx, b) })
	if err != nil && q.stored != nil {
		err = errors.Join(err, q.stored.Close())
		q.stored = nil
	}
	return made, err
}

// Estimate implements data.Table: nobody knows how many rows a query has.
func (q *Query) Estimate(context.Context) (rows, columns int64, err error) { return 0, 0, nil }

package databases

import (
	"context"
	"database/sql"
	"iter"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/sqldata"
)

// Query is the table of the rows of a query, a data.Table. The query runs for every method but
// Estimate, in a transaction that may not write. Behind Gather it does not run again.
type Query struct {
	address, query string
	options        data.ReadOptions
	stored         *sqldata.Query // by Blocks and Gather
	gathered       data.Features  // nil: nobody called Gather
}

// NewQuery returns the table of a query of the database of a URL.
func NewQuery(address, query string, o data.ReadOptions) *Query {
	return &Query{address: address, query: query, options: o}
}

// run runs the query.
func (q *Query) run(ctx context.Context, read func(*sqldata.Query) error) error {
	db, err := Open(q.address, false)
	if err != nil {
		return err
	}
	defer db.Close()
	return db.rows(ctx, q.query, func(rows *sql.Rows) error {
		made := sqldata.Open(q.options, rows)
		made.Enumerations = db.enumerations(ctx, rows)
		return read(made)
	})
}

// Frame implements data.Table.
func (q *Query) Frame(ctx context.Context) (*data.Frame, error) {
	all, err := q.Read(ctx)
	if err != nil {
		return nil, err
	}
	return all.Frame, nil
}

// Read implements data.Table.
func (q *Query) Read(ctx context.Context) (all *data.RowBlock, err error) {
	if q.gathered != nil {
		f, err := q.gathered.InMemory()
		if err != nil {
			return nil, err
		}
		return &data.RowBlock{Frame: f}, nil
	}
	err = q.run(ctx, func(rows *sqldata.Query) error {
		all, err = rows.Read(ctx)
		return err
	})
	return all, err
}

// Stream implements data.Table.
func (q *Query) Stream(ctx context.Context) iter.Seq2[*data.RowBlock, error] {
	return func(yield func(*data.RowBlock, error) bool) {
		if err := q.run(ctx, func(rows *sqldata.Query) error {
			for b, err := range rows.Stream(ctx) {
				if err != nil {
					return err
				}
				if !yield(b, nil) {
					return nil
				}
			}
			return nil
		}); err != nil {
			yield(nil, err)
		}
	}
}

// Gather runs the query and reads its rows into memory, or into a scratch file until Close: see
// sqldata. Read and Blocks return them from then on.
func (q *Query) Gather(
	ctx context.Context, fits func(rows, columns int) bool,
) (data.Features, error) {
	err := q.run(ctx, func(rows *sqldata.Query) (err error) {
		q.stored = rows
		q.gathered, err = rows.Gather(ctx, fits)
		return err
	})
	return q.gathered, err
}

// Blocks implements data.Table, by a scratch file until Close.
func (q *Query) Blocks(ctx context.Context) (f data.Features, err error) {
	if q.gathered != nil {
		return q.gathered, nil
	}
	err = q.run(ctx, func(rows *sqldata.Query) error {
		q.stored = rows
		f, err = rows.Blocks(ctx)
		return err
	})
	return f, err
}

// Estimate implements data.Table: nobody knows how many rows a query has.
func (q *Query) Estimate(context.Context) (rows, columns int64, err error) { return 0, 0, nil }

// Close removes the scratch file, if there is one.
func (q *Query) Close() error {
	if q.stored == nil {
		return nil
	}
	return q.stored.Close()
}

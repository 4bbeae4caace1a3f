package tables

import (
	"context"
	"iter"
	"os"

	"github.com/spf13/pflag"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/databases"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/sqldata"
	"github.com/coppice-ml/coppice/internal/table"
)

// QueryFlag names a query whose rows are read in place of files.
type QueryFlag struct{ sql, db string }

func (o *QueryFlag) define(f *pflag.FlagSet) {
	f.StringVar(&o.sql, "sql", "", "read the rows of the `QUERY` of a database, in place of files")
	f.StringVar(&o.db, "db", "", "`URL` of the database: postgres://USER@HOST/NAME, "+
		"mysql://USER@HOST/NAME or sqlite:FILE (default: the environment variable "+
		databases.Environment+")")
}

// check finds misuse. writes reports that the command writes to the database too.
func (o *QueryFlag) check(writes bool) error {
	switch {
	case o.sql == "" && o.db != "" && !writes:
		return cli.Misusef("--db goes with --sql: add it")
	case o.sql != "" && o.Address() == "":
		return cli.Misusef("--sql goes with --db: add it, or set %s", databases.Environment)
	}
	return nil
}

// Address returns the URL of the database, "" if there is none.
func (o *QueryFlag) Address() string {
	if o.db != "" {
		return o.db
	}
	return os.Getenv(databases.Environment)
}

// parts reads the rows of the query for a model, in tables of consecutive rows.
func (o *QueryFlag) parts(
	ctx context.Context, options data.ReadOptions,
) iter.Seq2[*table.Table, error] {
	return func(yield func(*table.Table, error) bool) {
		db, err := databases.Open(o.Address(), false)
		if err != nil {
			yield(nil, err)
			return
		}
		defer db.Close()
		if err := db.Stream(ctx, o.sql, options, func(t *table.Table) bool {
			return yield(t, nil)
		}); err != nil {
			yield(nil, err)
		}
	}
}

// read reads the rows of the query.
func (o *QueryFlag) read(ctx context.Context, options data.ReadOptions) (*table.Table, error) {
	db, err := databases.Open(o.Address(), false)
	if err != nil {
		return nil, err
	}
	defer db.Close()
	return db.Read(ctx, o.sql, options)
}

// store reads the rows of the query once, into a scratch file of a folder.
func (o *QueryFlag) store(
	ctx context.Context, options data.ReadOptions, folder string,
) (*sqldata.Stored, error) {
	db, err := databases.Open(o.Address(), false)
	if err != nil {
		return nil, err
	}
	defer db.Close()
	return db.Store(ctx, o.sql, options, folder)
}

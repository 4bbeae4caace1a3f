package tables

import (
	"context"
	"os"

	"github.com/spf13/pflag"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/databases"
	"github.com/coppice-ml/coppice/data"
)

// QueryFlag names a query whose rows are read in place of files.
type QueryFlag struct {
	sql, db string
	ran     *databases.Query // whose rows are there; nil: open makes one
}

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

// open returns the table of the rows of the query.
func (o *QueryFlag) open(options data.ReadOptions) data.Table {
	if o.ran != nil {
		return o.ran
	}
	return databases.NewQuery(o.Address(), o.sql, options)
}

// gather runs the query once, for all tables that are opened from here on. Its rows are in memory
// while fits reports that so many rows and columns may be there, and the limit of memory is kept.
// Else they are in a scratch file, until the table is closed, and it reports true.
func (o *QueryFlag) gather(
	ctx context.Context, options data.ReadOptions, fits func(rows, columns int) bool,
) (stored bool, err error) {
	q := databases.NewQuery(o.Address(), o.sql, options)
	f, err := q.Gather(ctx, fits)
	if err != nil {
		return false, err
	}
	o.ran = q
	_, inBlocks := f.InMemory()
	return inBlocks != nil, nil
}

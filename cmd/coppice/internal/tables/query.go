package tables

import (
	"os"

	"github.com/spf13/pflag"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/databases"
	"github.com/coppice-ml/coppice/data"
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

// open returns the table of the rows of the query.
func (o *QueryFlag) open(options data.ReadOptions) data.Table {
	return databases.NewQuery(o.Address(), o.sql, options)
}

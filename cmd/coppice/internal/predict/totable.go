package predict

import (
	"context"
	"slices"

	"github.com/spf13/pflag"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/databases"
	"github.com/coppice-ml/coppice/internal/humanize"
)

// tableFlag names a table of a database that the predictions are written to.
type tableFlag struct {
	name, ifExists string
	flags          *pflag.FlagSet
}

func (o *tableFlag) define(f *pflag.FlagSet) {
	o.flags = f
	f.StringVar(&o.name, "to-table", "",
		"write to the table `NAME` of the database of --db, in one transaction")
	f.StringVar(&o.ifExists, "if-exists", databases.Fail,
		"if the table of --to-table exists: `WHAT` is fail, replace or append")
}

// check finds misuse; output is the value of -o.
func (o *tableFlag) check(output string) error {
	ways := []string{databases.Fail, databases.Replace, databases.Append}
	switch {
	case o.name == "" && o.flags.Changed("to-table"):
		return cli.Misusef("--to-table is empty: name a table of the database")
	case !slices.Contains(ways, o.ifExists):
		return cli.Misusef("--if-exists %q: %s", o.ifExists, cli.Instead(o.ifExists, ways))
	case o.name == "" && o.ifExists != databases.Fail:
		return cli.Misusef("--if-exists goes with --to-table: add it")
	case o.name != "" && output != "-":
		return cli.Misusef("--to-table and -o name two places for the predictions: leave one out")
	}
	return nil
}

func (o *tableFlag) checkDB(address string) error {
	if o.name != "" && address == "" {
		return cli.Misusef("--to-table goes with --db: add it, or set %s", databases.Environment)
	}
	return nil
}

// writeTable writes the predictions to the table of --to-table.
func (o *command) writeTable(ctx context.Context, w *predictionWriter) error {
	db, err := databases.Open(o.ReadFlags.Address(), true)
	if err != nil {
		return err
	}
	defer db.Close()
	to := databases.Target{Name: o.tableFlag.name, IfExists: o.tableFlag.ifExists,
		Columns: w.columns()}
	rows, err := db.Write(ctx, to, func(add func([]string) error) error {
		return w.rows(ctx, add)
	})
	if err != nil {
		return err
	}
	o.Progress.End()
	o.Printf("%s of predictions are in the table %s.\n", humanize.Count(rows, "row", "rows"),
		humanize.Name(to.Name))
	return nil
}

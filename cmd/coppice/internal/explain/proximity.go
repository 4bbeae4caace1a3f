package explain

import (
	"context"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/models"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/tables"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/explain"
	"github.com/coppice-ml/coppice/model"
)

// proximityCommand is the command proximity with its flags.
type proximityCommand struct {
	*cli.Console
	models.TableFlags
	tables.LabelFlags
	cli.ResultFlags
	neighbours int
	outliers   bool
	flags      *pflag.FlagSet
}

// NewProximity makes the command proximity.
func NewProximity(c *cli.Console) *cobra.Command {
	o := &proximityCommand{Console: c}
	cmd := &cobra.Command{
		Use:         "proximity MODEL DATA...",
		Annotations: cli.Often("neighbours outliers label missing threads out json"),
		Short:       "Compute proximities of rows, or outliers, by a forest",
		Long: `Compute which rows of a table a forest finds similar. The proximity of two rows is
the fraction of the trees in which both reach the same leaf, from 0 to 1 (Breiman & Cutler). For
each row the nearest others are written as CSV, a line for each pair: row, neighbour, proximity.
Rows are numbered from 1, and rows with no common leaf are left out.

With --outliers a line for each row is written: row, class, outlier. The outlier measure is large
for rows that are far from their own class: 0 is usual, above 10 worth a look. Classes are those
of the label in the table; without classes all rows are compared.

All trees count, also those that were trained on a row: training rows are nearer to their own
class than others. Memory is 4 bytes for each row and tree.`,
		Example: `  coppice proximity forest.coppice new.csv --neighbours 5
  coppice proximity forest.coppice train.csv --outliers -o outliers.csv
  coppice proximity forest.coppice new.csv --json`,
		Args: cli.Operands(2, -1),
		RunE: cli.FirstAndRest(o.run),
	}
	return cli.WithFlags(c, cmd,
		cli.NewSection("Output", o.define, o.ResultFlags.Define),
		cli.NewSection("Reading", o.TableFlags.Define))
}

func (o *proximityCommand) define(f *pflag.FlagSet) {
	o.flags = f
	f.IntVar(&o.neighbours, "neighbours", 10, "write the `K` nearest rows of each row")
	f.BoolVar(&o.outliers, "outliers", false,
		"write the outlier measure of each row within its class")
	o.DefineLabel(f, "with --outliers: column `COL` is the label (default: that of the model)")
	f.StringArrayVar(&o.Rename, "map", nil,
		"with --outliers: rename a value of the label, `OLD=NEW`; may be repeated")
}

func (o *proximityCommand) run(ctx context.Context, path string, files []string) error {
	if err := o.check(append([]string{path}, files...)); err != nil {
		return err
	}
	m, err := o.LimitFlag.Open(path, true)
	if err != nil {
		return err
	}
	f, class, err := o.read(ctx, m, files)
	if err != nil {
		return err
	}
	o.Progress.Begin("comparing")
	p, err := explain.NewProximities(ctx, m, f, nil, explain.ProximityOptions{Workers: o.Threads})
	if err != nil {
		return cli.Located(err, f)
	}
	var report proximityReport
	if o.outliers {
		report, err = newOutlierReport(ctx, p, class, m.Spec())
	} else {
		report, err = newNeighbourReport(ctx, p, o.neighbours)
	}
	if err != nil {
		return err
	}
	return o.ResultFlags.Write(o.Console, report, func(lines *cli.CSVWriter) error {
		report.lines(func(fields ...string) {
			_ = lines.WriteLine(fields) // flushing returns the first error
		})
		return nil
	})
}

func (o *proximityCommand) check(inputs []string) error {
	switch {
	case o.outliers && o.flags.Changed("neighbours"):
		return cli.Misusef("--neighbours does not go with --outliers: use one of them")
	case o.neighbours < 1:
		return cli.Misusef("--neighbours %d: want a number from 1 up", o.neighbours)
	case !o.outliers && o.LabelGiven():
		return cli.Misusef("--label goes with --outliers: add it")
	case !o.outliers && o.flags.Changed("map"):
		return cli.Misusef("--map goes with --outliers: add it")
	}
	if err := o.TableFlags.Check(o.Console, inputs[1:]); err != nil {
		return err
	}
	return o.ResultFlags.Check(inputs...)
}

// read reads the table. If outliers are requested, it also returns the class of each row.
func (o *proximityCommand) read(
	ctx context.Context, m model.Model, files []string,
) (*data.Frame, []uint32, error) {
	if o.outliers && m.Spec().Task.Classes() {
		ds, err := o.LabelFlags.ReadFor(ctx, o.Console, m, &o.ReadFlags, files)
		if err != nil {
			return nil, nil, err
		}
		return ds.Frame, ds.Target.Class, nil
	}
	if o.LabelGiven() || o.flags.Changed("map") {
		return nil, nil, cli.Misusef("--label and --map name the classes of rows, and this model "+
			"predicts %s: leave them out", models.Predictions(m.Spec()))
	}
	t, err := o.ReadFlags.ForModel(ctx, o.Console, m, nil, files)
	if err != nil {
		return nil, nil, err
	}
	return t.Frame, nil, nil
}

package command

import (
	"context"
	"io"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/explain"
	"github.com/coppice-ml/coppice/model"
)

// proximityCommand is the command proximity with its flags.
type proximityCommand struct {
	*console
	labelFlags
	textFlags
	threadFlag
	fileFlag
	csvFlag
	jsonFlag
	neighbours int
	outliers   bool
	flags      *pflag.FlagSet
}

func newProximity(c *console) *cobra.Command {
	o := &proximityCommand{console: c}
	cmd := &cobra.Command{
		Use:   "proximity MODEL DATA...",
		Short: "Compute proximities of rows, or outliers, by a forest",
		Long: `Compute which rows of a table a forest finds similar. The proximity of two rows is the fraction of the trees in which both
reach the same leaf, from 0 to 1 (Breiman & Cutler). For each row the nearest others are written as CSV, a line for
each pair: row, neighbour, proximity; rows are numbered from 1, and rows with no common leaf are left out. With
--outliers a line for each row is written: row, class, outlier. The outlier measure is large for rows that are far from
their own class: 0 is usual, above 10 worth a look. Classes are those of the label in the table; without classes
all rows are compared. All trees count, also those that were trained on a row: training rows are nearer to
their own class than others. Memory is 4 bytes for each row and tree.`,
		Example: `  coppice proximity forest.coppice new.csv --neighbours 5
  coppice proximity forest.coppice train.csv --outliers -o outliers.csv
  coppice proximity forest.coppice new.csv --json`,
		Args: operands(2, -1),
		RunE: func(cmd *cobra.Command, args []string) error { return o.run(cmd.Context(), args[0], args[1:]) },
	}
	return withFlags(c, cmd,
		newSection("Output", o.define, o.fileFlag.define, o.csvFlag.define, o.jsonFlag.define),
		newSection("Reading", o.textFlags.define, o.threadFlag.define))
}

func (o *proximityCommand) define(f *pflag.FlagSet) {
	o.flags = f
	f.IntVar(&o.neighbours, "neighbours", 10, "write the `K` nearest rows of each row")
	f.BoolVar(&o.outliers, "outliers", false, "write the outlier measure of each row within its class")
	f.StringVar(&o.label, "label", "", "with --outliers: column `COL` is the label (default: that of the model)")
	f.StringArrayVar(&o.rename, "map", nil, "with --outliers: rename a value of the label, `OLD=NEW`; may be repeated")
}

func (o *proximityCommand) run(ctx context.Context, path string, tables []string) error {
	if err := o.check(append([]string{path}, tables...)); err != nil {
		return err
	}
	m, err := openModel(path, true)
	if err != nil {
		return err
	}
	f, class, err := o.read(ctx, m, tables)
	if err != nil {
		return err
	}
	o.progress.begin("comparing")
	p, err := explain.NewProximities(ctx, m, f, nil, explain.ProximityOptions{Workers: o.threads})
	if err != nil {
		return located(err, f)
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
	return o.fileFlag.write(o.console, func(w io.Writer) error {
		if !o.jsonFlag.json {
			return o.writeLines(w, report)
		}
		out := *o.console
		out.out = w
		return out.json(report)
	})
}

func (o *proximityCommand) check(inputs []string) error {
	switch {
	case o.outliers && o.flags.Changed("neighbours"):
		return misusef("--neighbours does not go with --outliers: use one of them")
	case o.csvFlag.safe && o.jsonFlag.json:
		return misusef("--safe-csv does not go with --json: use one of them")
	case o.neighbours < 1:
		return misusef("--neighbours %d: want a number from 1 up", o.neighbours)
	}
	for _, flag := range []string{"label", "map"} {
		if !o.outliers && o.flags.Changed(flag) {
			return misusef("--%s goes with --outliers: add it", flag)
		}
	}
	if err := o.threadFlag.check(); err != nil {
		return err
	}
	if err := o.repeatFlag.check(tableFiles(inputs[1:])...); err != nil {
		return err
	}
	return o.fileFlag.check(inputs...)
}

// read reads the table, and where outliers are requested the class of each row.
func (o *proximityCommand) read(ctx context.Context, m model.Model, tables []string) (*data.Frame, []uint32, error) {
	options, err := o.textFlags.options(o.console)
	if err != nil {
		return nil, nil, err
	}
	if o.outliers && m.Spec().Task.Classes() {
		ds, err := o.labelFlags.readFor(ctx, o.console, m, options, tables)
		if err != nil {
			return nil, nil, err
		}
		return ds.Frame, ds.Target.Class, nil
	}
	if o.flags.Changed("label") || o.flags.Changed("map") {
		return nil, nil, misusef("--label and --map name the classes of rows, and this model predicts %s: leave them out", predictions(m.Spec()))
	}
	t, err := readForModel(ctx, o.console, m, options, tables)
	if err != nil {
		return nil, nil, err
	}
	return t.Frame, nil, nil
}

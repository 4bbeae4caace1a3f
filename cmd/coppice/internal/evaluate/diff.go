package evaluate

import (
	"context"
	"fmt"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/describe"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/models"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/tables"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/report"
)

// diff is the command diff with its flags.
type diff struct {
	*cli.Console
	models.TableFlags
	cli.JSONFlag
	tables.LabelFlags
	raw       bool
	tolerance float64
	flags     *pflag.FlagSet
}

// NewDiff makes the command.
func NewDiff(c *cli.Console) *cobra.Command {
	o := &diff{Console: c}
	cmd := &cobra.Command{
		Use:         "diff A B DATA...",
		Annotations: cli.Often("label raw tolerance weight group missing threads json"),
		Short:       "Compare two models on a table: predictions, metrics, importances",
		Long: `Predict the rows of a table with two models, and compare their responses: the
probabilities of classes, or numbers. Models may be of any format. They must predict the same
classes, or as many numbers. With --tolerance the exit status is 1 if a response differs by more.

If the table has the label of the first model, or that of --label, metrics are compared too. Events,
groups and weights are in the columns that held them in the training of the first model, else of the
second. Intervals are of a paired bootstrap: both models are evaluated on the same resampled rows. p
is how probable so large a difference is if there is none.

Where the models differ, a small tree is trained on the absolute difference, and its leaves are
listed. Importances by gain stand side by side if both models are of trees.`,
		Example: `  coppice diff xgboost.json imported.coppice test.csv
  coppice diff old.coppice new.coppice test.csv --tolerance 1e-6`,
		Args: cli.Operands(3, -1),
		RunE: func(cmd *cobra.Command, args []string) error { return o.run(cmd.Context(), args) },
	}
	return cli.WithFlags(c, cmd, cli.NewSection("Flags", o.define, o.JSONFlag.Define),
		cli.NewSection("Reading", o.TableFlags.Define))
}

func (o *diff) define(f *pflag.FlagSet) {
	o.flags = f
	f.BoolVar(&o.raw, "raw", false, "compare the scores before the link function")
	o.LabelFlags.DefineForModel(f, "column `COL` is the label (default: that of model A, if the table has it)")
	f.Float64Var(&o.tolerance, "tolerance", 0, "fail if a response differs by more than `X`")
}

func (o *diff) run(ctx context.Context, args []string) error {
	o.Postpone()
	if o.flags.Changed("tolerance") && !(o.tolerance >= 0) {
		return cli.Misusef("--tolerance %v: want 0 or more", o.tolerance)
	}
	if slices.Contains(args[2:], "-") {
		return cli.Misusef("the table is read for each model, so it cannot be standard input: " +
			"name a file")
	}
	if err := o.ThreadFlag.Check(o.Console); err != nil {
		return err
	}
	var sides [2]report.Side
	for i, path := range args[:2] {
		m, err := o.LimitFlag.Open(path, true)
		if err != nil {
			return err
		}
		sides[i] = report.Side{Name: path, Model: m, Importances: describe.Of(m).Importances()}
	}
	if err := report.Alike(sides[0].Model, sides[1].Model, args[0], args[1]); err != nil {
		return err
	}
	var columns []string
	for i := range sides {
		t, err := o.ReadFlags.ForModel(ctx, o.Console, sides[i].Model, nil, args[2:])
		if err != nil {
			return err
		}
		sides[i].Rows = t.Frame
		if i == 0 {
			columns = t.Origin.Columns
		}
	}
	if err := o.readLabels(ctx, &sides, columns, args[2:]); err != nil {
		return err
	}
	c, err := report.Compare(ctx, sides[0], sides[1], report.CompareOptions{Raw: o.raw,
		Workers: o.Threads, Memory: o.MemoryLimit(), Progress: o.Progress.Begin})
	o.Progress.End()
	if err != nil {
		return cli.Located(err, sides[0].Rows)
	}
	if c.Undefined != nil {
		o.Note("no metrics: %v", c.Undefined)
	}
	return o.print(args, c, sides[0].Rows)
}

// readLabels reads the table with its labels for both models. Nothing is read where the table has
// no label, and none was named.
func (o *diff) readLabels(
	ctx context.Context, sides *[2]report.Side, columns, files []string,
) error {
	label := sides[0].Model.Spec().Label
	switch {
	case o.LabelGiven() && tables.Incomparable(sides[0].Model) != nil:
		o.Note("no metrics: %v", tables.Incomparable(sides[0].Model))
		return nil
	case o.LabelGiven():
	case label == "" || !slices.Contains(columns, label):
		return nil
	}
	for i := range sides {
		// the label is that of the first model, also if the second has another, and so are roles
		own := o.LabelFlags
		own.LikeModels(sides[0].Model, sides[1].Model)
		if i > 0 {
			own.Quiet()
		}
		if !own.LabelGiven() {
			own.Label = label
		}
		var err error
		sides[i].Labeled, err = own.ReadFor(ctx, o.Console, sides[i].Model, &o.ReadFlags, files)
		if err != nil {
			return err
		}
	}
	return nil
}

func (o *diff) print(args []string, c *report.Comparison, f *data.Frame) error {
	if o.JSONFlag.JSON {
		if err := o.Console.JSON(c); err != nil {
			return err
		}
	} else {
		largest := humanize.Number(c.Largest, 6)
		if c.Row > 0 {
			largest += ", at " + f.Locate(c.Row-1)
		}
		o.Facts(cli.Fact{Name: "models", Text: cli.PathList(args[:2])},
			cli.Fact{Name: "rows", Text: fmt.Sprint(c.Rows)},
			cli.Fact{Name: "different", Text: humanize.Count(c.Different, "row", "rows")})
		if c.Labels != nil {
			o.Facts(cli.Fact{Name: "labels", Text: fmt.Sprintf("%d differ", *c.Labels)})
		}
		o.Facts(cli.Fact{Name: "largest", Text: largest},
			cli.Fact{Name: "mean", Text: humanize.Number(c.Mean, 6)})
		printDifferences(o.Console, c.Metrics)
		printSlices(o.Console, c.Slices)
		printImportances(o.Console, c.Importances)
	}
	if o.flags.Changed("tolerance") && c.Largest > o.tolerance {
		return fmt.Errorf("the largest difference, %s, is above the tolerance, %s",
			humanize.Number(c.Largest, 6), humanize.Exact(o.tolerance))
	}
	return nil
}

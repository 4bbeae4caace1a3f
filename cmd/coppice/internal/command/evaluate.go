package command

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/eval"
)

// evaluateCommand is the command evaluate with its flags.
type evaluateCommand struct {
	*console
	labelFlags
	textFlags
	threadFlag
	jsonFlag
}

func newEvaluate(c *console) *cobra.Command {
	o := &evaluateCommand{console: c}
	cmd := &cobra.Command{
		Use:   "evaluate MODEL DATA...",
		Short: "Measure how well a model predicts a table with known labels",
		Long: `Compare the predictions of a model with the labels of a table. A label that the model does not know is an error,
which suggests the renaming that is most likely meant. Scores of anomalies are compared with any label of two values, of which the rarer
is taken for the anomaly. What was read as missing in training is missing here. DATA may be several files; - is standard
input.`,
		Example: `  coppice evaluate model.coppice test.csv
  coppice evaluate model.coppice test.csv --json
  coppice evaluate adult.coppice adult-test.csv --map '<=50K.=<=50K' --map '>50K.=>50K'`,
		Args: operands(2, -1),
		RunE: func(cmd *cobra.Command, args []string) error { return o.run(cmd.Context(), args[0], args[1:]) },
	}
	return withFlags(c, cmd,
		newSection("Columns", func(f *pflag.FlagSet) {
			o.labelFlags.define(f, "compare with the labels in `COL` (default: the column that the model was trained on)")
			o.outcomeFlags.define(f)
		}),
		newSection("Reading", o.textFlags.define, o.threadFlag.define),
		newSection("Output", o.jsonFlag.define))
}

func (o *evaluateCommand) run(ctx context.Context, path string, tables []string) error {
	if err := o.threadFlag.check(); err != nil {
		return err
	}
	options, err := o.textFlags.options(o.console)
	if err != nil {
		return err
	}
	m, err := openModel(path, true)
	if err != nil {
		return err
	}
	ds, err := o.labelFlags.readFor(ctx, o.console, m, options, tables)
	if err != nil {
		return err
	}
	o.progress.begin("testing")
	r, err := eval.Evaluate(ctx, m, ds, nil, o.threads)
	if err != nil {
		return located(err, ds.Frame)
	}
	o.progress.end()
	if o.jsonFlag.json {
		return o.console.json(r)
	}
	o.print(r, path, tables, ds)
	return nil
}

func (o *evaluateCommand) print(r *eval.Report, path string, tables []string, ds *data.Dataset) {
	o.facts(
		fact{"model", plain(path)},
		fact{"data", fmt.Sprintf("%s: %s", pathWords(tables), count(ds.Rows(), "row", "rows"))},
		fact{"label", labelWords(&ds.Target, ds.Rows())},
	)
	o.printf("\n")
	printMetrics(o.console, partReports{{"all rows", r}})
	printConfusion(o.console, r.Confusion, "all rows")
}

package train

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/learn/catalog"
	"github.com/coppice-ml/coppice/model"
)

// NewRetrain makes the command.
func NewRetrain(c *cli.Console) *cobra.Command {
	o := &command{Console: c}
	cmd := &cobra.Command{
		Use:         "retrain MODEL DATA...",
		Annotations: cli.Often("test valid ignore fail-if not-worse-than missing date seed threads out json"),
		Short:       "Train a model again, as it was trained, on a new table",
		Long: `Train a model again on a new table, as coppice train did: with the learner, the
parameters, the seed, the columns and their roles, kinds and formats, and the same fractions of rows
for validation and test. All of that is in the model. The new model replaces MODEL, unless -o names
another file.

What differs in the new table is listed before the training: rows, categories and classes, and
columns that the model does not have, which are not used. A column of the model that is missing is
an error, unless --ignore names it. On the same table the new file is the old one, byte for byte,
but for notes, which belong to one training.

A model of another tool cannot be retrained, as its training is not known.`,
		Example: `  coppice retrain model.coppice flowers.csv
  coppice retrain model.coppice flowers.csv -o retrained.coppice
  coppice retrain model.coppice flowers.csv --seed 2 --json`,
		Args: cli.Operands(2, -1),
		RunE: cli.FirstAndRest(o.retrain),
	}
	all := cli.WithFlags(c, &cobra.Command{}, o.sections()...).Flags() // those of train
	as := func(names ...string) func(*pflag.FlagSet) {
		return func(f *pflag.FlagSet) {
			for _, name := range names {
				f.AddFlag(all.Lookup(name))
			}
		}
	}
	o.output = ""
	return cli.WithFlags(c, cmd,
		cli.NewSection("Training", as("seed", "threads", "valid", "test", "scratch"),
			func(f *pflag.FlagSet) {
				cli.NamesVar(f, &o.Ignore, "ignore", "leave out `COL,...` of the model's columns")
			}),
		cli.NewSection("Reading", o.ReadFlags.Define, o.LimitFlag.Define),
		cli.NewSection("Checks", o.CheckFlags.Define, o.gateFlags.define),
		cli.NewSection("Stored in the model", as("note", "stamp")),
		cli.NewSection("Output", func(f *pflag.FlagSet) {
			f.StringVarP(&o.output, "out", "o", "", "write the model to `FILE` (default: MODEL)")
		}, o.JSONFlag.Define))
}

// repeated is the model whose training is repeated.
type repeated struct {
	path  string
	model model.Model
	spec  *model.Spec
}

// retrain fills the flags of train by what a model stores, and trains.
func (o *command) retrain(ctx context.Context, path string, tables []string) error {
	m, err := o.LimitFlag.Open(path, true)
	if err != nil {
		return err
	}
	s := m.Spec()
	if o.Choice.Repeated, err = catalog.Stored(m); err != nil {
		return fmt.Errorf("%s cannot be retrained: %w: use coppice train", cli.PathList([]string{path}),
			err)
	}
	o.repeated, o.Choice.Name = &repeated{path, m, s}, s.Learner
	if o.output == "" {
		o.output = path
	}
	if err := o.TrainingFlags.Repeat(s); err != nil {
		return err
	}
	if err := o.SplitFlags.Repeat(s, o.Choice.Changed); err != nil {
		return err
	}
	if s.TrainedOn != nil && !o.Choice.Changed("seed") {
		o.Seed = s.TrainedOn.Seed
	}
	o.storedFlags.repeat(s)
	o.policyFlags.repeat(s, o.Ignore)
	if o.Valid != "" || o.Test != "" {
		o.importanceFlags.repeat(s.Permutation)
	}
	return o.run(ctx, tables)
}

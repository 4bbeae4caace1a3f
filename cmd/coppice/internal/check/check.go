// Package check is the commands about what models know of their training rows. Check compares a
// table with it, and profile adds it to a model that has none.
package check

import (
	"context"
	"errors"
	"fmt"
	"maps"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/coppice-ml/coppice/check"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/models"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/paramfile"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/tables"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/model"
)

// command is the command check with its flags.
type command struct {
	*cli.Console
	models.TableFlags
	tables.LabelFlags
	cli.FailIfFlag
	cli.JSONFlag
	scratch string // folder
	file    paramfile.Flags
}

// New makes the command.
func New(c *cli.Console) *cobra.Command {
	o := &command{Console: c}
	cmd := &cobra.Command{
		Use:         "check MODEL DATA...",
		Annotations: cli.Often("fail-if label weight group missing date memory threads json"),
		Short:       "Check whether a table is like the training rows of a model",
		Long: `Compare a table with what a model stores of its training rows, and print the worst
columns first. It finds columns that are missing or of another kind, and columns whose distribution
drifted. It finds missing values, categories that training had not, numbers outside of the range of
training, and those about 1,000 times as large. If the table has labels, metrics are printed too,
with intervals of 95 %. The table is read once, in blocks. DATA may be several files; - is standard
input.

Drift is the population stability index (PSI) over the bins of the training rows, with the p-value of
a chi-squared test. p-values are corrected for all tests of the table, so that of 20 tables without
drift one has a finding. A finding also needs a PSI of 0.02, or 0.2 % of the rows. Dates, and columns
that count rows, move by themselves: they are named, and not compared.

--fail-if compares figures with numbers: drifted, missing_columns, other_kinds, other_scale, rows, metrics such as auc, and of a
column psi(COLUMN), p(COLUMN), missing(COLUMN), new(COLUMN), outside(COLUMN) and infinite(COLUMN). The
exit status is 4 where a condition holds.`,
		Example: `  coppice check model.coppice flowers.csv
  coppice check model.coppice flowers.csv --fail-if 'drifted>0' --fail-if 'accuracy<0.75'
  coppice check model.coppice flowers.csv --fail-if 'psi(id)>0.2 and missing(id)>0.1'
  zcat new.csv.gz | coppice check model.coppice - --json`,
		Args: cli.Operands(2, -1),
		RunE: cli.FirstAndRest(o.run),
	}
	return o.file.Accept(c, cli.WithFlags(c, cmd,
		cli.NewSection("Flags", func(f *pflag.FlagSet) {
			o.LabelFlags.DefineForModel(f, "column `COL` is the label (default: that of the model, if the "+
				"table has it; none: no column)")
			o.PositiveFlag.Define(f, "that of the model")
			o.FailIfFlag.Define(f, "drifted>0, auc<0.75 or psi(age)>0.2")
		}, o.JSONFlag.Define),
		cli.NewSection("Reading", o.TableFlags.Define, o.file.DefineShared, func(f *pflag.FlagSet) {
			f.StringVar(&o.scratch, "scratch", "", "metrics of long tables: the `FOLDER` for scratch "+
				"files (default: the system's for temporary files)")
		})), nil)
}

func (o *command) run(ctx context.Context, path string, files []string) error {
	o.Postpone()
	if err := o.TableFlags.Check(o.Console, files); err != nil {
		return err
	}
	if _, err := o.ReadFlags.Options(o.Console); err != nil {
		return err
	}
	m, err := o.LimitFlag.Open(path, true)
	if err != nil {
		return err
	}
	if err := o.FailIfFlag.Check(func() []string { return figures(m.Spec()) }); err != nil {
		return err
	}
	r, err := o.check(ctx, m, files)
	if err != nil {
		return err
	}
	if r.Rows == 0 {
		return fmt.Errorf("%s: there are no rows to check", cli.PathList(files))
	}
	err = o.JSONFlag.Show(o.Console, r, func() { o.print(r, m, path, files) })
	return errors.Join(err, o.FailIfFlag.Holds(func(figure string) (float64, error) {
		return value(r, figure)
	}))
}

// check reads the table, anew without a column whose values are not of the model's kind.
func (o *command) check(ctx context.Context, m model.Model, files []string) (*check.Report, error) {
	label := o.Label
	if !o.LabelGiven() {
		label = m.Spec().Label
	}
	with := check.Options{Options: model.Options{Workers: o.Threads, Memory: o.MemoryLimit()},
		Label: label, NoLabel: label == "none", Unread: map[string]string{}, Scratch: o.scratch,
		Roles: o.LabelFlags.RolesToCheck(o.Console, m, files[0])}
	if err := tables.Incomparable(m); err != nil && label != "" && !with.NoLabel {
		o.Note("no metrics: %v", err)
		with.NoLabel = true
	}
	if with.NoLabel {
		label = ""
	}
	o.Progress.Begin("checking")
	defer o.Progress.End()
	for {
		c := check.New(m, with)
		err := o.LabelFlags.StreamToCheck(ctx, o.Console, m, &o.ReadFlags, with.Unread, files,
			func(f *data.Frame) error { return c.Add(ctx, f) })
		var r *check.Report
		if err == nil {
			r, err = c.Report(ctx)
		}
		err = errors.Join(err, c.Close())
		unlike := (*tables.Unlike)(nil)
		if !errors.As(err, &unlike) {
			return r, err
		}
		if unlike.Column == label && m.Spec().Schema.Index(label) < 0 {
			return nil, fmt.Errorf("%w: --label none checks without it", err)
		}
		with.Unread = maps.Clone(with.Unread)
		with.Unread[unlike.Column] = unlike.What
	}
}

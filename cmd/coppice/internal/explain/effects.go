package explain

import (
	"context"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/models"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/explain"
	"github.com/coppice-ml/coppice/internal/enum"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/model"
)

// effects is the command effects with its flags.
type effects struct {
	*cli.Console
	models.TableFlags
	cli.ResultFlags
	cli.SeedFlag
	columns    string
	method     string
	points     int
	rows       int
	individual bool
	raw        bool
	flags      *pflag.FlagSet
}

// NewEffects makes the command.
func NewEffects(c *cli.Console) *cobra.Command {
	o := &effects{Console: c}
	cmd := &cobra.Command{
		Use:         "effects MODEL DATA...",
		Annotations: cli.Often("columns method points individual rows missing seed threads out json"),
		Short:       "Compute how predictions change with a column, or with two",
		Long: `Compute how a model's predictions change with one column or two, for rows of a table.

partial      Partial dependence: the mean prediction if all rows had a value (Friedman 2001).
             --individual writes the curve of each row too (ICE).
accumulated  Accumulated local effects: rows change only within an interval that they are in,
             so that columns may depend on each other (Apley & Zhu 2020). The mean is 0.
interaction  Friedman's H: of each column with all others, then of each pair, from 0 = none.

A column of dates is named as it was read, such as day, or by its parts, such as day.month. Results
are CSV: a line for each value, or pair of values, with the predictions. With --raw the score of two
classes points towards the positive one, which heads its column. Models may be of any kind and
format. Rows are a sample of --rows rows of the table; 0 takes all.`,
		Example: `  coppice effects prices.coppice houses.csv --columns area
  coppice effects prices.coppice houses.csv --columns area,age -o effects.csv
  coppice effects prices.coppice houses.csv --columns area --method accumulated
  coppice effects prices.coppice houses.csv --columns area,age --method interaction`,
		Args: cli.Operands(2, -1),
		RunE: cli.FirstAndRest(o.run),
	}
	return cli.WithFlags(c, cmd,
		cli.NewSection("Flags", o.define, o.SeedFlag.Define),
		cli.NewSection("Output", o.ResultFlags.Define),
		cli.NewSection("Reading", o.TableFlags.Define))
}

func (o *effects) define(f *pflag.FlagSet) {
	o.flags = f
	f.StringVar(&o.columns, "columns", "", "features of the model, `COL,COL` (required)")
	f.StringVar(&o.method, "method", "partial", "`METHOD`: "+strings.Join(methodNames(), ", "))
	f.IntVar(&o.points, "points", 50, "values or intervals of a column, at most `N`")
	f.IntVar(&o.rows, "rows", 0,
		"sample `N` rows, 0 = all (default: 5000, for interaction 300)")
	f.BoolVar(&o.individual, "individual", false, "write the curve of each row too")
	f.BoolVar(&o.raw, "raw", false, "effects on the scores before the link function")
}

// method is what can be computed.
type method struct {
	name string
	rows int // that are sampled
	run  func(context.Context, *request) (result, error)
}

// request is what a method works on.
type request struct {
	model   model.Model
	frame   *data.Frame
	rows    []int32
	columns []string
	outputs []string // their names
	options explain.EffectOptions
}

// result is the object that --json prints; lines writes it as lines of CSV, the header first.
type result interface {
	lines(write func(fields ...string))
}

func methods() []method {
	return []method{
		{"partial", 5000, partial},
		{"accumulated", 5000, accumulated},
		{"interaction", 300, interaction},
	}
}

func methodNames() []string {
	return enum.NamesOf(methods(), func(r method) string { return r.name })
}

func (o *effects) run(ctx context.Context, path string, files []string) error {
	chosen, err := o.check(append([]string{path}, files...))
	if err != nil {
		return err
	}
	m, err := o.LimitFlag.Open(path, true)
	if err != nil {
		return err
	}
	t, err := o.ReadFlags.ForModel(ctx, o.Console, m, nil, files)
	if err != nil {
		return err
	}
	r := &request{model: m, frame: t.Frame, columns: strings.Split(o.columns, ","),
		options: explain.EffectOptions{Points: o.points, Workers: o.Threads,
			Individual: o.individual}}
	if o.raw {
		r.options.Output = model.Raw
	}
	r.rows = o.sample(t.Frame, chosen.rows)
	r.outputs = outputNames(m, o.raw)
	o.Progress.Begin("predicting")
	found, err := chosen.run(ctx, r)
	if err != nil {
		return cli.Located(err, t.Frame)
	}
	return o.ResultFlags.Write(o.Console, found, func(lines *cli.CSVWriter) (err error) {
		found.lines(func(fields ...string) {
			if err == nil {
				err = lines.WriteLine(fields)
			}
		})
		return err
	})
}

// check finds misuse, and the method.
func (o *effects) check(inputs []string) (*method, error) {
	var chosen *method
	for _, m := range methods() {
		if m.name == o.method {
			chosen = &m
		}
	}
	columns := strings.Split(o.columns, ",")
	switch {
	case o.columns == "":
		return nil, cli.Misusef("--columns is missing: want features of the model, COL or COL,COL")
	case chosen == nil:
		return nil, cli.Misusef("--method %q: %s", o.method, cli.Instead(o.method, methodNames()))
	case len(columns) > 2 && o.method != "interaction":
		return nil, cli.Misusef("--columns %s: want one column or two for --method %s", o.columns, o.method)
	case o.points < 2:
		return nil, cli.Misusef("--points %d: want a number from 2 up", o.points)
	case o.rows < 0:
		return nil, cli.Misusef("--rows %d: want a number from 0 up", o.rows)
	case o.individual && o.method != "partial":
		return nil, cli.Misusef("--individual goes with --method partial: leave one of them out")
	case o.method == "interaction" && o.flags.Changed("points"):
		return nil, cli.Misusef("--points does not go with --method interaction: leave it out")
	}
	if err := o.TableFlags.Check(o.Console, inputs[1:]); err != nil {
		return nil, err
	}
	return chosen, o.ResultFlags.Check(inputs...)
}

// sample returns the rows that are used: nil = all.
func (o *effects) sample(f *data.Frame, most int) []int32 {
	if o.flags.Changed("rows") {
		most = o.rows
	}
	if most == 0 || f.Rows() <= most {
		return nil
	}
	o.Note("a sample of %d of %d rows: --rows 0 takes all", most, f.Rows())
	return rng.New(o.Seed, forRows).Some(nil, f.Rows(), most)
}

// forRows is the stream of the sample.
const forRows = 1

// outputNames names the predictions of a row, nil for raw scores: results name their classes.
func outputNames(m model.Model, raw bool) []string {
	s := m.Spec()
	if s.Task.Classes() && !raw {
		return models.ProbabilityColumns(s.Classes)
	}
	if len(s.Quantiles) > 1 && !raw {
		return models.QuantileColumns(s.Quantiles)
	}
	return nil
}

package explain

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/describe"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/models"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/tables"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/explain"
	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/model"
)

// why is the command why with its flags.
type why struct {
	*cli.Console
	models.TableFlags
	cli.JSONFlag
	row   int
	want  string
	like  string
	fix   []string
	limit time.Duration
	top   int
	flags *pflag.FlagSet
}

// NewWhy makes the command.
func NewWhy(c *cli.Console) *cobra.Command {
	o := &why{Console: c}
	cmd := &cobra.Command{
		Use:         "why MODEL DATA...",
		Annotations: cli.Often("row want fix like top missing threads json"),
		Short:       "Answer why a row is predicted so, and which change would turn it",
		Long: `Answer questions about one row of a table. Which columns contribute most to its prediction
(see coppice explain)? Which smallest change of its values turns the prediction? With --like, which
other rows are nearest to it by the leaves of the model's trees (see coppice proximity)?

Reasons point towards the positive one of two classes, or the predicted one of several. They are
exact for raw scores of trees, linear models and sums of these. Others are estimates
for the response: 100 pairs of orders of the columns, against 100 rows of --like, or of DATA without
it. They have standard errors.

The smallest change has the fewest columns, and then the lowest cost: the sum of |change| divided
by the interquartile range of the column. A category costs 1, as does a missing value. Values are
those between the least and the greatest of --like, or of DATA without it, with as many decimals.
Levels are those that occur there. Columns of dates and texts keep their values.

For trees, "exact" means that the search has proved that no smaller change exists. Otherwise the
best change is the one that was found: within --time-limit, or among quantiles of the numbers for
models of other kinds. It depends on the machine only where the time ended.`,
		Example: `  coppice why boosted.coppice flowers.csv --row 1
  coppice why boosted.coppice flowers.csv --row 1 --want rose --fix id --like train.csv
  coppice why prices.coppice houses.csv --row 3 --want '>200000' --json`,
		Args: cli.Operands(2, -1),
		RunE: cli.FirstAndRest(o.run),
	}
	return cli.WithFlags(c, cmd,
		cli.NewSection("Flags", o.define, o.JSONFlag.Define),
		cli.NewSection("Reading", o.TableFlags.Define))
}

func (o *why) define(f *pflag.FlagSet) {
	o.flags = f
	f.IntVar(&o.row, "row", 0, "explain row `N` of the table, from 1 (required)")
	f.StringVar(&o.want, "want", "", "turn the prediction into a `CLASS`, or of numbers into one "+
		"above or below X: '>X', '<X' (default: any other class)")
	f.StringVar(&o.like, "like", "",
		"rows whose values are possible, and among which the nearest are: a table `FILE`")
	cli.NamesVar(f, &o.fix, "fix", "do not change columns `COL,COL`")
	f.DurationVar(&o.limit, "time-limit", 10*time.Second,
		"end the search for the smallest change after `TIME`; 0 = no limit")
	f.IntVar(&o.top, "top", 5, "print the `K` strongest reasons and the K nearest rows")
}

// check finds misuse.
func (o *why) check(files []string) error {
	switch {
	case !o.flags.Changed("row"):
		return cli.Misusef("--row is missing: name the row of the table, from 1")
	case o.row < 1:
		return cli.Misusef("--row %d: want a number from 1 up", o.row)
	case o.top < 1:
		return cli.Misusef("--top %d: want a number from 1 up", o.top)
	case o.limit < 0:
		return cli.Misusef("--time-limit %v: want a time from 0 up", o.limit)
	case o.like == "-" && slices.Contains(files, "-"):
		return cli.Misusef("--like - and the table are both standard input: use a file for one of them")
	}
	return o.TableFlags.Check(o.Console, files)
}

func (o *why) run(ctx context.Context, path string, files []string) error {
	o.Postpone()
	if err := o.check(files); err != nil {
		return err
	}
	m, err := o.LimitFlag.Open(path, true)
	if err != nil {
		return err
	}
	options, err := o.goal(m.Spec())
	if err != nil {
		return err
	}
	t, err := o.ReadFlags.ForModel(ctx, o.Console, m, tables.NewInputs(m).Verbatim(nil), files)
	if err != nil {
		return err
	}
	if rows := t.Frame.Rows(); o.row > rows {
		return cli.Misusef("--row %d: the table has %s: want a number from 1 to %d", o.row,
			humanize.Count(rows, "row", "rows"), rows)
	}
	if !m.Spec().Labels() && o.want == "" {
		if err := o.setGoal(m, t.Frame, &options); err != nil {
			return err
		}
	}
	a := &answer{Row: o.row, RowBlock: t, spec: m.Spec(), files: files, like: o.like}
	if err := o.readLike(ctx, m, a, &options); err != nil {
		return err
	}
	o.Progress.Begin("searching")
	a.Change, err = explain.Counterfactual(ctx, m, t.Frame, o.row-1, options)
	if err != nil {
		return o.changeError(path, m.Spec(), t.Frame, err)
	}
	a.setPredictions()
	if of := describe.Explained(m.Spec(), m.Outputs()); of != "" {
		o.Note("the reasons and the change are of %s", of)
	}
	if offset := m.Spec().Roles.Offset; offset != "" {
		o.Note("the change leaves the offset %s as it is", humanize.Name(offset))
	}
	if err := o.reasons(ctx, m, a); err != nil {
		return err
	}
	if err := o.nearest(ctx, m, a); err != nil {
		return err
	}
	return o.JSONFlag.Show(o.Console, a, func() { o.print(a) })
}

// goal translates --want, --fix and --time-limit.
func (o *why) goal(s *model.Spec) (explain.CounterfactualOptions, error) {
	options := explain.CounterfactualOptions{Fix: o.fix, Limit: o.limit, Workers: o.Threads}
	switch {
	case s.Labels() && o.want == "":
		return options, nil
	case s.Labels():
		at := models.Class(s, o.want)
		if at < 0 {
			return options, cli.Misusef("--want %s: %s", o.want, cli.Instead(o.want, s.Classes))
		}
		options.Class = s.Classes[at]
		return options, nil
	case o.want == "":
		return options, nil // setGoal chooses a bound by the predictions of the table
	}
	x, err := strconv.ParseFloat(strings.TrimSpace(o.want[1:]), 64)
	if err != nil || math.IsInf(x, 0) || math.IsNaN(x) {
		return options, cli.Misusef("--want %s: want '>X' or '<X', with a number X", o.want)
	}
	switch o.want[0] {
	case '>':
		options.Above = &x
	case '<':
		options.Below = &x
	default:
		return options, cli.Misusef("--want %s: want '>X' or '<X', with a number X", o.want)
	}
	return options, nil
}

// setGoal asks for the other side of the median prediction of the table, where --want names no
// bound.
func (o *why) setGoal(m model.Model, f *data.Frame, options *explain.CounterfactualOptions) error {
	p, err := m.Bind(&f.Schema, model.Options{Workers: o.Threads})
	if err != nil {
		return err
	}
	if f.Rows() < 2 {
		return cli.Misusef("--want is missing: the model predicts %s, so choose a bound, "+
			"--want '>X' or --want '<X'", models.Predictions(m.Spec()))
	}
	values := make([]float64, f.Rows()*p.Width())
	if err := p.Predict(values, f, nil); err != nil {
		return cli.Located(err, f)
	}
	for row := range f.Rows() {
		values[row] = values[row*p.Width()+m.Spec().Median()]
	}
	values = values[:f.Rows()]
	own := values[o.row-1]
	slices.Sort(values)
	median, err := strconv.ParseFloat(humanize.Number(values[len(values)/2], 6), 64)
	if err != nil {
		return err
	}
	if own <= median {
		options.Above, o.want = &median, ">"+humanize.Exact(median)
	} else {
		options.Below, o.want = &median, "<"+humanize.Exact(median)
	}
	o.Note("--want is %s, the median prediction of the table: --want '>X' or --want '<X' chooses "+
		"another bound", o.want)
	return nil
}

// readLike reads the reference with its labels, if it has the label's column. Standard input can be
// read once only, so its labels are left out.
func (o *why) readLike(
	ctx context.Context, m model.Model, a *answer, options *explain.CounterfactualOptions,
) error {
	if o.like == "" {
		return nil
	}
	t, err := o.ReadFlags.ForModel(ctx, o.Console, m, nil, []string{o.like})
	if err != nil {
		return err
	}
	label := m.Spec().Label
	if label != "" && o.like != "-" && slices.Contains(t.Origin.Columns, label) {
		if t, err = o.ReadFlags.ForModel(ctx, o.Console, m, []string{label}, []string{o.like}); err != nil {
			return err
		}
	}
	options.Like, a.reference, a.labels = t.Frame, t.Frame, t.Verbatim
	if t.Frame.Rows() == 0 {
		return fmt.Errorf("%s: the table has no rows", o.like)
	}
	return nil
}

// changeError names the flag or the row that an error is about.
func (o *why) changeError(path string, s *model.Spec, f *data.Frame, err error) error {
	var column *explain.ColumnError
	switch {
	case errors.As(err, &column):
		return cli.Misusef("--fix %s: %s", column.Column, err)
	case errors.Is(err, explain.ErrReached):
		return cli.Misusef("--want %s: %s is predicted so already: choose another prediction",
			o.want, f.Locate(o.row-1))
	case errors.Is(err, context.Canceled):
		return err
	}
	if located := cli.Located(err, f); located.Error() != err.Error() {
		return located
	}
	return fmt.Errorf("%s: %w", path, err)
}

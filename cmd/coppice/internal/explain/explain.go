// Package explain is the commands that compute how a model predicts. Explain divides predictions
// among the columns, by Shapley values. Effects computes how they change with one column or two,
// and how strongly columns interact. Surrogate trains one tree on them. Why answers for one row
// what its prediction is made of, and what would have to be different. Proximity computes which
// rows a forest finds similar, and which are outliers.
package explain

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/describe"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/models"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/tables"
	"github.com/coppice-ml/coppice/data"
	explanation "github.com/coppice-ml/coppice/explain"
	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/param"
)

// command is the command explain with its flags.
type command struct {
	*cli.Console
	models.TableFlags
	cli.ResultFlags
	cli.SeedFlag
	models.RoundsFlag
	keep         []string
	top          int
	interactions bool
	background   string
	cover        string
	groups       string
	class        string
	output       string
	samples      int
	flags        *pflag.FlagSet
}

// New makes the command.
func New(c *cli.Console) *cobra.Command {
	o := &command{Console: c}
	cmd := &cobra.Command{
		Use:         "explain MODEL DATA...",
		Annotations: cli.Often("top keep interactions background samples class output missing seed threads out json"),
		Short:       "Divide predictions among the columns, by Shapley values",
		Long: `Compute Shapley values of the rows of a table: what each column contributes to the raw
score, before the link function (log odds, for instance). The contributions of a row and its bias
add up to the score. For trees and linear models, of any format, they are exact, and so they are for
means and sums of these: bags, votes, stacks with a linear meta-learner.

Other models, and the probabilities of --output proba, need --background. Values are estimated by
random orders of the columns, --samples pairs of them for each row. A note has the largest standard
error; --json and --top have that of each value.

CSV has one line for each row, with one column for each feature and the column bias, in 12 digits.
Of two classes, contributions are towards the positive one, and of anomalies towards these; --class
names the other, which turns their sign. More classes have a line each, with the name in the column
score. --top K prints the K strongest contributions of each row as text. --interactions writes a
line for each pair of features, where a feature with itself is the main effect; the values of a row
add up to the score too.

Without --background, a value that is not known is averaged over the branches by their training
weight (path-dependent TreeSHAP, as XGBoost's pred_contribs). --cover FILE counts the rows of a
table in place of weights that a model does not have. With --background, a FILE or a number of
rows of DATA, it is replaced by the values of each of these rows (interventional).

A column that a model makes of several, such as the target statistic of two categories, has its
contribution divided equally among these without --background. With it, such columns are computed
anew, and only the table's own columns contribute.`,
		Example: `  coppice explain model.coppice flowers.csv -o contributions.csv
  coppice explain prices.coppice houses.csv --keep id --background 100
  coppice explain prices.coppice houses.csv --top 2
  coppice explain model.coppice flowers.csv --background 100 --output proba --top 3
  coppice explain prices.coppice houses.csv --interactions --groups area+age`,
		Args: cli.Operands(2, -1),
		RunE: cli.FirstAndRest(o.run),
	}
	return cli.WithFlags(c, cmd,
		cli.NewSection("Flags", o.define, o.RoundsFlag.Define, o.SeedFlag.Define),
		cli.NewSection("Output", o.ResultFlags.Define),
		cli.NewSection("Reading", o.TableFlags.Define))
}

func (o *command) define(f *pflag.FlagSet) {
	o.flags = f
	cli.NamesVar(f, &o.keep, "keep", "columns `COL,COL` to copy from the table; --top writes "+
		"them behind the line of each row")
	f.IntVar(&o.top, "top", 0, "print the `K` strongest contributions of each row as text")
	f.BoolVar(&o.interactions, "interactions", false, "write interaction values of all pairs")
	f.StringVar(&o.background, "background", "",
		"rows for values that are not known: a table `FILE`, or a number of rows of DATA")
	f.StringVar(&o.cover, "cover", "", "count the rows of table `FILE` in the trees' branches")
	f.StringVar(&o.groups, "groups", "", "add up the features of each group, `A+B,C+D`; a column "+
		"of dates or texts stands for all of its parts")
	f.StringVar(&o.output, "output", raw, "explain `WHAT`: raw scores, or proba: probabilities, "+
		"or numbers after the link function; needs --background")
	f.IntVar(&o.samples, "samples", 100, "estimate by `N` pairs of orders of the columns for each "+
		"row, where values are not exact")
	f.StringVar(&o.class, "class", "", "explain the score of class `C`, of two classes "+
		"either, or of a quantile such as q0.9 (default: the positive one of two classes, else all)")
}

// check finds misuse.
func (o *command) check(inputs []string) error {
	switch {
	case o.flags.Changed("top") && o.top < 1:
		return cli.Misusef("--top %d: want a number from 1 up", o.top)
	case o.top > 0 && (o.interactions || o.JSONFlag.JSON || o.CSVFlag.Safe):
		return cli.Misusef("--top writes text: it goes with none of --interactions, --json and " +
			"--safe-csv")
	case o.background != "" && o.cover != "":
		return cli.Misusef("--cover does not go with --background, which needs no weights")
	case o.output != raw && o.output != proba:
		return cli.Misusef("--output %q: %s", o.output, cli.Instead(o.output, []string{raw, proba}))
	case o.samples < 2:
		return cli.Misusef("--samples %d: want a number from 2 up", o.samples)
	case o.output == proba && o.background == "":
		return cli.Misusef("--output proba needs --background: a table FILE, or a number of rows " +
			"of DATA")
	case o.output == proba && o.interactions:
		return cli.Misusef("--interactions does not go with --output proba, whose values are " +
			"estimated by samples")
	}
	if n, err := strconv.Atoi(o.background); err == nil && n < 1 {
		return cli.Misusef("--background %d: want a number of rows from 1 up", n)
	}
	if err := o.TableFlags.Check(o.Console, inputs[1:]); err != nil {
		return err
	}
	for _, file := range []string{o.background, o.cover} {
		if _, err := strconv.Atoi(file); err != nil && file != "" {
			inputs = append(inputs, file)
		}
	}
	return o.ResultFlags.Check(inputs...)
}

func (o *command) run(ctx context.Context, path string, files []string) error {
	if err := o.check(append([]string{path}, files...)); err != nil {
		return err
	}
	m, err := o.LimitFlag.Open(path, true)
	if err != nil {
		return err
	}
	if err := o.RoundsFlag.Check(m); err != nil {
		return err
	}
	exact := o.exact(m)
	if !exact {
		if err := o.checkSampled(path, m); err != nil {
			return err
		}
	} else if o.flags.Changed("samples") {
		return cli.Misusef("--samples does not go with exact values: use --output proba too")
	}
	_, some := strconv.Atoi(o.background) // rows drawn from all
	verbatim := o.keep
	if o.top > 0 {
		verbatim = tables.NewInputs(m).Verbatim(o.keep)
	}
	parts, err := o.ReadFlags.StreamForModel(ctx, o.Console, m, verbatim, files, some == nil)
	if err != nil {
		return err
	}
	defer parts.Close()
	t := parts.First
	options := explanation.ShapleyOptions{Rounds: o.Rounds, Workers: o.Threads}
	limit, err := o.ReadFlags.Limit()
	if err != nil {
		return err
	}
	options.Memory = limit.Bytes() / 4 // the rest is for the table and the result
	drawn, err := o.known(ctx, m, t.Frame, &options)
	if err != nil {
		return err
	}
	e := &explained{drawn: drawn, keep: o.keep, model: m, parts: parts.All(), table: t, options: options, output: model.Raw}
	if o.output == proba {
		e.output = model.Response
	}
	if !exact {
		e.sampled = o.sampledOptions(e)
	}
	if e.scores, err = o.scores(e); err != nil {
		return err
	}
	if e.columns, err = newColumns(m, o.groups, o.top > 0); err != nil {
		return err
	}
	if exact && o.background == "" {
		describe.Divided(o.Console, m, "; with --background they are computed anew")
	}
	o.Progress.Begin("explaining")
	return o.FileFlag.Print(o.Console, func(out *cli.Console) error {
		err := o.write(ctx, out, e)
		var uncovered *explanation.NotCoveredError
		switch {
		case errors.Is(err, explanation.ErrNoCover):
			return fmt.Errorf("%s: %w (--cover, --background)", path, err)
		case errors.As(err, &uncovered) && o.background == "":
			return fmt.Errorf("%s: %w: use a background table (--background)", path, err)
		case errors.As(err, &uncovered):
			return fmt.Errorf("%s: %w: use --output proba to estimate them", path, err)
		}
		return err
	})
}

// known finds what stands for values that are not known: a background, or new weights. It returns
// the number of rows if the background is a sample.
func (o *command) known(
	ctx context.Context, m model.Model, f *data.Frame, options *explanation.ShapleyOptions,
) (drawn int, err error) {
	if o.cover != "" {
		if _, ok := model.AsTrees(m); !ok {
			d := m.Describe()
			return 0, cli.Misusef("--cover is for trees: this model %s", d.Obstructs())
		}
		t, err := o.ReadFlags.ForModel(ctx, o.Console, m, nil, []string{o.cover})
		if err != nil {
			return 0, err
		}
		options.Cover = t.Frame
	}
	if o.background == "" {
		return 0, nil
	}
	n, err := strconv.Atoi(o.background)
	if err != nil {
		t, err := o.ReadFlags.ForModel(ctx, o.Console, m, nil, []string{o.background})
		if err != nil {
			return 0, err
		}
		options.Background = t.Frame
		return 0, nil
	}
	if n < f.Rows() {
		drawn = n
		o.Note("the background is a sample of %d of %d rows: --background %d takes all", n, f.Rows(),
			f.Rows())
	}
	rows := rng.New(o.Seed, forBackground).Some(nil, f.Rows(), min(n, f.Rows()))
	options.Background = f.Subset(rows)
	return drawn, nil
}

// forBackground is the stream of the sample of background rows.
const forBackground = 1

// score is a raw score, or an output, that is explained.
type score struct {
	at     int
	name   string // of its class or output; "" if there is only one, of numbers
	turned bool   // contributions are towards the class that the score is not of
}

// of returns contributions to the score as they are shown.
func (s score) of(values []float64) []float64 {
	if s.turned {
		for i, x := range values {
			values[i] = 0 - x
		}
	}
	return values
}

// bias returns the mean score as it is shown.
func (s score) bias(of []float64) float64 { return s.of([]float64{of[s.at]})[0] }

// scores returns the scores to explain: that of --class, else that of the positive one of two
// classes, else all.
func (o *command) scores(e *explained) ([]score, error) {
	width, err := e.width()
	if err != nil {
		return nil, err
	}
	spec := e.model.Spec()
	classes := spec.Classes
	if !spec.Labels() {
		classes = nil
	}
	at := spec.Positive()
	if o.class != "" && (classes != nil || width == 1) {
		switch at = models.Class(spec, o.class); {
		case classes == nil:
			return nil, cli.Misusef("--class %s: the model predicts %s", o.class,
				models.Predictions(spec))
		case at < 0:
			return nil, cli.Misusef("--class %s: %s", o.class, cli.Instead(o.class, classes))
		}
	}
	switch {
	case width == 1 && len(classes) == 2:
		return []score{{0, classes[at], at != spec.Positive()}}, nil
	case width == 1:
		return []score{{}}, nil
	case width == len(classes) && at >= 0:
		return []score{{at: at, name: classes[at]}}, nil
	}
	var all []score
	var names []string
	for k := range width {
		s := score{at: k, name: strconv.Itoa(k)}
		switch width {
		case len(classes):
			s.name = classes[k]
		case len(spec.Quantiles):
			s.name = models.QuantileColumns(spec.Quantiles)[k]
		}
		if classes == nil && s.name == o.class {
			return []score{s}, nil
		}
		all, names = append(all, s), append(names, s.name)
	}
	if o.class != "" {
		return nil, cli.Misusef("--class %s: %s", o.class, cli.Instead(o.class, names))
	}
	return all, nil
}

// noteDirection reports what contributions are towards, where the output does not name it.
func (o *command) noteDirection(e *explained) {
	classes := e.model.Spec().Classes
	if len(e.scores) != 1 || len(classes) != 2 || e.scores[0].name == "" {
		return
	}
	other := classes[0]
	if other == e.scores[0].name {
		other = classes[1]
	}
	o.Note("contributions are towards %s; --class %s turns their sign",
		humanize.Name(e.scores[0].name), humanize.Name(other))
}

func (o *command) write(ctx context.Context, out *cli.Console, e *explained) error {
	switch {
	case o.top > 0:
		return e.top(ctx, out.Out, o.top)
	case o.JSONFlag.JSON:
		return e.json(ctx, out, o.interactions)
	}
	o.noteDirection(e)
	return o.CSVFlag.Write(o.Console, out.Out, func(lines *cli.CSVWriter) error {
		if o.interactions {
			return e.interactions(ctx, lines.WriteLine)
		}
		return e.contributions(ctx, lines.WriteLine)
	})
}

// columns are the features of a model, and groups of them.
type columns struct {
	names []string
	of    []int // by feature its column
}

// newColumns joins the features of each group into a column, in the place of the first of them.
// With dates those of a date are a group.
func newColumns(m model.Model, groups string, dates bool) (*columns, error) {
	schema := &m.Spec().Schema
	fields := schema.Names()
	group := make([]string, len(fields)) // by feature
	sets, err := param.ParseGroups(groups)
	if err != nil {
		return nil, cli.Misusef("--groups: %w", err)
	}
	for _, set := range sets {
		for _, name := range set {
			of := schema.PartsOf(name) // all parts of a date or a text
			if at := slices.Index(fields, name); at >= 0 {
				of = []int{at}
			}
			if of == nil {
				return nil, cli.Misusef("--groups %s: the model has no feature %q", groups, name)
			}
			for _, at := range of {
				if group[at] != "" {
					return nil, cli.Misusef("--groups %s: %q is in two groups", groups, name)
				}
				group[at] = param.WriteGroups([][]string{set})
			}
		}
	}
	c := &columns{}
	for i, name := range fields {
		if f := &schema.Fields[i]; dates && f.From != nil && group[i] == "" {
			group[i] = f.Source()
		}
		if group[i] != "" {
			name = group[i]
		}
		at := slices.Index(c.names, name)
		if at < 0 || group[i] == "" {
			at = len(c.names)
			c.names = append(c.names, name)
		}
		c.of = append(c.of, at)
	}
	return c, nil
}

// sum adds the contributions of features to their columns.
func (c *columns) sum(values []float64) []float64 {
	sums := make([]float64, len(c.names))
	for i, x := range values {
		sums[c.of[i]] += x
	}
	return sums
}

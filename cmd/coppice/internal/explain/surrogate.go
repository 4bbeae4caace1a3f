package explain

import (
	"context"
	"fmt"
	"strconv"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/coppice-ml/coppice"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/describe"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/models"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/split"
	"github.com/coppice-ml/coppice/eval"
	"github.com/coppice-ml/coppice/explain"
	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/learn/catalog"
	"github.com/coppice-ml/coppice/metric"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tree/draw"
)

// surrogate is the command surrogate with its flags.
type surrogate struct {
	*cli.Console
	models.TableFlags
	cli.JSONFlag
	cli.SeedFlag
	depth int
	test  float64
	out   string
}

// NewSurrogate makes the command.
func NewSurrogate(c *cli.Console) *cobra.Command {
	o := &surrogate{Console: c}
	cmd := &cobra.Command{
		Use:         "surrogate MODEL DATA...",
		Annotations: cli.Often("depth test missing seed threads out json"),
		Short:       "Train one small tree on a model's predictions, and report its fidelity",
		Long: `Train one tree on the predictions of a model, in place of a label: a global surrogate
(Craven & Shavlik 1996). The tree shows in a few rules what the model does most of the time.

Fidelity is how well the tree predicts what the model predicts, on rows that it was not trained
on: the accuracy for classes, r2 for numbers. A low fidelity means that the rules do not describe
the model. The table needs no label, and should have rows as they will occur.`,
		Example: `  coppice surrogate prices.coppice houses.csv --depth 2
  coppice surrogate prices.coppice houses.csv -o rules.coppice`,
		Args: cli.Operands(2, -1),
		RunE: cli.FirstAndRest(o.run),
	}
	return cli.WithFlags(c, cmd,
		cli.NewSection("Flags", o.define, o.SeedFlag.Define, o.JSONFlag.Define),
		cli.NewSection("Reading", o.TableFlags.Define))
}

func (o *surrogate) define(f *pflag.FlagSet) {
	f.IntVar(&o.depth, "depth", 3, "depth of the tree, `N` levels of splits")
	f.Float64Var(&o.test, "test", 0.3, "fraction `F` of the rows for the fidelity")
	f.StringVarP(&o.out, "out", "o", "", "write the tree to `FILE`, a model")
}

// surrogateReport is the object that --json prints.
type surrogateReport struct {
	Metric   string  `json:"metric"`
	Fidelity float64 `json:"fidelity"`          // on rows for the fidelity
	Training float64 `json:"training_fidelity"` // on the others
	Train    int     `json:"train_rows"`
	Test     int     `json:"test_rows"`
	Leaves   int     `json:"leaves"`
}

func (o *surrogate) run(ctx context.Context, path string, files []string) error {
	if err := o.check(append([]string{path}, files...)); err != nil {
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
	o.Progress.Begin("training")
	ds, err := explain.Relabel(ctx, m, t.Frame, o.Threads)
	if err != nil {
		return cli.Located(fmt.Errorf("%s: %w", path, err), t.Frame)
	}
	tree, r, err := o.train(ctx, ds)
	if err != nil {
		return cli.Located(err, t.Frame)
	}
	if o.out != "" {
		if err := coppice.Save(o.out, tree); err != nil {
			return err
		}
	}
	return o.print(path, tree, r)
}

func (o *surrogate) check(inputs []string) error {
	switch {
	case o.depth < 1:
		return cli.Misusef("--depth %d: want a number from 1 up", o.depth)
	case !(o.test > 0 && o.test < 1):
		return cli.Misusef("--test %v: want a fraction between 0 and 1", o.test)
	}
	if err := o.TableFlags.Check(o.Console, inputs[1:]); err != nil {
		return err
	}
	if o.out == "" {
		return nil
	}
	return cli.Writable(o.out, inputs...)
}

// train trains the tree on some rows, and computes its fidelity on the others.
func (o *surrogate) train(ctx context.Context, ds *data.Dataset) (*model.Ensemble, *surrogateReport, error) {
	train, _, test, err := split.HoldOut{Seed: o.Seed, Test: o.test}.Sets(&ds.Target, data.AllRows(ds.Rows()))
	if err != nil {
		return nil, nil, err
	}
	l, err := catalog.New("cart")
	if err != nil {
		return nil, nil, err
	}
	if err := l.Params().Set([]string{"prune=none", fmt.Sprint("depth=", o.depth)}); err != nil {
		return nil, nil, err
	}
	m, err := coppice.Train(ctx, l, ds, coppice.Rows(train), coppice.Seed(o.Seed),
		coppice.Workers(o.Threads))
	if err != nil {
		return nil, nil, err
	}
	e := m.(*model.Ensemble)
	r := &surrogateReport{Metric: "r2", Train: len(train), Test: len(test), Leaves: e.Trees[0].NumLeaves()}
	if ds.Target.Task.Classes() {
		r.Metric = "accuracy"
	}
	for rows, value := range map[*[]int32]*float64{&test: &r.Fidelity, &train: &r.Training} {
		found, err := eval.EvaluateRows(ctx, m, ds, *rows, model.Options{Workers: o.Threads})
		if err != nil {
			return nil, nil, err
		}
		var ok bool
		if *value, ok = found.Metrics.Get(r.Metric); !ok {
			why := found.Undefined
			if why == "" {
				why = fmt.Sprintf("%s has no value on %s, use more rows", r.Metric,
					humanize.Count(len(*rows), "row", "rows"))
			}
			return nil, nil, fmt.Errorf("the fidelity is not defined: %s", why)
		}
	}
	return e, r, nil
}

func (o *surrogate) print(path string, m *model.Ensemble, r *surrogateReport) error {
	if o.JSONFlag.JSON {
		return o.Console.JSON(r)
	}
	o.Facts(
		cli.Fact{Name: "surrogate", Text: "of " + path + ", " + strconv.Itoa(r.Leaves) + " leaves"},
		cli.Fact{Name: "fidelity", Text: fmt.Sprintf("%s %.4f on %d rows, %.4f on the %d rows of its training",
			metric.Words(r.Metric), r.Fidelity, r.Test, r.Training, r.Train)},
	)
	o.Printf("\n")
	v := describe.Of(m)
	options := draw.Options{Width: cli.Width}
	if o.Verbose {
		options.Width = 0
	}
	if err := draw.Text(o.Out, m.Trees[0], v.TreeNames(), options); err != nil {
		return err
	}
	if o.out != "" {
		o.Printf("\nThe tree is in %s.\n", o.out)
	}
	return nil
}

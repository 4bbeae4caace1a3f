package cv

import (
	"context"
	"encoding/json"
	"errors"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/coppice-ml/coppice"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/learner"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/tables"
	"github.com/coppice-ml/coppice/data/split"
	"github.com/coppice-ml/coppice/eval"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/model"
)

// comparison is the command compare with its flags.
type comparison struct {
	*cli.Console
	tables.TrainingFlags
	tables.FoldFlags
	learner.Several
	testFlag
	cli.SeedFlag
	cli.ThreadFlag
	cli.FileFlag
	cli.JSONFlag
	repeats int
	metric  string
}

// NewCompare makes the command.
func NewCompare(c *cli.Console) *cobra.Command {
	o := &comparison{Console: c}
	cmd := &cobra.Command{
		Use:         "compare DATA... --label COL --learners NAME,...",
		Annotations: cli.Often("label learners set folds repeats metric test time group ignore missing seed threads out json"),
		Short:       "Compare learners by repeated cross-validation on the same folds",
		Long: `Train and test learners on the same folds, and rank them by a metric. With --repeats
the rows are assigned to folds several times. A test is one fold of one assignment.

Each learner has its mean over the tests, with an interval of 95 %. The column "worse by" is how
much worse it is than the best, test by test. p is how probable so large a
difference is if there is none. Intervals and p allow for training sets that have most rows in
common (Nadeau & Bengio 2003).

The best of many learners looks better than it is, because it was chosen by these tests. --test names
rows that the folds do not have: the best learner is trained on the others and evaluated on them
once. Times are means of one training, and of one prediction of a fold. With -v the mean ranks, the
intervals of the differences and all other metrics are printed too.`,
		Example: `  coppice compare flowers.csv --label species --learners gbm,forest,logistic
  coppice compare spambase.csv --label spam --learners gbm,gbm:fast,gbm:lightgbm --folds 5
  coppice compare houses.csv --label price --learners gbm,forest,knn --repeats 3 --metric mae
  coppice compare houses.csv --label price --learners gbm,cart --set cart.depth=5 -o compared.svg`,
		Args: cli.Operands(1, -1),
		RunE: func(cmd *cobra.Command, args []string) error { return o.run(cmd.Context(), args) },
	}
	sections := append(o.TrainingFlags.Sections(),
		cli.NewSection("Comparison", o.Several.Define, o.define, o.SeedFlag.Define,
			o.ThreadFlag.Define),
		cli.NewSection("Output", func(f *pflag.FlagSet) {
			f.StringVarP(&o.FileFlag.Path, "out", "o", "",
				"write a picture of the means and their intervals as SVG to `FILE`")
		}, o.JSONFlag.Define))
	return o.Several.File.Accept(c, cli.WithFlags(c, cmd, sections...), &o.Several)
}

func (o *comparison) define(f *pflag.FlagSet) {
	o.FoldFlags.Define(f, 10, split.LeaveOneOut)
	f.IntVar(&o.repeats, "repeats", 1, "assign the rows to folds `N` times")
	f.StringVar(&o.metric, "metric", "", "rank by the metric `NAME` (default: logloss of classes, "+
		"rmse of numbers, pinball or mae if all have that loss, ndcg@10 of rankings, concordance of survival times)")
	o.DefineTest(f, testHelp)
}

// comparisonReport is the object that --json prints.
type comparisonReport struct {
	Label string     `json:"label"`
	Rows  int        `json:"rows"`
	Plan  split.Kind `json:"plan"`
	Seed  uint64     `json:"seed"`
	// Parameters are those of each learner, by name.
	Parameters map[string]json.RawMessage `json:"parameters"`
	*eval.Comparison
	Test *eval.Report `json:"test,omitempty"` // of the first learner, by the rows of --test
}

func (o *comparison) run(ctx context.Context, paths []string) error {
	o.Postpone()
	all, err := o.Several.Learners()
	if err != nil {
		return err
	}
	if err := o.RoleFlags.Check(learner.Capable(all)); err != nil {
		return err
	}
	if err := o.ThreadFlag.Check(o.Console); err != nil {
		return err
	}
	files, err := o.testFlag.check(paths)
	if err != nil {
		return err
	}
	if err := o.RepeatFlag.Check(files...); err != nil {
		return err
	}
	if o.FileFlag.Path != "" {
		if err := cli.Writable(o.FileFlag.Path, append([]string{o.Test}, paths...)...); err != nil {
			return err
		}
	}
	plan, err := o.check()
	if err != nil {
		return err
	}
	p, err := o.testFlag.read(ctx, o.Console, &o.TrainingFlags, paths, o.Seed)
	if err != nil {
		return err
	}
	plan.Kind = plan.KindFor(&p.Target)
	o.Progress.Begin("comparing")
	c, err := eval.Compare(ctx, all, p.Dataset, plan, eval.CompareOptions{Repeats: o.repeats,
		Metric: o.metric, Options: eval.Options{Workers: o.Threads, Memory: o.MemoryLimit(),
			Seed: o.Seed, Observe: o.observe, Env: coppice.Env(o.Threads)}})
	if wrong := (*eval.MetricError)(nil); errors.As(err, &wrong) {
		return cli.Misusef("--metric: %w: %s", err, cli.Instead(wrong.Name, wrong.Known))
	}
	if errors.Is(err, eval.ErrOneAssignment) {
		return cli.Misusef("--repeats %d: %w", o.repeats, err)
	}
	if err != nil {
		return cli.Located(err, p.Frame)
	}
	tested, err := o.test(ctx, all, p, c)
	if err != nil {
		return err
	}
	o.Progress.End()
	r := &comparisonReport{Label: o.Label, Rows: p.Rows(), Plan: plan.Kind, Seed: o.Seed,
		Parameters: map[string]json.RawMessage{}, Comparison: c, Test: tested}
	for _, e := range all {
		if r.Parameters[e.Name], err = json.Marshal(e.Learner.Params()); err != nil {
			return err
		}
	}
	if err := o.draw(r); err != nil {
		return err
	}
	return o.JSONFlag.Show(o.Console, r, func() { o.print(r) })
}

// test trains the best learner on all rows of the folds, and evaluates it on the test set; nil
// without one.
func (o *comparison) test(
	ctx context.Context, all []eval.Entrant, p *tables.Problem, c *eval.Comparison,
) (*eval.Report, error) {
	best := slices.IndexFunc(all, func(l eval.Entrant) bool {
		return l.Name == c.Learners[0].Name && c.Learners[0].Value != nil
	})
	if o.testFlag.rows == nil || best < 0 {
		return nil, nil
	}
	o.Progress.Begin("training")
	m, err := coppice.Train(ctx, all[best].Learner, p.Dataset, coppice.Seed(o.Seed),
		coppice.Workers(o.Threads), coppice.Memory(int64(o.MemoryLimit())),
		coppice.Observe(o.Progress.Observe))
	if err != nil {
		return nil, cli.Located(err, p.Frame)
	}
	return o.testFlag.evaluate(ctx, m, o.Seed,
		model.Options{Workers: o.Threads, Memory: o.MemoryLimit()})
}

// check makes the plan of the folds from the flags.
func (o *comparison) check() (*split.Plan, error) {
	plan, err := o.FoldFlags.Plan(o.Seed)
	if err != nil {
		return nil, err
	}
	if o.repeats < 1 {
		return nil, cli.Misusef("--repeats %d: want 1 or more", o.repeats)
	}
	return plan, nil
}

func (o *comparison) observe(r learn.Round) error {
	r.Stage = "comparing"
	return o.Progress.Observe(r)
}

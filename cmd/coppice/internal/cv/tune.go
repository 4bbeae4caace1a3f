package cv

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/coppice-ml/coppice"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/learner"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/tables"
	"github.com/coppice-ml/coppice/data/split"
	"github.com/coppice-ml/coppice/eval"
	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/internal/outside"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tune"
)

// search is the command tune with its flags.
type search struct {
	*cli.Console
	tables.TrainingFlags
	tables.FoldFlags
	learner.Several
	testFlag
	cli.SeedFlag
	cli.ThreadFlag
	cli.JSONFlag
	budget, sampler, study, metric string
	output, picture                string
	given                          *pflag.FlagSet // of the command

	start time.Time
	time  time.Duration // of the budget; 0 = none
	count int           // of trials; 0 = no limit
}

// NewTune makes the command tune.
func NewTune(c *cli.Console) *cobra.Command {
	o := &search{Console: c}
	cmd := &cobra.Command{
		Use:         "tune DATA... --label COL --budget TRIALS|TIME",
		Annotations: cli.Often("label learner set budget metric test folds study time group ignore missing seed out json"),
		Short:       "Search parameters by cross-validation, and train the best choice",
		Long: `Search settings by which a learner, or one of several, does best in cross-validation.
All trials have the same folds. The first ones have the defaults of the learners. The best choice is
then trained on all rows and written to a file, with the best trials in it.

A parameter that --set fixes is not searched; coppice learners NAME --json lists what is. Learners
that choose their rounds do so by the rows of each test, in trials; the final training chooses them
by cross-validation.

The budget is a number of trials, as 200, or a time, as 10m or 2h. With a number the result is the
same for any number of threads. --study names a file that survives an interrupt: the same command
goes on with it. Several processes, also on different machines, may work at one file: they end with
the model that one alone makes.

The metric of the best trial is optimistic, because it was chosen by these tests. --test names rows
that the trials do not have, and the model is evaluated on them once.`,
		Example: `  coppice tune flowers.csv --label species --budget 50
  coppice tune spambase.csv --label spam --learner gbm,forest,logistic --budget 10m -o spam.coppice
  coppice tune houses.csv --label price --set trees=300 --budget 100 --sampler asha --folds 10
  coppice tune clicks.csv --label clicked --budget 2h --study clicks.study --test 0.2`,
		Args: cli.Operands(1, -1),
		RunE: func(cmd *cobra.Command, args []string) error { return o.run(cmd.Context(), args) },
	}
	sections := append(o.TrainingFlags.Sections(),
		cli.NewSection("Search", o.Several.DefineSearch, o.define, o.SeedFlag.Define,
			o.ThreadFlag.Define),
		cli.NewSection("Output", func(f *pflag.FlagSet) {
			f.StringVarP(&o.output, "out", "o", "model.coppice", "write the model to `FILE`")
			f.StringVar(&o.picture, "picture", "", "draw the trials as SVG to `FILE`")
		}, o.JSONFlag.Define))
	o.given = cmd.Flags()
	return o.Several.File.Accept(c, cli.WithFlags(c, cmd, sections...), &o.Several)
}

func (o *search) define(f *pflag.FlagSet) {
	f.StringVar(&o.budget, "budget", "", "test so many trials, or begin trials for so long: `N` or "+
		"a time such as 90s, 10m, 2h (required)")
	names, _ := tune.Samplers()
	f.StringVar(&o.sampler, "sampler", names[0], "choose settings by `NAME`: tpe is near good "+
		"trials, random ignores them, asha tests random ones on few folds first")
	f.StringVar(&o.study, "study", "", "append the trials to `FILE`, or go on with those in it")
	f.StringVar(&o.metric, "metric", "", "compare by the metric `NAME` (default: logloss of "+
		"classes, rmse of numbers, pinball or mae if the loss is one, ndcg@10 of rankings, concordance of survival times)")
	o.FoldFlags.Define(f, 5)
	f.Lookup("folds").Usage += "; --cv is the same"
	f.IntVar(&o.Folds, "cv", 5, "assign the rows to `K` folds")
	f.Lookup("cv").Hidden = true
	o.DefineTest(f, testHelp)
}

// testHelp describes --test.
const testHelp = "keep the rows of `FILE|FRACTION` from the folds, and evaluate the winner on them once"

func (o *search) run(ctx context.Context, paths []string) error {
	candidates, all, err := o.Several.Candidates()
	if err != nil {
		return err
	}
	if err := o.RoleFlags.Check(learner.Capable(all)); err != nil {
		return err
	}
	plan, err := o.check(paths)
	if err != nil {
		return err
	}
	p, err := o.testFlag.read(ctx, o.Console, &o.TrainingFlags, paths, o.Seed)
	if err != nil {
		return err
	}
	o.ReadFlags.StoreTokens(&p.Schema)
	o.Progress.Begin("tuning")
	o.start = outside.Now()
	study, err := tune.Run(ctx, candidates, p.Dataset, plan, tune.Options{Trials: o.count,
		Time: o.time, Metric: o.metric, Sampler: tune.Sampler(o.sampler), Study: o.study,
		Seed: o.Seed, Workers: o.Threads, Memory: o.MemoryLimit(), Env: coppice.Env(o.Threads),
		Ranks: o.Ranks, Observe: o.observe})
	if wrong := (*eval.MetricError)(nil); errors.As(err, &wrong) {
		return cli.Misusef("--metric: %w: %s", err, cli.Instead(wrong.Name, wrong.Known))
	}
	if err != nil {
		return o.interrupted(cli.Located(err, p.Frame))
	}
	if study.Damaged > 0 {
		o.Note("study %s: lines are damaged, %d in all; what they said was tested again", o.study,
			study.Damaged)
	}
	if study.Best < 0 {
		return errors.New("no trial was tested on all folds: give a larger budget")
	}
	m, l, err := o.train(ctx, candidates, study, p)
	if err != nil {
		return o.interrupted(cli.Located(err, p.Frame))
	}
	if !o.Leads() { // of several ranks one writes files
		return nil
	}
	tested, err := o.evaluate(ctx, m, o.Seed,
		model.Options{Workers: o.Threads, Memory: o.MemoryLimit()})
	if err != nil {
		return err
	}
	if err := o.draw(m.Spec().Study); err != nil {
		return err
	}
	if err := coppice.Save(o.output, m); err != nil {
		return err
	}
	o.Progress.End()
	return o.JSONFlag.Show(o.Console, o.report(study, tested), func() { o.print(study, m, l, tested, paths) })
}

// interrupted adds to the error of an interrupt that the study stays. Other errors stay what they
// are.
func (o *search) interrupted(err error) error {
	if o.study == "" || !errors.Is(err, context.Canceled) {
		return err
	}
	return fmt.Errorf("interrupted: the same command goes on with the trials in %s",
		humanize.Name(o.study))
}

// check finds faults of the flags before any work, and makes the plan of the folds.
func (o *search) check(paths []string) (*split.Plan, error) {
	plan, err := o.FoldFlags.Plan(o.Seed)
	if err != nil {
		return nil, err
	}
	if o.Console.Several() && o.study == "" {
		return nil, cli.Misusef("--study is missing: ranks work at one study by its file")
	}
	if names, _ := tune.Samplers(); !slices.Contains(names, o.sampler) {
		return nil, cli.Misusef("--sampler %q: %s", o.sampler, cli.Instead(o.sampler, names))
	}
	if err := o.readBudget(); err != nil {
		return nil, err
	}
	if err := o.ThreadFlag.Check(o.Console); err != nil {
		return nil, err
	}
	files, err := o.testFlag.check(paths)
	if err != nil {
		return nil, err
	}
	if err := o.RepeatFlag.Check(files...); err != nil {
		return nil, err
	}
	for _, file := range []string{o.output, o.picture} {
		if file == "" {
			continue
		}
		if err := cli.Writable(file, append([]string{o.study, o.Test}, paths...)...); err != nil {
			return nil, err
		}
	}
	return plan, nil
}

// readBudget reads the flag --budget.
func (o *search) readBudget() error {
	if o.budget == "" {
		return cli.Misusef("--budget is missing: give a number of trials, as 50, or a time, as 10m")
	}
	b, err := learn.ParseBudget(o.budget)
	if err != nil {
		return cli.Misusef("--budget %q: want a number of trials, as 50, or a time, as 90s, 10m or 2h",
			o.budget)
	}
	o.count, o.time = b.Count, b.Time
	return nil
}

// observe shows how much of the budget is spent, and the best mean so far.
func (o *search) observe(s *tune.Study) error {
	r := learn.Round{Stage: "tuning", N: len(s.Trials), Of: o.count}
	if o.time > 0 {
		r.N, r.Of = int(min(outside.Since(o.start), o.time)/time.Second), int(o.time/time.Second)
	}
	if s.Best >= 0 {
		r.Metrics = []learn.Metric{{Set: "best", Name: s.Metric, Value: s.Trials[s.Best].Mean()}}
	}
	return o.Progress.Observe(r)
}

// train trains what was chosen on all rows.
func (o *search) train(
	ctx context.Context, candidates []tune.Candidate, study *tune.Study, p *tables.Problem,
) (model.Model, learn.Learner, error) {
	l, err := study.Learner(candidates)
	if err != nil {
		return nil, nil, err
	}
	o.Progress.Begin("training")
	m, err := coppice.Train(ctx, l, p.Dataset, coppice.Seed(o.Seed), coppice.Workers(o.Threads),
		coppice.Memory(int64(o.MemoryLimit())), coppice.Ranks(o.Ranks), coppice.Observe(o.Progress.Observe))
	if err == nil {
		m.Spec().Study = study.Record()
		if e := study.Evaluation(l); e != nil {
			m.Spec().Evaluations = append([]model.Evaluation{*e}, m.Spec().Evaluations...)
		}
		if plan := o.TrainingFlags.Plan(m.Spec(), &o.SplitFlags); !plan.IsZero() {
			m.Spec().TrainedOn.Plan = &plan
		}
	}
	return m, l, err
}

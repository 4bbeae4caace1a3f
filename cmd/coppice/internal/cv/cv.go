// Package cv is the commands of cross-validation. Cv evaluates a learner by it, and tests by
// permuted labels whether the estimates leak. Compare trains and tests several learners on the same
// folds, and ranks them. Tune searches parameters of learners, and trains the best choice on all
// rows.
package cv

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/coppice-ml/coppice"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/describe"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/learner"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/tables"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/split"
	"github.com/coppice-ml/coppice/eval"
	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/metric"
)

// command is the command cv with its flags.
type command struct {
	*cli.Console
	tables.TrainingFlags
	tables.FoldFlags
	learner.Choice
	cli.SeedFlag
	cli.ThreadFlag
	cli.JSONFlag
	cli.FailIfFlag
	checkLeakage bool
	shuffles     int
}

// New makes the command.
func New(c *cli.Console) *cobra.Command {
	o := &command{Console: c}
	cmd := &cobra.Command{
		Use:         "cv DATA... --label COL",
		Annotations: cli.Often("label learner set preset folds plan time group ignore fail-if missing date seed threads json"),
		Short:       "Evaluate a learner by cross-validation",
		Long: `Assign the rows of a table to folds. For each fold, train on the other folds and
test on it. Each row is tested once, by a model that was not trained on it. Folds are stratified
by class. With --group, the rows of a group stay in one fold, whatever the plan. With --time,
models are tested on later rows than those they were trained on. With both, earlier rows of the
tested groups are left out. Rows of weight 0 are in no fold. No model is written.

With --check-leakage the labels are permuted among the rows, so that nothing can be learned. Each
estimate is compared with chance: the estimate of the folds, the out-of-bag estimate, and the
learner's own out-of-fold estimate. If an estimate is better than chance, it uses the labels of
the rows it tests, and the command fails.`,
		Example: `  coppice cv flowers.csv --label species
  coppice cv spambase.csv --label spam --learner cart --folds 5 --set prune=cv-min --seed 1
  coppice cv houses.csv --label price --group district --json
  coppice cv flowers.csv --label species --learner knn --plan leave-one-out
  coppice cv flowers.csv --label species --learner stack --set members=cart,bayes --check-leakage --folds 5`,
		Args: cli.Operands(1, -1),
		RunE: func(cmd *cobra.Command, args []string) error { return o.run(cmd.Context(), args) },
	}
	sections := append(o.TrainingFlags.Sections(),
		cli.NewSection("Cross-validation", func(f *pflag.FlagSet) {
			o.FoldFlags.Define(f, 10, split.LeaveOneOut)
			f.BoolVar(&o.checkLeakage, "check-leakage", false,
				"label permutation test: train on shuffled labels, one fold each time, and fail "+
					"if an estimate is better than chance")
			f.IntVar(&o.shuffles, "shuffles", 20, "shuffle `N` times for --check-leakage")
		},
			o.Choice.Define, o.SeedFlag.Define, o.ThreadFlag.Define),
		cli.NewSection("Output", o.JSONFlag.Define, func(f *pflag.FlagSet) {
			o.FailIfFlag.Define(f, "'auc<0.75' of the mean over the folds")
		}))
	return o.Choice.File.Accept(c, cli.WithFlags(c, cmd, sections...), &o.Choice)
}

// report is the object that --json prints.
type report struct {
	Learner    string          `json:"learner"`
	Parameters json.RawMessage `json:"parameters"`
	Seed       uint64          `json:"seed"`
	Label      string          `json:"label"`
	Task       data.Task       `json:"task"`
	Positive   string          `json:"positive,omitempty"`        // the positive one of two classes
	Why        string          `json:"positive_reason,omitempty"` // why it is the positive one
	Rows       int             `json:"rows"`
	Plan       split.Kind      `json:"plan"`
	*eval.CrossValidation
}

func (o *command) run(ctx context.Context, paths []string) error {
	o.Postpone()
	l, err := o.Learner()
	if err != nil {
		return err
	}
	if o.Label == "" && l.Capabilities().Unsupervised {
		return cli.Misusef("--label is missing: %s is trained without one, but cross-validation "+
			"compares its scores with one of two classes", o.Choice.Name)
	}
	if err := o.RoleFlags.Check(l.Capabilities()); err != nil {
		return err
	}
	if err := o.ThreadFlag.Check(o.Console); err != nil {
		return err
	}
	if err := o.RepeatFlag.Check(tables.Files(paths)...); err != nil {
		return err
	}
	plan, err := o.check()
	if err != nil {
		return err
	}
	p, err := o.TrainingFlags.Read(ctx, o.Console, paths, false)
	if err != nil {
		return err
	}
	plan.Kind = plan.KindFor(&p.Target)
	if o.checkLeakage {
		return o.checkLeaks(ctx, l, p, paths, plan)
	}
	p.Target.ChoosePositive(nil)
	o.Progress.Begin("cross-validating")
	cv, err := eval.CrossValidate(ctx, l, p.Dataset, plan,
		eval.Options{Workers: o.Threads, Memory: o.MemoryLimit(), Seed: o.Seed,
			Observe: o.observe, Env: coppice.Env(o.Threads), Ranks: o.Ranks})
	if err != nil {
		return cli.Located(err, p.Frame)
	}
	o.Progress.End()
	params, err := json.Marshal(l.Params())
	if err != nil {
		return err
	}
	r := &report{Learner: o.Choice.Name, Parameters: params, Seed: o.Seed, Label: o.Label,
		Task: cv.Pooled.Task,
		Rows: p.Rows(), Plan: plan.Kind, CrossValidation: cv}
	if r.Positive = cv.Pooled.Positive; r.Positive != "" {
		r.Why = p.Target.Positive.Why
	}
	err = o.JSONFlag.Show(o.Console, r, func() { o.print(r, p, paths, l) })
	return errors.Join(err, o.FailIfFlag.Holds(r.mean))
}

// mean returns the mean of a metric over the folds.
func (r *report) mean(metric string) (float64, error) {
	for _, s := range r.Summary {
		if s.Name == metric {
			return s.Mean, nil
		}
	}
	return 0, fmt.Errorf("%s is not defined on these folds", metric)
}

// check makes the plan of the folds from the flags.
func (o *command) check() (*split.Plan, error) {
	plan, err := o.FoldFlags.Plan(o.Seed)
	if err != nil {
		return nil, err
	}
	changed := o.Choice.Changed
	switch {
	case changed("shuffles") && !o.checkLeakage:
		return nil, cli.Misusef("--shuffles is for --check-leakage: add it")
	case o.shuffles < 2:
		return nil, cli.Misusef("--shuffles %d: want 2 or more", o.shuffles)
	case o.checkLeakage && o.FailIfFlag.Given():
		return nil, cli.Misusef("--fail-if does not go with --check-leakage, which fails by itself")
	}
	return plan, o.FailIfFlag.Check(metric.Names)
}

func (o *command) observe(r learn.Round) error {
	r.Stage = "cross-validating"
	return o.Progress.Observe(r)
}

func (o *command) print(r *report, p *tables.Problem, paths []string, l learn.Learner) {
	o.Text(r.answer())
	o.Printf("\n")
	o.Facts(p.Facts(paths)...)
	if r.Positive != "" {
		o.Facts(tables.PositiveFacts(&p.Target)...)
	}
	o.Facts(describe.LearnerFact(r.Learner, l.Params()),
		cli.Fact{Name: "folds", Text: fmt.Sprintf("%d, %s, seed %d%s", len(r.Folds), r.Plan, r.Seed,
			tables.LeftOutWords(r.LeftOut))})
	o.Printf("\n")
	r.grid(o.Verbose).Print(o.Out)
	if r.Pooled.Undefined != "" {
		describe.PrintNoMetrics(o.Console, r.Pooled)
	}
	if o.Verbose {
		o.Printf("\n")
		r.folds().Print(o.Out)
	}
	describe.PrintConfusion(o.Console, r.Pooled.Confusion, "all folds together")
}

// answer is the result in one sentence.
func (r *report) answer() string {
	text := describe.Answer(func(name string) string {
		for _, s := range r.Summary {
			if s.Name == name && s.Folds > 1 {
				return humanize.Metric(s.Mean) + " ± " + humanize.Metric(s.SD)
			} else if s.Name == name {
				return humanize.Metric(s.Mean)
			}
		}
		return ""
	})
	if text == "" {
		return fmt.Sprintf("%d-fold cross-validation of %s: no metric has a value.", len(r.Folds),
			humanize.Name(r.Learner))
	}
	return fmt.Sprintf("%d-fold cross-validation of %s: %s.", len(r.Folds),
		humanize.Name(r.Learner), text)
}

// grid has a line for each metric: its mean and standard deviation over the folds, its least and
// greatest value in a fold, and its value of all rows together. The error rate is a detail.
func (r *report) grid(details bool) *cli.Grid {
	g := &cli.Grid{Columns: append([]cli.Column{{Name: "metric"}},
		cli.Numbers("mean", "± deviation", "lowest fold", "highest fold", "all rows")...)}
	for _, s := range r.Summary {
		if s.Name == "error" && !details { // 1 - accuracy, which has a line
			continue
		}
		low, high := math.Inf(1), math.Inf(-1)
		for i := range r.Folds {
			if v, ok := r.Folds[i].Metrics.Get(s.Name); ok {
				low, high = min(low, v), max(high, v)
			}
		}
		all := "-"
		if v, ok := r.Pooled.Metrics.Get(s.Name); ok {
			all = humanize.Metric(v)
		} else if r.Pooled.Queries != nil {
			all = describe.Undefined
		}
		row := []string{metric.Words(s.Name), "-", "-", "-", "-", all}
		if s.Folds > 0 {
			row = append(row[:1], humanize.Metric(s.Mean), humanize.Metric(s.SD), humanize.Metric(low),
				humanize.Metric(high), all)
		}
		g.Add(row...)
	}
	if q := r.Pooled.Queries; q != nil {
		g.Add("queries", "", "", "", "", describe.Queries(q))
	}
	return g
}

// folds has a line for each fold, and for all of them.
func (r *report) folds() *cli.Grid {
	g := &cli.Grid{Columns: append([]cli.Column{{Name: "fold"}}, cli.Numbers("rows")...)}
	for _, s := range r.Summary {
		g.Columns = append(g.Columns, cli.Column{Name: metric.Words(s.Name), Right: true})
	}
	if r.Pooled.Queries != nil {
		g.Columns = append(g.Columns, cli.Column{Name: "queries", Right: true})
	}
	for i := range r.Folds {
		g.Add(foldRow(strconv.Itoa(i+1), &r.Folds[i], r.Summary)...)
	}
	mean, sd := []string{"mean", ""}, []string{"± sd", ""}
	for _, s := range r.Summary {
		mean = append(mean, humanize.Metric(s.Mean))
		sd = append(sd, humanize.Metric(s.SD))
	}
	if r.Pooled.Queries != nil {
		mean, sd = append(mean, ""), append(sd, "")
	}
	g.Footer = [][]string{mean, sd, foldRow("pooled", r.Pooled, r.Summary)}
	return g
}

// foldRow is the line of one fold, or of all folds pooled.
func foldRow(name string, r *eval.Report, all eval.Summaries) []string {
	row := []string{name, strconv.Itoa(r.Rows)}
	for _, s := range all {
		text := "-"
		if v, ok := r.Metrics.Get(s.Name); ok {
			text = humanize.Metric(v)
		} else if r.Queries != nil {
			text = describe.Undefined
		}
		row = append(row, text)
	}
	if r.Queries != nil {
		row = append(row, describe.Queries(r.Queries))
	}
	return row
}

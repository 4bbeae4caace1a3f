package command

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/coppice-ml/coppice"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/eval"
	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/learn"
)

// cvCommand is the command cv with its flags.
type cvCommand struct {
	*console
	tableFlags
	learnerFlags
	seedFlag
	threadFlag
	jsonFlag
	folds        int
	plan         string
	checkLeakage bool
	shuffles     int
}

func newCV(c *console) *cobra.Command {
	o := &cvCommand{console: c}
	cmd := &cobra.Command{
		Use:   "cv DATA... --label COL",
		Short: "Evaluate a learner by cross-validation",
		Long: `Assign the rows of a table to folds. For each fold, train on the other folds and test on it. Each row is tested once,
by a model that was not trained on it. Folds are stratified by class. With --group, the rows of a group stay in one
fold. With --time, models are tested on later rows than those they were trained on. No model is written.

With --check-leakage the labels are permuted among the rows, so that nothing can be learned. Each estimate is
compared with chance: the estimate of the folds, the out-of-bag estimate, and the learner's own out-of-fold
estimate. An estimate that is better than chance uses the labels of the rows it tests; then the command fails.`,
		Example: `  coppice cv flowers.csv --label species
  coppice cv spambase.csv --label spam --learner cart --folds 5 --set prune=cv-min --seed 1
  coppice cv houses.csv --label price --group district --json
  coppice cv flowers.csv --label species --learner knn --plan leave-one-out
  coppice cv flowers.csv --label species --learner stack --set members=cart,bayes --check-leakage --folds 5`,
		Args: operands(1, -1),
		RunE: func(cmd *cobra.Command, args []string) error { return o.run(cmd.Context(), args) },
	}
	sections := append(o.tableFlags.sections(),
		newSection("Cross-validation", func(f *pflag.FlagSet) {
			f.IntVar(&o.folds, "folds", 10, "assign the rows to `K` folds")
			f.StringVar(&o.plan, "plan", "", "split the rows by `KIND`: random, stratified, grouped, time or leave-one-out (default: by --group or --time where given, else by classes)")
			f.BoolVar(&o.checkLeakage, "check-leakage", false, "label permutation test: train on shuffled labels, one fold each time, and fail if an estimate is better than chance")
			f.IntVar(&o.shuffles, "shuffles", 20, "shuffle `N` times for --check-leakage")
		},
			o.learnerFlags.define, o.seedFlag.define, o.threadFlag.define),
		newSection("Output", o.jsonFlag.define))
	return withFlags(c, cmd, sections...)
}

// cvReport is the object that --json prints.
type cvReport struct {
	Learner    string          `json:"learner"`
	Parameters json.RawMessage `json:"parameters"`
	Seed       uint64          `json:"seed"`
	Label      string          `json:"label"`
	Task       data.Task       `json:"task"`
	Positive   string          `json:"positive,omitempty"`        // the positive one of two classes
	Why        string          `json:"positive_reason,omitempty"` // it is that one
	Rows       int             `json:"rows"`
	Plan       data.PlanKind   `json:"plan"`
	*eval.CrossValidation
}

func (o *cvCommand) run(ctx context.Context, paths []string) error {
	l, err := o.learner()
	if err != nil {
		return err
	}
	if o.label == "" && l.Capabilities().Unsupervised {
		return misusef("--label is missing: %s is trained without one, but cross-validation compares its scores with one of two classes", o.learnerFlags.name)
	}
	if err := o.roleFlags.check(l.Capabilities()); err != nil {
		return err
	}
	if err := o.threadFlag.check(); err != nil {
		return err
	}
	if err := o.repeatFlag.check(tableFiles(paths)...); err != nil {
		return err
	}
	plan, err := o.check()
	if err != nil {
		return err
	}
	p, err := o.tableFlags.read(ctx, o.console, paths, false)
	if err != nil {
		return err
	}
	if plan.Kind == data.AutoPlan {
		plan.Kind = data.DefaultKind(&p.Target)
	}
	if o.checkLeakage {
		return o.auditLeaks(ctx, l, p, paths, plan)
	}
	p.Target.ChoosePositive(nil)
	o.progress.begin("cross-validating")
	cv, err := eval.CrossValidate(ctx, l, p.Dataset, plan, eval.Options{Workers: o.threads, Memory: o.memoryLimit(), Seed: o.seed,
		Observe: o.observe, Env: coppice.Env(o.threads)})
	if err != nil {
		return located(err, p.Frame)
	}
	o.progress.end()
	params, err := json.Marshal(l.Params())
	if err != nil {
		return err
	}
	r := &cvReport{Learner: o.learnerFlags.name, Parameters: params, Seed: o.seed, Label: o.label, Task: cv.Pooled.Task,
		Rows: p.Rows(), Plan: plan.Kind, CrossValidation: cv}
	if r.Positive = cv.Pooled.Positive; r.Positive != "" {
		r.Why = p.Target.Positive.Why
	}
	if o.jsonFlag.json {
		return o.console.json(r)
	}
	o.print(r, p, paths, l)
	return nil
}

// check makes the plan.
func (o *cvCommand) check() (*data.Plan, error) {
	plan := &data.Plan{K: o.folds, Seed: o.seed}
	changed := o.learnerFlags.given.Changed
	if o.plan != "" {
		if err := plan.Kind.UnmarshalText([]byte(o.plan)); err != nil || plan.Kind == data.AutoPlan {
			return nil, misusef("--plan %q: %s", o.plan, instead(o.plan, []string{"random", "stratified", "grouped", "time", "leave-one-out"}))
		}
	}
	switch {
	case o.folds < 2:
		return nil, misusef("--folds %d: want 2 or more", o.folds)
	case plan.Kind == data.LeaveOneOutPlan && changed("folds"):
		return nil, misusef("--folds does not go with --plan leave-one-out, which has a fold for each row or group")
	case changed("shuffles") && !o.checkLeakage:
		return nil, misusef("--shuffles is for --check-leakage: add it")
	case o.shuffles < 2:
		return nil, misusef("--shuffles %d: want 2 or more", o.shuffles)
	}
	return plan, nil
}

func (o *cvCommand) observe(r learn.Round) error {
	r.Stage = "cross-validating"
	return o.progress.observe(r)
}

func (o *cvCommand) print(r *cvReport, p *problem, paths []string, l learn.Learner) {
	o.facts(
		fact{"data", fmt.Sprintf("%s: %s", pathWords(paths), tableWords(p.Dataset))},
		fact{"label", labelWords(&p.Target, p.Rows())},
	)
	if r.Positive != "" {
		o.facts(positiveFacts(&p.Target)...)
	}
	o.facts(
		fact{"learner", settingWords(r.Learner, l.Params())},
		fact{"folds", fmt.Sprintf("%d, %s, seed %d", len(r.Folds), r.Plan, r.Seed)},
	)
	g := grid{columns: append([]column{{name: "fold"}}, numbers("rows")...)}
	for _, s := range r.Summary {
		g.columns = append(g.columns, column{name: s.Name, right: true})
	}
	for i := range r.Folds {
		g.add(foldRow(strconv.Itoa(i+1), &r.Folds[i], r.Summary)...)
	}
	mean, sd := []string{"mean", ""}, []string{"± sd", ""}
	for _, s := range r.Summary {
		mean = append(mean, humanize.Metric(s.Mean))
		sd = append(sd, humanize.Metric(s.SD))
	}
	g.footer = [][]string{mean, sd, foldRow("pooled", r.Pooled, r.Summary)}
	o.printf("\n")
	g.print(o.out)
	if len(r.Pooled.Metrics) == 0 {
		printNone(o.console, r.Pooled)
	}
	printConfusion(o.console, r.Pooled.Confusion, "all folds together")
}

// foldRow is the line of one fold, or of all together.
func foldRow(name string, r *eval.Report, metrics eval.Summaries) []string {
	row := []string{name, strconv.Itoa(r.Rows)}
	for _, s := range metrics {
		text := "-"
		if v, ok := r.Metrics.Get(s.Name); ok {
			text = humanize.Metric(v)
		}
		row = append(row, text)
	}
	return row
}

// Package train is the commands that make models. Train trains one on a table, evaluates it and
// writes it to a file, with checkpoints where they are requested. Merge merges the shards of a
// forest, which several trainings made, into one model.
package train

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/coppice-ml/coppice"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/describe"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/learner"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/tables"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/quality"
	"github.com/coppice-ml/coppice/eval"
	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/internal/outside"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/catalog"
	"github.com/coppice-ml/coppice/model"
)

// command is the command train with its flags.
type command struct {
	*cli.Console
	tables.TrainingFlags
	tables.SplitFlags
	learner.Choice
	policyFlags
	cli.SeedFlag
	cli.ThreadFlag
	cli.JSONFlag
	outOfBagFlag
	importanceFlags
	startFlags
	storedFlags
	gateFlags
	tables.CheckFlags
	underway
	output string
	shard  string

	scratch string // folder

	partition int
}

// New makes the command.
func New(c *cli.Console) *cobra.Command {
	o := &command{Console: c}
	cmd := &cobra.Command{
		Use:         "train DATA... --label COL",
		Annotations: cli.Often("label learner set preset valid test time group ignore missing date seed threads out json"),
		Short:       "Train a model on a table and write it to a file",
		Long: `Train a model that predicts one column of a table, the label, from the others, and
write it to a file. DATA may be several files with the same columns, patterns such as 'sales/*.csv',
or URLs (s3, gs, az, https). Of folders key=value make columns; - is standard input. The
learner isolation requires no label: it scores how unlike the other rows a row is. A label that is
given is only compared with the scores.

The rows of --valid are the validation set: cart and c45 prune by it, gbm and other boosting use
it for early stopping. The rows of --test are the test set. Both are a fraction of the table or a
file of their own. The report states what the validation set was used for; then only metrics on
the test set estimate the error on new rows.

The report lists the data, the metrics of each set and the most important features. For a forest
it adds the out-of-bag error, for a single tree the tree.

The learner gbm trains in rounds. With --valid it stops once the validation set shows no
improvement, and keeps the rounds up to the best one. With --checkpoint-every an interrupted
training can be resumed. Without it an interrupt writes the rounds so far beside the model, with
.partial appended to its name, and the exit status is 3.`,
		Example: `  coppice train flowers.csv --label species
  coppice train spambase.csv --label spam --learner forest --test 0.2 --set importance=permutation -o spam.coppice
  coppice train adult.csv --label income --test adult-test.csv --map '<=50K.=<=50K' --map '>50K.=>50K'
  coppice train adult.csv --label income --learner cart --positive '<=50K' --threshold-for f1
  coppice train spambase.csv --label spam --learner cart --valid 0.2 --test 0.2 -o tree.coppice
  coppice train houses.csv.gz --label price --learner cart --set depth=6 --set min_leaf=20 --ignore id,address --json
  coppice train clicks.csv --label clicked --learner gbm --valid 0.1 --checkpoint-every 20 -o clicks.coppice
  coppice train clicks.csv --label clicked --learner gbm --valid 0.1 --resume clicks.coppice.checkpoint -o clicks.coppice
  coppice train adult.csv --label income --learner forest --set trees=1000 --shard 1/4 -o shard-1.coppice
  coppice train 'gardens/year=*/*.csv' --label species --valid 0.1 --ignore id
  coppice train --sql 'select * from plants where id > 5' --db sqlite:garden.db --label species --ignore id
  coppice train rides.csv --label rides --date day=dmy --time day --time-feature --test 0.2
  coppice train --params rides.toml --set trees=500
  coppice train payments.csv --learner isolation --set contamination=0.01 --ignore id`,
		Args: cli.Operands(1, -1),
		RunE: func(cmd *cobra.Command, args []string) error { return o.run(cmd.Context(), args) },
	}
	return o.Choice.File.Accept(c, cli.WithFlags(c, cmd, o.sections()...), &o.Choice)
}

func (o *command) sections() []cli.Section {
	return append(o.TrainingFlags.Sections(),
		cli.NewSection("Training", o.Choice.Define, o.Choice.File.DefineSave, o.SplitFlags.Define, func(f *pflag.FlagSet) {
			f.StringVar(&o.shard, "shard", "", "train shard `I/N` of a forest, for coppice merge")
			f.IntVar(&o.partition, "partition", 0,
				"train `N` models on disjoint subsets of the rows, one after the other, and "+
					"combine them by vote: for tables too large for one fit")
			f.StringVar(&o.scratch, "scratch", "", "gbm, of a table larger than --memory: the "+
				"`FOLDER` for its scratch file (default: the system's for temporary files)")
		}, o.SeedFlag.Define, o.ThreadFlag.Define),
		cli.NewSection("Importance", o.importanceFlags.define),
		cli.NewSection("Checkpoints", o.startFlags.define),
		cli.NewSection("Checks", o.CheckFlags.Define, o.gateFlags.define),
		cli.NewSection("Stored in the model", o.storedFlags.define),
		cli.NewSection("Output", func(f *pflag.FlagSet) {
			f.StringVarP(&o.output, "out", "o", "model.coppice", "write the model to `FILE`")
		}, o.outOfBagFlag.define, o.JSONFlag.Define),
		cli.NewSection("Prediction", o.policyFlags.define))
}

func (o *command) run(ctx context.Context, paths []string) (err error) {
	if o.began = outside.Now(); !o.JSONFlag.JSON {
		o.Postpone()
	}
	l, err := o.check(paths)
	if err != nil {
		return err
	}
	end, err := o.ReadFlags.StoreStdin(ctx, o.Console, paths, o.scratch)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, end()) }()
	p, s, err := o.open(ctx, l, paths)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.Close()) }()
	if err := o.policyFlags.apply(p); err != nil {
		return err
	}
	o.ReadFlags.StoreTokens(&p.Schema)
	differences, err := o.repeated.compare(ctx, o.Console, p, s, o.Threads)
	if err != nil {
		return err
	}
	if err := o.gateFlags.fits(&p.Target); err != nil {
		return err
	}
	o.choosePositive(&p.Target, s.Train)
	var warnings []quality.Warning
	var sample *quality.Sample // of a table in blocks, which the training reads
	if _, inBlocks := p.InMemory(); inBlocks == nil {
		o.Progress.Begin("checking")
		if warnings, err = o.CheckFlags.Check(ctx, o.Console, p.Dataset, s.Train, s.Test, o.Threads,
			quality.RarePositive, quality.TimeOrder); err != nil {
			return err
		}
	} else if sample = o.CheckFlags.SampleOf(p.InBlocks().Features, slices.Concat(s.Train, s.Test),
		o.MemoryLimit()); sample != nil {
		p.InBlocks().Features = sample
	}
	o.Progress.Begin("training")
	o.noteLabel(&p.Target)
	job := learn.Job{Rows: s.Train, Valid: s.Valid, Seed: o.Seed, Workers: o.Threads, CheckTime: true,
		Observe: o.startFlags.observe(o.Progress), Start: o.start}
	o.outOfBagFlag.request(&job)
	o.underway.watch(&job, s)
	var raw []float64
	job.Fitted = func(rows []int32, scores []float64) {
		if slices.Equal(rows, s.Train) {
			raw = scores
		}
	}
	m, err := o.train(ctx, l, p, job)
	if err != nil {
		return o.ended(ctx, cli.Located(err, p.Frame), m)
	}
	o.storePlan(m.Spec(), p.Target.Time, s)
	if !o.Leads() {
		return nil
	}
	r, err := o.report(ctx, l, m, p.InBlocks(), s, raw)
	if err != nil {
		return o.startFlags.ended(err, m, o.output)
	}
	if sample != nil {
		of := func(f *data.Frame, rows []int32) (*data.Dataset, error) {
			return &data.Dataset{Frame: f, Target: p.Target.Subset(rows)}, nil
		}
		warnings, err = o.CheckFlags.CheckSample(ctx, o.Console, sample, data.InOrder(s.Train),
			o.Threads, of, quality.RarePositive, quality.TimeOrder)
		if err != nil {
			return o.startFlags.ended(err, m, o.output)
		}
	}
	r.Differences = differences
	r.Warnings = warnOfRare(o.Console, warnings, r.Positive, r.Sets)
	if !o.CheckFlags.Quiet() {
		r.Warnings = warnOfTime(o.Console, r.Warnings, r.view.Training.Warning)
	}
	if o.importanceFlags.kind != "" {
		o.Progress.Begin("permuting")
		if err := o.importanceFlags.compute(ctx, o.Console, m, p.Dataset, s,
			l.Capabilities().Validation.Chosen().String(), &job); err != nil {
			return o.startFlags.ended(err, m, o.output)
		}
		r.Permutation = m.Spec().Permutation
	}
	return o.end(ctx, r, m, p, paths)
}

// end writes the model and its report. A model that is rejected is written to another file.
func (o *command) end(
	ctx context.Context, r *report, m model.Model, p *tables.Problem, paths []string,
) error {
	held := o.judge(ctx, r, m, p)
	if held != nil && ctx.Err() != nil {
		return o.startFlags.ended(ctx.Err(), m, o.output)
	}
	if held != nil {
		r.Model, r.Rejected = rejected(o.output), held.Error()
		held = fmt.Errorf("%w; the model is in %s", held, humanize.Name(r.Model))
	}
	if err := coppice.Save(r.Model, m); err != nil {
		return err
	}
	if err := o.Choice.File.Save(o.Set); err != nil {
		return err
	}
	o.Progress.End()
	o.startFlags.finish(o.Console)
	if err := o.outOfBagFlag.write(o.Console, m.Spec(), p.Dataset); err != nil {
		return err
	}
	if o.JSONFlag.JSON {
		return errors.Join(o.Console.JSON(r), held)
	}
	if o.Verbose {
		return errors.Join(r.print(o.Console, p, paths), held)
	}
	return errors.Join(o.printScreen(ctx, r, m, p, paths), held)
}

// printScreen prints the report as one screen.
func (o *command) printScreen(
	ctx context.Context, r *report, m model.Model, p *tables.Problem, paths []string,
) error {
	e, err := o.estimate(ctx, r, m, &p.Target)
	if err != nil {
		return err
	}
	s := screen{r, o.Console, p, paths, r.sets.Files, e, outside.Since(o.began),
		o.ReadFlags.Again()}
	s.print()
	return nil
}

// check finds, before any work, faults of the command line and of the place for the model.
func (o *command) check(paths []string) (learn.Learner, error) {
	l, err := o.Learner()
	if err != nil {
		return nil, err
	}
	if err := o.setShard(l); err != nil {
		return nil, err
	}
	if err := o.RoleFlags.Check(l.Capabilities()); err != nil {
		return nil, err
	}
	if l, err = o.partitioned(l); err != nil {
		return nil, err
	}
	if err := cmp.Or(o.ThreadFlag.Check(o.Console), o.storedFlags.check()); err != nil {
		return nil, err
	}
	valid, test, err := o.Fractions()
	if err != nil {
		return nil, err
	}
	if o.Label == "" && (o.Valid != "" || o.Test != "") {
		return nil, cli.Misusef(
			"--valid and --test compare predictions with labels, and there are none: add --label")
	}
	if len(o.RoleFlags.Start) > 0 && !l.Capabilities().Offset {
		return nil, cli.Misusef(
			"--init-score: %s does not use initial scores: use a learner such as gbm", o.Called())
	}
	if o.Valid != "" && l.Capabilities().Validation == (learn.Validation{}) {
		o.Notice("%s with these parameters does not use the validation set of --valid; without the "+
			"flag its rows are in the training set", o.Choice.Name)
	}
	files := append(tables.Files(paths), tables.FurtherFiles(valid, test)...)
	if err := o.RepeatFlag.Check(files...); err != nil {
		return nil, err
	}
	rows := o.Valid != "" || o.Test != ""
	err = o.importanceFlags.check(l, o.Called(), rows, o.Label != "", o.shard != "")
	if err != nil {
		return nil, err
	}
	inputs := append([]string{valid.Path, test.Path}, paths...)
	if err := o.outOfBagFlag.check(l, o.Called(), o.output, inputs...); err != nil {
		return nil, err
	}
	inputs = append(inputs, o.resume)
	if o.Several() && slices.Contains(inputs, "-") {
		return nil, cli.Misusef("-: standard input reaches one rank only: name a file that all can read")
	}
	if o.Leads() {
		if err := cli.Writable(o.output, inputs...); err != nil {
			return nil, err
		}
		if err := o.Choice.File.CheckSave(append(inputs, o.output)...); err != nil {
			return nil, err
		}
		if err := o.gateFlags.check(o.LimitFlag.Open, o.Label, o.Test, o.output); err != nil {
			return nil, err
		}
	}
	o.startFlags.leads = o.Leads()
	o.start, err = o.startFlags.check(l, o.Choice.Name, o.output)
	if o.more != "" && err == nil {
		o.TrainingFlags.From = o.start.Model.Spec()
	}
	return l, err
}

// setShard makes the learner train a shard of its model.
func (o *command) setShard(l learn.Learner) error {
	if o.shard == "" {
		return nil
	}
	if l.Capabilities().Merge == nil {
		return cli.Misusef("--shard: %s trains no shards: use a learner such as forest", o.Called())
	}
	for _, setting := range o.Set {
		if key, _, _ := strings.Cut(setting, "="); strings.TrimSpace(key) == "shard" {
			return cli.Misusef("--shard does not go with --set shard: use one of them")
		}
	}
	if err := l.Params().Set([]string{"shard=" + o.shard}); err != nil {
		return cli.Misusef("--%w", err)
	}
	return nil
}

// partitioned wraps the learner in a vote of models on disjoint subsets of the rows, if --partition
// requests it.
func (o *command) partitioned(l learn.Learner) (learn.Learner, error) {
	switch {
	case !o.Choice.Changed("partition"):
		return l, nil
	case o.partition < 2:
		return nil, cli.Misusef("--partition %d: want 2 or more", o.partition)
	case o.shard != "":
		return nil, cli.Misusef("--partition does not go with --shard: use one of them")
	case l.Capabilities().Unsupervised:
		return nil, cli.Misusef("--partition: %s has no label to vote on", o.Choice.Name)
	}
	v, err := catalog.Partition(o.Choice.Name, l, o.partition)
	if err != nil {
		return nil, cli.Misusef("--partition: %w", err)
	}
	return v, nil
}

// trainingSet is the name of the first set of a report, whose metrics are too optimistic.
const trainingSet = "training"

// report evaluates the model on every set of rows. Raw scores are those of the training rows, nil =
// none.
func (o *command) report(
	ctx context.Context, l learn.Learner, m model.Model, ds *data.BlockDataset, s *tables.RowSets,
	raw []float64,
) (*report, error) {
	o.Progress.Begin("testing")
	r := newTrainReport(m, o.output, s, &ds.Target, o.Seed)
	if !comparable(m.Spec(), &ds.Target) {
		return r, o.storedFlags.store(ctx, m, r, nil)
	}
	var rows [][]int32
	for _, set := range []struct {
		name, use string
		rows      []int32
	}{{trainingSet, "", s.Train},
		{"validation", l.Capabilities().Validation.Chosen().String(), s.Valid},
		{"test", "", s.Test}} {
		if len(set.rows) > 0 {
			r.Sets = append(r.Sets, describe.MetricSet{Name: set.name, Use: set.use})
			rows = append(rows, set.rows)
		}
	}
	estimates := slices.Clone(rows)
	estimates[0] = nil // the training set, of which nothing is stored
	recorder := eval.NewRecorder(estimates, o.Seed)
	reports, err := eval.EvaluateSets(ctx, m, ds, rows,
		eval.SetOptions{Options: model.Options{Workers: o.Threads, Memory: o.MemoryLimit()},
			Scratch: o.scratch, Each: recorder.Each, Raw: raw})
	if err != nil {
		located := cli.Located(err, ds.Frame)
		if of := (*eval.SetError)(nil); errors.As(err, &of) {
			located = fmt.Errorf("%s set: %w", r.Sets[of.Set].Name, located)
		}
		return nil, located
	}
	for i := range r.Sets {
		r.Sets[i].Report = reports[i]
	}
	return r, o.storedFlags.store(ctx, m, r, recorder)
}

// choosePositive chooses the positive class by the training rows, unless --positive names it. A
// training that continues a model keeps the class of that model.
func (o *command) choosePositive(t *data.Target, rows []int32) {
	if o.start != nil && t.HasPositive() && o.Positive == "" {
		t.Positive = data.Positive{First: o.start.Model.Spec().Decision.FirstPositive,
			Why: "it is that of the continued model"}
		return
	}
	t.ChoosePositive(rows)
}

// noteLabel prints a note on how a learner without a label uses one that is given.
func (o *command) noteLabel(t *data.Target) {
	switch {
	case !o.Capable.Unsupervised || o.Label == "":
	case t.Task == data.Binary:
		o.Notice("%s does not train on the label %q; the scores are compared with it", o.Choice.Name,
			o.Label)
	default:
		o.Notice("%s does not use the label %q: scores can only be compared with a label of two "+
			"values, for normal rows and anomalies", o.Choice.Name, o.Label)
	}
}

// comparable reports whether predictions of a model can be compared with a target. Anomaly scores
// can be compared only with two classes.
func comparable(s *model.Spec, t *data.Target) bool {
	return s.Task != data.Anomaly || t.Task == data.Binary
}

package command

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/coppice-ml/coppice"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/quality"
	"github.com/coppice-ml/coppice/eval"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/inner"
	"github.com/coppice-ml/coppice/learn/vote"
	"github.com/coppice-ml/coppice/model"
)

// trainCommand is the command train with its flags.
type trainCommand struct {
	*console
	tableFlags
	splitFlags
	learnerFlags
	policyFlags
	seedFlag
	threadFlag
	jsonFlag
	outOfBagFlag
	importanceFlags
	startFlags
	checkFlags
	start  *learn.Checkpoint // what startFlags name
	output string
	shard  string

	partition int
}

func newTrain(c *console) *cobra.Command {
	o := &trainCommand{console: c}
	cmd := &cobra.Command{
		Use:   "train DATA... --label COL",
		Short: "Train a model on a table and write it to a file",
		Long: `Train a model that predicts one column of a table, the label, from the others, and write it to a file. The rows
of --valid are the validation set: cart and c45 prune by it, gbm and other boosting use it for early stopping. The rows of --test are
the test set. Both are a fraction of the table or a file of their own. The report states what the validation set was used for;
then only metrics on the test set estimate the error on new rows. The report lists the data, the metrics of each set and the
most important features, for a forest the out-of-bag error, for a single tree the tree. DATA may be several files with the same
columns; - is standard input. The learner isolation requires no label: it scores how unlike the other rows a row is. A
label that is given is only compared with the scores. The learner gbm trains in rounds: with --valid it stops once the
validation set shows no improvement, and keeps the rounds up to the best one. With --checkpoint-every an interrupted training can
be resumed; without it an interrupt writes the rounds so far beside the model, with .partial appended to its name, and the exit
status is 3.`,
		Example: `  coppice train flowers.csv --label species
  coppice train spambase.csv --label spam --learner forest --test 0.2 --set importance=permutation -o spam.coppice
  coppice train adult.csv --label income --test adult-test.csv --map '<=50K.=<=50K' --map '>50K.=>50K'
  coppice train adult.csv --label income --learner cart --positive '<=50K' --threshold-for f1
  coppice train spambase.csv --label spam --learner cart --valid 0.2 --test 0.2 -o tree.coppice
  coppice train houses.csv.gz --label price --learner cart --set depth=6 --set min_leaf=20 --ignore id,address --json
  coppice train clicks.csv --label clicked --learner gbm --valid 0.1 --checkpoint-every 20 -o clicks.coppice
  coppice train clicks.csv --label clicked --learner gbm --valid 0.1 --resume clicks.coppice.checkpoint -o clicks.coppice
  coppice train adult.csv --label income --learner forest --set trees=1000 --shard 1/4 -o shard-1.coppice
  coppice train rides.csv --label rides --date day=dmy --time day --time-feature --test 0.2
  coppice train payments.csv --learner isolation --set contamination=0.01 --ignore id`,
		Args: operands(1, -1),
		RunE: func(cmd *cobra.Command, args []string) error { return o.run(cmd.Context(), args) },
	}
	sections := append(o.tableFlags.sections(),
		newSection("Training", o.learnerFlags.define, o.splitFlags.define, func(f *pflag.FlagSet) {
			f.StringVar(&o.shard, "shard", "", "train shard `I/N` of a forest, for coppice merge")
			f.IntVar(&o.partition, "partition", 0, "train `N` models on disjoint subsets of the rows, one after the other, and combine them by vote: for tables too large for one fit")
		}, o.seedFlag.define, o.threadFlag.define),
		newSection("Importance", o.importanceFlags.define),
		newSection("Checkpoints", o.startFlags.define),
		newSection("Checks", o.checkFlags.define),
		newSection("Output", func(f *pflag.FlagSet) {
			f.StringVarP(&o.output, "out", "o", "model.coppice", "write the model to `FILE`")
		}, o.outOfBagFlag.define, o.jsonFlag.define),
		newSection("Prediction", o.policyFlags.define))
	return withFlags(c, cmd, sections...)
}

func (o *trainCommand) run(ctx context.Context, paths []string) error {
	l, err := o.check(paths)
	if err != nil {
		return err
	}
	p, s, err := o.readRowSets(ctx, o.console, &o.tableFlags, paths, o.seed)
	if err != nil {
		return err
	}
	if err := o.policyFlags.apply(p); err != nil {
		return err
	}
	if o.flags.Changed("missing") {
		p.Schema.Tokens = o.textFlags.missing
	}
	o.choosePositive(&p.Target, s.train)
	o.progress.begin("checking")
	warnings, err := o.checkFlags.check(ctx, o.console, p.Dataset, s.train, s.test, o.threads, quality.RarePositive)
	if err != nil {
		return err
	}
	o.progress.begin("training")
	o.noteLabel(&p.Target)
	job := learn.Job{Rows: s.train, Valid: s.valid, Seed: o.seed, Workers: o.threads, Memory: o.memoryLimit(), Observe: o.startFlags.observe(o.progress), Start: o.start}
	o.outOfBagFlag.request(&job)
	m, err := coppice.Train(ctx, l, p.Dataset, coppice.Job(job))
	if err != nil {
		return o.startFlags.ended(located(err, p.Frame), m, o.output)
	}
	r, err := o.report(ctx, l, m, p.Dataset, s)
	if err != nil {
		return err
	}
	r.Warnings = warnOfRare(o.console, warnings, r.Positive, r.Sets)
	if o.importanceFlags.kind != "" {
		o.progress.begin("permuting")
		if err := o.importanceFlags.compute(ctx, m, p.Dataset, s, l.Capabilities().Validation.Chosen(), &job); err != nil {
			return err
		}
		r.Permutation = m.Spec().Permutation
	}
	if err := coppice.Save(o.output, m); err != nil {
		return err
	}
	o.progress.end()
	if err := o.startFlags.finish(); err != nil {
		return err
	}
	if err := o.outOfBagFlag.write(o.console, m.Spec(), p.Dataset); err != nil {
		return err
	}
	if o.jsonFlag.json {
		return o.console.json(r)
	}
	return r.print(o.console, m, p, paths)
}

// check finds, before any work, what is wrong with the command line and with the place of the
// model.
func (o *trainCommand) check(paths []string) (learn.Learner, error) {
	l, err := o.learner()
	if err != nil {
		return nil, err
	}
	if err := o.setShard(l); err != nil {
		return nil, err
	}
	if err := o.roleFlags.check(l.Capabilities()); err != nil {
		return nil, err
	}
	if l, err = o.parted(l); err != nil {
		return nil, err
	}
	if err := o.threadFlag.check(); err != nil {
		return nil, err
	}
	valid, test, err := o.fractions()
	if err != nil {
		return nil, err
	}
	if o.label == "" && (o.valid != "" || o.test != "") {
		return nil, misusef("--valid and --test compare predictions with labels, and there are none: add --label")
	}
	if len(o.roleFlags.start) > 0 && !l.Capabilities().Offset {
		return nil, misusef("--init-score: %s does not use initial scores: use a learner such as gbm", o.called())
	}
	if o.valid != "" && l.Capabilities().Validation == 0 {
		o.note("%s with these parameters does not use the validation set of --valid; without the flag its rows are in the training set", o.learnerFlags.name)
	}
	if err := o.repeatFlag.check(append(tableFiles(paths), further(valid, test)...)...); err != nil {
		return nil, err
	}
	if err := o.importanceFlags.check(l, o.called(), o.valid != "" || o.test != "", o.label != "", o.shard != ""); err != nil {
		return nil, err
	}
	inputs := append([]string{valid.path, test.path}, paths...)
	if err := o.outOfBagFlag.check(l, o.called(), o.output, inputs...); err != nil {
		return nil, err
	}
	inputs = append(inputs, o.resume)
	if err := writable(o.output, inputs...); err != nil {
		return nil, err
	}
	o.start, err = o.startFlags.check(l, o.learnerFlags.name, o.output)
	if o.more != "" && err == nil {
		o.tableFlags.from = o.start.Model.Spec()
	}
	return l, err
}

// setShard makes the learner train a shard of its model.
func (o *trainCommand) setShard(l learn.Learner) error {
	if o.shard == "" {
		return nil
	}
	if l.Capabilities().Merge == nil {
		return misusef("--shard: %s trains no shards: use a learner such as forest", o.called())
	}
	for _, setting := range o.set {
		if key, _, _ := strings.Cut(setting, "="); strings.TrimSpace(key) == "shard" {
			return misusef("--shard does not go with --set shard: use one of them")
		}
	}
	if err := l.Params().Set([]string{"shard=" + o.shard}); err != nil {
		return misusef("--%w", err)
	}
	return nil
}

// parted has models of the learner vote, each trained on a part of the rows, if --partition asks
// for that.
func (o *trainCommand) parted(l learn.Learner) (learn.Learner, error) {
	v, is := l.(*vote.Learner)
	switch {
	case !o.learnerFlags.given.Changed("partition"):
		return l, nil
	case o.partition < 2:
		return nil, misusef("--partition %d: want 2 or more", o.partition)
	case o.shard != "":
		return nil, misusef("--partition does not go with --shard: use one of them")
	case l.Capabilities().Unsupervised:
		return nil, misusef("--partition: %s has no label to vote on", o.learnerFlags.name)
	case !is:
		v = vote.New(nil)
		v.Members.List = []inner.Member{{Name: o.learnerFlags.name, Learner: inner.Choice{Name: o.learnerFlags.name, Learner: l}}}
	}
	v.Partition = o.partition
	if err := v.Capabilities().Conflicts; err != nil {
		return nil, misusef("--partition: %w", err)
	}
	return v, nil
}

// report evaluates the model on every set of rows.
func (o *trainCommand) report(ctx context.Context, l learn.Learner, m model.Model, ds *data.Dataset, s *rowSets) (*trainReport, error) {
	o.progress.begin("testing")
	r := newTrainReport(m, o.output, s, &ds.Target, o.seed)
	if !comparable(m.Spec(), &ds.Target) {
		return r, nil
	}
	for _, set := range []struct {
		name string
		use  learn.ValidUse
		rows []int32
	}{{"training", 0, s.train}, {"validation", l.Capabilities().Validation.Chosen(), s.valid}, {"test", 0, s.test}} {
		if len(set.rows) == 0 {
			continue
		}
		report, err := eval.EvaluateRows(ctx, m, ds, set.rows, model.Options{Workers: o.threads, Memory: o.memoryLimit()})
		if err != nil {
			return nil, fmt.Errorf("%s set: %w", set.name, located(err, ds.Frame))
		}
		r.Sets = append(r.Sets, setReport{set.name, set.use, report})
	}
	return r, nil
}

// choosePositive chooses the positive class by the training rows, where it is not named. A training
// that adds to a model keeps the model's.
func (o *trainCommand) choosePositive(t *data.Target, rows []int32) {
	if o.start != nil && t.HasPositive() && o.positive == "" {
		t.Positive = data.Positive{First: o.start.Model.Spec().Decision.FirstPositive, Why: "it is that of the continued model"}
		return
	}
	t.ChoosePositive(rows)
}

// noteLabel notes how a learner that requires no label uses one.
func (o *trainCommand) noteLabel(t *data.Target) {
	switch {
	case !o.capable.Unsupervised || o.label == "":
	case t.Task == data.Binary:
		o.note("%s does not train on the label %q; the scores are compared with it", o.learnerFlags.name, o.label)
	default:
		o.note("%s does not use the label %q: scores can only be compared with a label of two values, for normal rows and anomalies", o.learnerFlags.name, o.label)
	}
}

// comparable reports whether a model's predictions can be compared with a target: scores of
// anomalies only with two classes.
func comparable(s *model.Spec, t *data.Target) bool {
	return s.Task != data.Anomaly || t.Task == data.Binary
}

// policyFlags request errors instead of learned directions at prediction time.
type policyFlags struct {
	unseen, missing []string
}

func (o *policyFlags) define(f *pflag.FlagSet) {
	f.StringSliceVar(&o.unseen, "unseen-error", nil, "refuse categories in `COL,...|all` that are not in the training set")
	f.StringSliceVar(&o.missing, "missing-error", nil, "refuse missing values in `COL,...|all`")
}

// apply writes the policies into the schema, which becomes the model's, and checks that the
// training table complies.
func (o *policyFlags) apply(p *problem) error {
	schema := &p.Schema
	unseen, err := chosen(schema, "unseen-error", o.unseen)
	if err != nil {
		return err
	}
	missing, err := chosen(schema, "missing-error", o.missing)
	if err != nil {
		return err
	}
	for _, i := range unseen {
		schema.Fields[i].Unseen = data.Refuse
	}
	for _, i := range missing {
		schema.Fields[i].Missing = data.Refuse
		for row := range p.Rows() {
			if p.IsMissing(row, i) {
				return fmt.Errorf("%s: column %q: missing value, which --missing-error refuses", p.Locate(row), schema.Fields[i].Source())
			}
		}
	}
	return nil
}

// chosen returns the positions of the features that a flag names; a date column stands for all
// columns that are made of it.
func chosen(s *data.Schema, flag string, names []string) ([]int, error) {
	names, all := everyOr(names)
	if all {
		names = s.Names()
	}
	var positions []int
	for _, name := range names {
		before := len(positions)
		for i := range s.Fields {
			if f := &s.Fields[i]; f.Name == name || f.Source() == name {
				positions = append(positions, i)
			}
		}
		if len(positions) == before {
			return nil, fmt.Errorf("--%s: there is no feature column %q: %s", flag, name, instead(name, s.Names()))
		}
	}
	return positions, nil
}

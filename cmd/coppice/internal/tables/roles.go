package tables

import (
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn"
)

// RoleFlags give the columns of a table their roles in training.
type RoleFlags struct {
	LabelFlags
	Task    string
	time    string
	timed   bool // the time column is also a feature
	Start   []string
	Ignore  []string
	Capable learn.Capabilities // of the learner, set by Check
}

func (o *RoleFlags) define(f *pflag.FlagSet) {
	o.LabelFlags.Define(f, "predict the label `COL` (required, except by the learner isolation, "+
		"whose scores are compared with it)")
	f.StringVar(&o.Task, "task", "auto",
		"train for a `TASK`: auto, binary, multiclass, regression, ranking, survival")
	o.PositiveFlag.Define(f, usualPositive)
	f.StringVar(&o.time, "time", "",
		"split rows by the time `COL`: numbers, dates or times of day; the column is no feature")
	f.BoolVar(&o.timed, "time-feature", false, "use the column of --time as a feature too")
	cli.NamesVar(f, &o.Start, "init-score",
		"start boosting from the scores in `COL,...` (base margin), one for each output, of two "+
			"classes that of the second by name; predictions do not add them")
	cli.NamesVar(f, &o.Ignore, "ignore", "do not use `COL,...`")
}

// Check finds misuse that can be found without a table, for a learner of these capabilities.
func (o *RoleFlags) Check(learner learn.Capabilities) error {
	o.Capable = learner
	if o.Label == "" && !learner.Unsupervised {
		return cli.Misusef("--label is missing: name the column to predict (coppice data FILE " +
			"lists the columns; it is label in LibSVM, and the last one in most ARFF files); only " +
			"--learner isolation does without")
	}
	if o.timed && column(o.time) == "" {
		return cli.Misusef("--time-feature goes with --time: add it")
	}
	if _, err := o.parseTask(); err != nil {
		return err
	}
	if o.Label == "" {
		for _, without := range []struct {
			flag  string
			given bool
		}{{"map", o.Rename != nil}, {"drop-unlabeled", o.dropUnlabeled},
			{"task", o.Task != data.Auto.String()}, {"positive", o.Positive != ""}} {
			if without.given {
				return cli.Misusef("--%s goes with --label: add it", without.flag)
			}
		}
	}
	if o.Positive != "" && learner.Unsupervised {
		return cli.Misusef(
			"--positive: the positive class of anomaly scores is the anomaly: leave the flag out")
	}
	for _, ignored := range o.Ignore {
		for _, role := range []struct{ flag, column string }{
			{"label", o.Label}, {"weight", o.outcome.weight}, {"group", o.outcome.group},
			{"time", o.time}, {"event", o.outcome.event}, {"upper", o.outcome.upper},
		} {
			if column(role.column) == ignored {
				return cli.Misusef("--ignore and --%s both name column %q", role.flag, ignored)
			}
		}
	}
	for _, pair := range o.Rename {
		if !strings.Contains(pair, "=") {
			return cli.Misusef("--map %q: want OLD=NEW", pair)
		}
	}
	return nil
}

func (o *RoleFlags) parseTask() (data.Task, error) {
	var t data.Task
	if t.UnmarshalText([]byte(o.Task)) != nil {
		return t, cli.Misusef("--task %q: %s", o.Task, cli.Instead(o.Task, tasks()))
	}
	if t == data.Anomaly {
		return t, cli.Misusef("--task anomaly: a label has no such task: use --learner " +
			"isolation, which finds anomalies with a label or without")
	}
	return t, nil
}

// roles returns the roles of all columns of a table.
func (o *RoleFlags) roles(c *cli.Console, f *data.Frame) (data.Roles, error) {
	r, err := o.LabelFlags.roles(c, f)
	r.TimeFeature = o.timed
	r.Time, r.Start, r.RareLast = columnOf(&f.Schema, o.time), o.Start, o.Capable.Unsupervised
	r.NoRanking = !slices.Contains(o.Capable.Tasks, data.Ranking)
	r.NoRegression = slices.Contains(o.Capable.Tasks, data.Multiclass) &&
		!slices.Contains(o.Capable.Tasks, data.Regression)
	r.Task, _ = o.parseTask() // Check has accepted it
	if i := f.Schema.Index(o.Label); r.Task == data.Auto && i >= 0 &&
		f.Schema.Fields[i].Kind == data.Numeric {
		r.Task = o.Capable.Task
	}
	return r, err
}

// tasks are the names that --task takes.
func tasks() []string {
	var names []string
	for t := data.Auto; t <= data.Survival; t++ {
		names = append(names, t.String())
	}
	return names
}

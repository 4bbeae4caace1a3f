package command

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/csvdata"
	"github.com/coppice-ml/coppice/data/table"
	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/internal/source"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/calibrate"
	"github.com/coppice-ml/coppice/learn/catalog"
	"github.com/coppice-ml/coppice/learn/isolation"
	"github.com/coppice-ml/coppice/param"
)

// Flags that several commands have are declared here once, one struct for each concern.

// textFlags control how tables are read.
type textFlags struct {
	format    string
	missing   []string
	noHeader  bool
	separator string
	memoryFlag
	repeatFlag
	dateFlag
	flags *pflag.FlagSet
	markFlags
	encoding string
}

func (o *textFlags) define(f *pflag.FlagSet) {
	o.flags = f
	f.StringVar(&o.format, "format", "", "the tables are `FORMAT`: "+strings.Join(formatNames(), ", ")+" (default: by their names, else by their content)")
	f.StringSliceVar(&o.missing, "missing", nil, "read `TOKEN,...` as missing values, beside the empty field (default in CSV and LibSVM: "+
		strings.Join(table.DefaultMissing[1:], ", ")+")")
	o.markFlags.define(f)
	f.StringVar(&o.encoding, "encoding", "", "texts are in the encoding `NAME`, such as windows-1252 (default: by the byte order mark of UTF-16, else UTF-8)")
	f.BoolVar(&o.noHeader, "no-header", false, "CSV: the first line is data; columns are called f0, f1, ...")
	f.StringVar(&o.separator, "separator", "", "CSV: `CHAR` that separates fields, or tab (default: by the file's name and first line)")
	o.memoryFlag.define(f)
	o.repeatFlag.define(f)
	o.dateFlag.define(f)
}

// options returns how to read.
func (o *textFlags) options(c *console) (input, error) {
	r := input{Options: csvdata.Options{Options: table.Options{Stdin: c.in, Log: c.note}, NoHeader: o.noHeader}, format: o.format}
	if o.format != "" && !slices.Contains(formatNames(), o.format) {
		return r, misusef("--format %q: %s", o.format, instead(o.format, formatNames()))
	}
	limit, err := o.memoryFlag.limit()
	if err != nil {
		return r, err
	}
	r.Memory = limit
	if o.flags.Changed("missing") {
		r.Missing = append([]string{}, o.missing...)
	}
	switch {
	case o.separator == "tab" || o.separator == `\t`:
		r.Comma = '\t'
	case len(o.separator) == 1:
		r.Comma = o.separator[0]
	case o.separator != "":
		return r, misusef("--separator %q: want one ASCII character, or tab", o.separator)
	}
	if err := o.markFlags.apply(&r); err != nil {
		return r, err
	}
	if err := source.CheckEncoding(o.encoding); err != nil {
		return r, misusef("--encoding: %w", err)
	}
	r.Encoding = o.encoding
	r.Dates, err = o.dateFormats()
	return r, err
}

// kindFlags override the kinds inferred for columns.
type kindFlags struct {
	categorical, numeric []string
}

func (o *kindFlags) define(f *pflag.FlagSet) {
	f.StringSliceVar(&o.categorical, "categorical", nil, "read numbers in `COL,...|all` as categories")
	f.StringSliceVar(&o.numeric, "numeric", nil, "require numbers in `COL,...`: a text is an error instead of a category")
}

func (o *kindFlags) apply(r *input) {
	r.Numeric = o.numeric
	r.Categorical, r.AllCategorical = everyOr(o.categorical)
}

// everyOr distinguishes a list of names from the word all.
func everyOr(names []string) (list []string, all bool) {
	if len(names) == 1 && names[0] == "all" {
		return nil, true
	}
	return names, false
}

// labelFlags name the label and control how its values are read.
type labelFlags struct {
	label         string
	rename        []string
	dropUnlabeled bool
	weight        string
	positiveFlag
	outcomeFlags
}

// outcomeFlags name the columns that belong to a label that is a grade or a time.
type outcomeFlags struct{ group, event, upper string }

func (o *outcomeFlags) define(f *pflag.FlagSet) {
	f.StringVar(&o.group, "group", "", "rows with the same value of `COL` are a group: splits keep it together, ranking compares its rows")
	f.StringVar(&o.event, "event", "", "survival: the label is a time, and `COL` is 1 for an observed event, 0 for a censored one")
	f.StringVar(&o.upper, "upper", "", "survival: the time lies between the label and `COL`; a missing upper bound is no bound")
}

// columns returns the columns that are named.
func (o *outcomeFlags) columns() []string {
	var named []string
	for _, column := range []string{o.group, o.event, o.upper} {
		if column != "" {
			named = append(named, column)
		}
	}
	return named
}

func (o *labelFlags) define(f *pflag.FlagSet, about string) {
	f.StringVar(&o.label, "label", "", about)
	f.StringArrayVar(&o.rename, "map", nil, "rename a value of the label, `OLD=NEW`; may be repeated")
	f.BoolVar(&o.dropUnlabeled, "drop-unlabeled", false, "leave out rows without a label")
	f.StringVar(&o.weight, "weight", "", "weigh the rows by `COL`, numbers from 0 up")
}

// roles returns the roles that the label flags give to the columns of a table.
func (o *labelFlags) roles(c *console, f *data.Frame) (data.Roles, error) {
	names, err := data.ParseRename(o.rename, f, o.label)
	if err != nil {
		return data.Roles{}, misuseError{err}
	}
	return data.Roles{Label: o.label, Weight: o.weight, Group: o.group, Event: o.event, Upper: o.upper,
		Rename: names, DropUnlabeled: o.dropUnlabeled, Positive: o.positive, Log: c.note}, nil
}

// roleFlags give the columns of a table their roles in training.
type roleFlags struct {
	labelFlags
	task    string
	time    string
	timed   bool // the column of time is a feature too
	start   []string
	ignore  []string
	capable learn.Capabilities // of the learner, from check on
}

// columns returns the columns that have a role, but for ignored ones.
func (o *roleFlags) columns() []string {
	named := append([]string{o.label, o.weight, o.time}, o.outcomeFlags.columns()...)
	return slices.DeleteFunc(append(named, o.start...), func(name string) bool { return name == "" })
}

func (o *roleFlags) define(f *pflag.FlagSet) {
	o.labelFlags.define(f, "predict the label `COL` (required, except by the learner isolation, whose scores are compared with it)")
	f.StringVar(&o.task, "task", "auto", "train for a `TASK`: auto, binary, multiclass, regression, ranking, survival")
	o.positiveFlag.define(f, usualPositive)
	o.outcomeFlags.define(f)
	f.StringVar(&o.time, "time", "", "split rows by the time `COL`, integers or dates; the column is no feature")
	f.BoolVar(&o.timed, "time-feature", false, "use the column of --time as a feature too")
	f.StringSliceVar(&o.start, "init-score", nil, "start boosting from the scores in `COL,...` (base margin), one for each output; predictions do not add them")
	f.StringSliceVar(&o.ignore, "ignore", nil, "do not use `COL,...`")
}

// check finds misuse that requires no table, for a learner of these capabilities.
func (o *roleFlags) check(learner learn.Capabilities) error {
	o.capable = learner
	if o.label == "" && !learner.Unsupervised {
		return misusef("--label is missing: name the column to predict (coppice data FILE lists the columns); only --learner %s does without", isolation.Name)
	}
	if o.timed && o.time == "" {
		return misusef("--time-feature goes with --time: add it")
	}
	if _, err := o.parseTask(); err != nil {
		return err
	}
	if o.label == "" {
		for _, without := range []struct {
			flag  string
			given bool
		}{{"map", o.rename != nil}, {"drop-unlabeled", o.dropUnlabeled}, {"task", o.task != data.Auto.String()}, {"positive", o.positive != ""}} {
			if without.given {
				return misusef("--%s goes with --label: add it", without.flag)
			}
		}
	}
	if o.positive != "" && learner.Unsupervised {
		return misusef("--positive: the positive class of anomaly scores is the anomaly: leave the flag out")
	}
	for _, ignored := range o.ignore {
		for _, role := range []struct{ flag, column string }{
			{"label", o.label}, {"weight", o.weight}, {"group", o.group}, {"time", o.time}, {"event", o.event}, {"upper", o.upper},
		} {
			if role.column == ignored {
				return misusef("--ignore and --%s both name column %q", role.flag, ignored)
			}
		}
	}
	for _, pair := range o.rename {
		if !strings.Contains(pair, "=") {
			return misusef("--map %q: want OLD=NEW", pair)
		}
	}
	return nil
}

// tasks are the names that --task takes.
func tasks() []string {
	var names []string
	for t := data.Auto; t <= data.Survival; t++ {
		names = append(names, t.String())
	}
	return names
}

func (o *roleFlags) parseTask() (data.Task, error) {
	t, err := data.ParseTask(o.task)
	if err != nil {
		return t, misusef("--task %q: %s", o.task, instead(o.task, tasks()))
	}
	if t == data.Anomaly {
		return t, misusef("--task anomaly: a label has no such task: use --learner %s, which finds anomalies with a label or without", isolation.Name)
	}
	return t, nil
}

// instead suggests what a user may have meant.
func instead(given string, names []string) string {
	if near := param.Nearest(given, names); near != "" {
		return "did you mean " + near + "?"
	}
	return "want " + humanize.Or(names)
}

// roles returns all roles of a table's columns.
func (o *roleFlags) roles(c *console, f *data.Frame) (data.Roles, error) {
	r, err := o.labelFlags.roles(c, f)
	r.TimeFeature = o.timed
	r.Time, r.Start, r.RareLast = o.time, o.start, o.capable.Unsupervised
	r.Task, _ = o.parseTask() // checked before any work
	if i := f.Schema.Index(o.label); r.Task == data.Auto && i >= 0 && f.Schema.Fields[i].Kind == data.Numeric {
		r.Task = o.capable.Task
	}
	return r, err
}

// learnerFlags choose a learner and its parameters.
type learnerFlags struct {
	name string
	set  []string

	preset, compat string

	given *pflag.FlagSet
	calibrateFlags
	inner string // what a calibration is around, once learner has put one around it
}

func (o *learnerFlags) define(f *pflag.FlagSet) {
	o.given = f
	f.StringVar(&o.name, "learner", catalog.Default, "train by the learner `NAME` (coppice learners lists them)")
	f.StringVar(&o.preset, "preset", "", "use the settings `NAME`, for speed or for accuracy: fast, default or best")
	f.StringVar(&o.compat, "compat", "", "use the defaults and conventions of `PROGRAM`: xgboost, xgboost-exact or lightgbm")
	f.StringArrayVar(&o.set, "set", nil, "set a parameter, `KEY=VALUE` (coppice learners NAME lists them); may be repeated")
	o.calibrateFlags.define(f)
}

// learner returns the learner with its parameters set; all faults are reported at once.
func (o *learnerFlags) learner() (learn.Learner, error) {
	row, err := catalog.Find(o.name)
	if err != nil {
		return nil, misuseError{err}
	}
	o.name = row.Name
	l := row.New()
	if err := o.applyPreset(l); err != nil {
		return nil, err
	}
	if err := l.Params().Set(o.set); err != nil {
		return nil, misusef("--set: %w", err)
	}
	if err := l.Capabilities().Conflicts; err != nil {
		return nil, misusef("--set: %w", err)
	}
	around, err := o.calibrateFlags.wrap(o.name, l)
	if err != nil || around == nil {
		return l, err
	}
	o.inner, o.name = o.name, calibrate.Name // whose model it is
	return around, nil
}

// called names the learner for messages, and what put it there if that was not --learner.
func (o *learnerFlags) called() string {
	for _, flag := range []string{"calibrate", "threshold-for", "costs"} {
		if o.inner != "" && o.given.Changed(flag) {
			return fmt.Sprintf("%s, which --%s wraps around %s,", o.name, flag, o.inner)
		}
	}
	return o.name
}

// applyPreset sets the parameters of --preset or --compat; those of --set overrule them.
func (o *learnerFlags) applyPreset(l learn.Learner) error {
	if o.preset != "" && o.compat != "" {
		return misusef("--preset does not go with --compat: use one of them")
	}
	c := l.Capabilities()
	for _, f := range []struct {
		flag, name string
		of         []learn.Preset
	}{{"preset", o.preset, c.Presets}, {"compat", o.compat, c.Compats}} {
		if !o.given.Changed(f.flag) {
			continue
		}
		if len(f.of) == 0 {
			return misusef("--%s: %s has none of these settings: use a learner such as gbm", f.flag, o.name)
		}
		var names []string
		for _, preset := range f.of {
			if preset.Name == f.name {
				return l.Params().Set(preset.Settings)
			}
			names = append(names, preset.Name)
		}
		return misusef("--%s %q: %s", f.flag, f.name, instead(f.name, names))
	}
	return nil
}

// threadFlag limits the processors used.
type threadFlag struct{ threads int }

func (o *threadFlag) define(f *pflag.FlagSet) {
	f.IntVar(&o.threads, "threads", 0, "use at most `N` threads; the result is the same for any number (default: one per processor)")
}

func (o *threadFlag) check() error {
	if o.threads < 0 {
		return misusef("--threads %d: want a number from 0 up", o.threads)
	}
	return nil
}

// seedFlag seeds all random choices.
type seedFlag struct{ seed uint64 }

func (o *seedFlag) define(f *pflag.FlagSet) {
	f.Uint64Var(&o.seed, "seed", 0, "seed of all random choices; the same `N` gives the same result")
}

// jsonFlag requests JSON.
type jsonFlag struct{ json bool }

func (o *jsonFlag) define(f *pflag.FlagSet) {
	f.BoolVar(&o.json, "json", false, "print one JSON object and nothing else on standard output")
}

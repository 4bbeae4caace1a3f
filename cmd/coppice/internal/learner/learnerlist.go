package learner

import (
	"errors"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/paramfile"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/eval"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/catalog"
	"github.com/coppice-ml/coppice/tune"
)

// Several holds the flags that choose learners which are compared, or whose parameters are
// searched.
type Several struct {
	names  []string
	set    []string
	search bool // the flags are those of DefineSearch

	File paramfile.Flags
	offsetFlag
	file   []string // settings of a file, which set overrides
	fileOf string   // the learner that has them
}

// Define defines the flags.
func (o *Several) Define(f *pflag.FlagSet) {
	f.StringSliceVar(&o.names, "learners", []string{"gbm", "forest"},
		"compare the learners `NAME,...`; NAME:PRESET has the settings of a preset or of a "+
			"program, as gbm:fast or gbm:lightgbm")
	alias(f, "learner", "learners")
	f.StringArrayVar(&o.set, "set", nil, "set a parameter of one learner, `NAME.KEY=VALUE` "+
		"(coppice learners NAME lists them); may be repeated")
	o.offsetFlag.define(f)
	o.File.Define(f)
}

// DefineSearch defines the flags for a search, which may be of one learner.
func (o *Several) DefineSearch(f *pflag.FlagSet) {
	o.search = true
	f.StringSliceVar(&o.names, "learner", []string{catalog.Default},
		"search the parameters of the learners `NAME,...`; NAME:PRESET begins with the settings of "+
			"a preset or of a program, as gbm:lightgbm")
	alias(f, "learners", "learner")
	f.StringArrayVar(&o.set, "set", nil, "fix a parameter, `KEY=VALUE`, of several learners "+
		"NAME.KEY=VALUE (coppice learners NAME lists them); may be repeated")
	o.offsetFlag.define(f)
	o.File.Define(f)
}

// alias defines a flag that sets another one: compare has one name for it, and tune the other.
func alias(f *pflag.FlagSet, name, of string) {
	f.Func(name, f.Lookup(of).Usage, func(s string) error { return f.Set(of, s) })
	f.Lookup(name).Hidden = true
}

// flag is what faults name.
func (o *Several) flag() string {
	if o.search {
		return "--learner"
	}
	return "--learners"
}

// Learners returns the learners with their parameters set.
func (o *Several) Learners() ([]eval.Entrant, error) {
	all, settings, err := o.read()
	if err != nil {
		return nil, err
	}
	for i, e := range all {
		if err := o.apply(&e, settings[i]); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// Candidates returns the learners for a search, and one of each with the parameters that it starts
// with.
func (o *Several) Candidates() ([]tune.Candidate, []eval.Entrant, error) {
	all, settings, err := o.read()
	if err != nil {
		return nil, nil, err
	}
	var candidates []tune.Candidate
	for i, e := range all {
		if err := o.apply(&e, settings[i]); err != nil {
			return nil, nil, err
		}
		candidates = append(candidates, tune.Candidate{Name: e.Name, Fixed: settings[i],
			New: func() (learn.Learner, error) {
				fresh, err := o.entrant(e.Name)
				return fresh.Learner, err
			}})
	}
	return candidates, all, nil
}

// read returns the learners that the flags name, and the settings of each.
func (o *Several) read() ([]eval.Entrant, [][]string, error) {
	var all []eval.Entrant
	for _, text := range o.names {
		e, err := o.entrant(strings.TrimSpace(text))
		if err != nil {
			return nil, nil, err
		}
		if slices.ContainsFunc(all, func(other eval.Entrant) bool { return other.Name == e.Name }) {
			return nil, nil, cli.Misusef("%s: %s occurs twice", o.flag(), e.Name)
		}
		all = append(all, e)
	}
	if len(all) < 2 && !o.search {
		return nil, nil, cli.Misusef("--learners: a comparison needs two or more, as gbm,forest")
	}
	settings := make([][]string, len(all))
	for _, text := range o.set {
		i := slices.IndexFunc(all, func(e eval.Entrant) bool {
			return strings.HasPrefix(text, e.Name+".")
		})
		switch {
		case i >= 0:
			settings[i] = append(settings[i], strings.TrimPrefix(text, all[i].Name+"."))
		case len(all) == 1:
			settings[0] = append(settings[0], text)
		default:
			return nil, nil, cli.Misusef("--set %s: want NAME.KEY=VALUE, with NAME one of %s: %s", text,
				o.flag(), strings.Join(namesOf(all), ", "))
		}
	}
	for i := range all {
		if of := all[i].Name; of == o.fileOf {
			settings[i] = overridden(all[i].Learner.Params(), o.file, settings[i])
		}
	}
	return all, settings, nil
}

// apply sets the parameters of a learner.
func (o *Several) apply(e *eval.Entrant, settings []string) error {
	if err := e.Learner.Params().Set(settings); err != nil {
		return cli.Misusef("--set: %s: %w", e.Name, err)
	}
	c := e.Learner.Capabilities()
	switch {
	case c.Conflicts != nil:
		return cli.Misusef("%s: %w", e.Name, c.Conflicts)
	case c.Unsupervised:
		return cli.Misusef("%s: %s is trained without a label: choose learners that predict one",
			o.flag(), e.Name)
	}
	return nil
}

func namesOf(all []eval.Entrant) []string {
	var names []string
	for _, e := range all {
		names = append(names, e.Name)
	}
	return names
}

// entrant makes a learner of NAME or NAME:PRESET.
func (o *Several) entrant(text string) (eval.Entrant, error) {
	name, preset, hasPreset := strings.Cut(text, ":")
	row, err := catalog.Find(name)
	if err != nil {
		return eval.Entrant{}, cli.Misusef("%s: %w", o.flag(), err)
	}
	e := eval.Entrant{Name: row.Name, Learner: row.New()}
	if !hasPreset {
		e.Learner, err = o.offsetFlag.wrap(row.Name, e.Learner)
		return e, err
	}
	e.Name += ":" + preset
	_, e.Learner, err = catalog.WithPreset(row, preset, true)
	var wrong *catalog.PresetError
	switch {
	case err == nil:
		e.Learner, err = o.offsetFlag.wrap(e.Name, e.Learner)
		return e, err
	case !errors.As(err, &wrong):
		return e, err
	case len(wrong.Known) == 0:
		return e, cli.Misusef("%s: %s has no presets: leave out :%s", o.flag(), row.Name, preset)
	}
	return e, cli.Misusef("%s: %s has no preset %q: %s", o.flag(), row.Name, preset,
		cli.Instead(preset, wrong.Known))
}

// Capable returns what the roles of columns depend on: the task that one of the learners decides,
// and the further tasks that all of them support.
func Capable(all []eval.Entrant) learn.Capabilities {
	var c learn.Capabilities
	for i, e := range all {
		own := e.Learner.Capabilities().Tasks
		if i == 0 {
			c.Tasks = slices.Clone(own)
		}
		c.Tasks = slices.DeleteFunc(c.Tasks, func(t data.Task) bool { return !slices.Contains(own, t) })
		if own := e.Learner.Capabilities().Task; c.Task == data.Auto {
			c.Task = own
		}
	}
	return c
}

// Fixed returns the settings that the flags give a learner.
func (o *Several) Fixed(name string) []string {
	all, settings, err := o.read()
	if err != nil {
		return nil // Candidates has reported it
	}
	return settings[slices.Index(namesOf(all), name)]
}

// PresetFlag returns the flag of train by which a learner has some settings.
func (o *Several) PresetFlag(name, preset string) string {
	if row, err := catalog.Find(name); err == nil && slices.ContainsFunc(
		row.New().Capabilities().Presets, func(p learn.Preset) bool { return p.Name == preset }) {
		return "--preset"
	}
	return "--compat"
}

// Package learner makes the learner that the flags of train and cv choose: its name, its
// parameters, a preset, and a calibration around it.
package learner

import (
	"fmt"
	"slices"

	"github.com/spf13/pflag"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/paramfile"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/catalog"
)

// Choice holds the flags that choose a learner and its parameters.
type Choice struct {
	Name string
	Set  []string

	preset, compat, budget string

	// Repeated is a learner with its parameters that is used whatever the flags; nil = none
	Repeated learn.Learner

	given *pflag.FlagSet
	File  paramfile.Flags
	offsetFlag
	file []string // settings of a file, which Set overrides
	calibrateFlags
	inner string // the learner inside a calibration, set by Learner; "" = there is none
}

// Define defines the flags.
func (o *Choice) Define(f *pflag.FlagSet) {
	o.given = f
	f.StringVar(&o.Name, "learner", catalog.Default,
		"train by the learner `NAME` (coppice learners lists them)")
	f.StringVar(&o.preset, "preset", "",
		"use the settings `NAME`, for speed or for accuracy: fast, default, or best, an ensemble "+
			"of configurations of several learners, or of --learner")
	f.StringVar(&o.budget, "budget", "", "of --preset best: train `N` configurations, or begin "+
		"configurations for a time such as 90s, 10m, 2h (default 16)")
	f.StringVar(&o.compat, "compat", "",
		"use the defaults and conventions of `PROGRAM`: xgboost, xgboost-exact, lightgbm or "+
			"catboost")
	f.StringArrayVar(&o.Set, "set", nil,
		"set a parameter, `KEY=VALUE` (coppice learners NAME lists them); may be repeated")
	o.offsetFlag.define(f)
	o.File.Define(f)
	o.calibrateFlags.define(f)
}

// Learner returns the learner with its parameters set. All faults of the settings are one error.
func (o *Choice) Learner() (learn.Learner, error) {
	if o.Repeated != nil {
		return o.Repeated, nil
	}
	row, err := catalog.Find(o.Name)
	if err != nil {
		return nil, cli.Misuse(err)
	}
	o.Name = row.Name
	l, err := o.withPreset(row)
	if err != nil {
		return nil, err
	}
	if err := o.setBudget(l); err != nil {
		return nil, err
	}
	o.Set, o.file = overridden(l.Params(), o.file, o.Set), nil
	if err := l.Params().Set(o.Set); err != nil {
		return nil, cli.Misusef("--set: %w", err)
	}
	if err := l.Capabilities().Conflicts; err != nil {
		return nil, cli.Misusef("--set: %w", err)
	}
	if l, err = o.offsetFlag.wrap(o.Name, l); err != nil {
		return nil, err
	}
	around, err := o.calibrateFlags.wrap(o.Name, l)
	if err != nil || around == nil {
		return l, err
	}
	o.inner, o.Name = o.Name, catalog.Calibration // models store this name
	return around, nil
}

// Changed reports whether a flag of the command is given.
func (o *Choice) Changed(flag string) bool { return o.given.Changed(flag) }

// Called names the learner for messages. For a calibration it adds the flag that requires it.
func (o *Choice) Called() string {
	for _, flag := range []string{"calibrate", "threshold-for", "costs"} {
		if o.inner != "" && o.given.Changed(flag) {
			return fmt.Sprintf("%s, which --%s wraps around %s,", o.Name, flag, o.inner)
		}
	}
	return o.Name
}

// withPreset returns the learner with --preset or --compat. --set is applied after it and overrides
// them.
func (o *Choice) withPreset(row catalog.Entry) (learn.Learner, error) {
	if o.preset != "" && o.compat != "" {
		return nil, cli.Misusef("--preset does not go with --compat: use one of them")
	}
	l := row.New()
	c := l.Capabilities()
	for _, f := range []struct {
		flag, name string
		of         []learn.Preset
	}{{"preset", o.preset, c.Presets}, {"compat", o.compat, c.Compats}} {
		if !o.given.Changed(f.flag) {
			continue
		}
		if len(f.of) == 0 {
			return nil, cli.Misusef(
				"--%s: %s has none of these settings: use a learner such as gbm", f.flag, o.Name)
		}
		var names []string
		for _, preset := range f.of {
			names = append(names, preset.Name)
		}
		if !slices.Contains(names, f.name) {
			return nil, cli.Misusef("--%s %q: %s", f.flag, f.name, cli.Instead(f.name, names))
		}
		var err error
		o.Name, l, err = catalog.WithPreset(row, f.name, o.given.Changed("learner"))
		return l, err
	}
	return l, nil
}

// setBudget sets the parameter budget by the flag.
func (o *Choice) setBudget(l learn.Learner) error {
	if !o.given.Changed("budget") {
		return nil
	}
	if l.Params().Lookup("budget") == nil {
		return cli.Misusef("--budget: %s has none: add --preset best, or use coppice tune", o.Name)
	}
	if err := l.Params().Set([]string{"budget=" + o.budget}); err != nil {
		return cli.Misusef("--%w", err)
	}
	return nil
}

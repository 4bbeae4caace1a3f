package learner

import (
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/eval"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/catalog"
)

// Several holds the flags that choose learners which are compared.
type Several struct {
	names []string
	set   []string
}

// Define defines the flags.
func (o *Several) Define(f *pflag.FlagSet) {
	f.StringSliceVar(&o.names, "learners", []string{"gbm", "forest"},
		"compare the learners `NAME,...`; NAME:PRESET has the settings of a preset or of a "+
			"program, as gbm:fast or gbm:lightgbm")
	f.StringArrayVar(&o.set, "set", nil, "set a parameter of one learner, `NAME.KEY=VALUE` "+
		"(coppice learners NAME lists them); may be repeated")
}

// Learners returns the learners with their parameters set.
func (o *Several) Learners() ([]eval.Entrant, error) {
	var all []eval.Entrant
	for _, text := range o.names {
		e, err := entrant(strings.TrimSpace(text))
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(all, func(other eval.Entrant) bool { return other.Name == e.Name }) {
			return nil, cli.Misusef("--learners: %s occurs twice", e.Name)
		}
		all = append(all, e)
	}
	if len(all) < 2 {
		return nil, cli.Misusef("--learners: a comparison needs two or more, as gbm,forest")
	}
	settings := make([][]string, len(all))
	for _, text := range o.set {
		i := slices.IndexFunc(all, func(e eval.Entrant) bool {
			return strings.HasPrefix(text, e.Name+".")
		})
		if i < 0 {
			return nil, cli.Misusef("--set %s: want NAME.KEY=VALUE, with NAME one of --learners: %s",
				text, strings.Join(namesOf(all), ", "))
		}
		settings[i] = append(settings[i], strings.TrimPrefix(text, all[i].Name+"."))
	}
	for i, e := range all {
		if err := e.Learner.Params().Set(settings[i]); err != nil {
			return nil, cli.Misusef("--set: %s: %w", e.Name, err)
		}
		c := e.Learner.Capabilities()
		switch {
		case c.Conflicts != nil:
			return nil, cli.Misusef("%s: %w", e.Name, c.Conflicts)
		case c.Unsupervised:
			return nil, cli.Misusef("--learners: %s is trained without a label: choose learners that "+
				"predict one", e.Name)
		}
	}
	return all, nil
}

func namesOf(all []eval.Entrant) []string {
	var names []string
	for _, e := range all {
		names = append(names, e.Name)
	}
	return names
}

// entrant makes a learner of NAME or NAME:PRESET.
func entrant(text string) (eval.Entrant, error) {
	name, preset, hasPreset := strings.Cut(text, ":")
	row, err := catalog.Find(name)
	if err != nil {
		return eval.Entrant{}, cli.Misusef("--learners: %w", err)
	}
	e := eval.Entrant{Name: row.Name, Learner: row.New()}
	if !hasPreset {
		return e, nil
	}
	c := e.Learner.Capabilities()
	var names []string
	for _, p := range slices.Concat(c.Presets, c.Compats) {
		if p.Name == preset {
			e.Name += ":" + preset
			return e, e.Learner.Params().Set(p.Settings)
		}
		names = append(names, p.Name)
	}
	if names == nil {
		return e, cli.Misusef("--learners: %s has no presets: leave out :%s", name, preset)
	}
	return e, cli.Misusef("--learners: %s has no preset %q: %s", name, preset,
		cli.Instead(preset, names))
}

// Capable returns what the roles of columns depend on: the task that one of the learners decides.
func Capable(all []eval.Entrant) learn.Capabilities {
	var c learn.Capabilities
	for _, e := range all {
		if own := e.Learner.Capabilities().Task; c.Task == data.Auto {
			c.Task = own
		}
	}
	return c
}

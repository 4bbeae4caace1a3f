package describe

import (
	"slices"
	"strings"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/learn/catalog"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/param"
)

// Params returns the parameters that a model was trained with, nil if its learner is not in the
// catalog.
func Params(s *model.Spec) param.Set {
	l, err := catalog.New(s.Learner)
	if err != nil {
		return nil
	}
	set := l.Params()
	if len(s.Params) > 0 && set.UnmarshalJSON(s.Params) != nil {
		return nil
	}
	return set
}

// Learner names the learner and the parameters that differ from their defaults. A model of another
// tool has no learner here.
func Learner(s *model.Spec) string {
	if _, err := catalog.New(s.Learner); err != nil {
		return humanize.Name(s.Learner)
	}
	return Settings(s.Learner, Params(s))
}

// Settings names a learner and the parameters that differ from their defaults.
func Settings(learner string, params param.Set) string {
	texts := changed(params)
	if len(texts) == 0 {
		return humanize.Name(learner) + ", default parameters"
	}
	return humanize.Name(learner) + ", " + strings.Join(texts, ", ")
}

// LearnerFact names a learner and the parameters that differ from their defaults.
func LearnerFact(learner string, params param.Set) cli.Fact {
	texts := changed(params)
	if len(texts) == 0 {
		texts = []string{"the defaults of " + humanize.Name(learner)}
	}
	return cli.Fact{Name: "settings", Text: strings.Join(texts, " ")}
}

// changed lists the parameters that differ from their defaults, as NAME=VALUE.
func changed(params param.Set) []string {
	var texts []string
	for _, p := range params.All() {
		if p.Value() != p.Default {
			value := p.Value()
			if value != "" {
				value = humanize.Name(value)
			}
			texts = append(texts, p.Name+"="+value)
		}
	}
	return texts
}

// SettingsFact lists the parameters that the model was trained with in one line: those that
// training chose, and the others that differ from their defaults.
func (v *View) SettingsFact() cli.Fact {
	if _, err := catalog.New(v.Spec.Learner); err != nil {
		return cli.Fact{Name: "settings", Text: "not stored"}
	}
	texts := slices.Clone(v.Training.Settings)
	for _, text := range changed(Params(v.Spec)) {
		name, _, _ := strings.Cut(text, "=")
		if !slices.ContainsFunc(texts, func(t string) bool { return strings.HasPrefix(t, name+"=") }) {
			texts = append(texts, text)
		}
	}
	if len(texts) == 0 {
		texts = []string{"the defaults"}
	}
	return cli.Fact{Name: "settings", Text: strings.Join(texts, " ")}
}

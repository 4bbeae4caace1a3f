package describe

import (
	"strings"

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

func Settings(learner string, params param.Set) string {
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
	if len(texts) == 0 {
		return humanize.Name(learner) + ", default parameters"
	}
	return humanize.Name(learner) + ", " + strings.Join(texts, ", ")
}

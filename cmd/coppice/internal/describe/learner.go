package describe

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/learn/catalog"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/param"
)

// paramsOf returns the parameters that a model was trained with, nil if its learner is not in the
// catalog.
func paramsOf(s *model.Spec) param.Set {
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

// Learner names the learner and the parameters that differ from their defaults.
func Learner(s *model.Spec) string { return Settings(s.Learner, paramsOf(s)) }

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

// effectFacts lists the parameters whose values training chose, in the order of the learner's.
func effectFacts(s *model.Spec, effect json.RawMessage) []cli.Fact {
	var values map[string]any
	if json.Unmarshal(effect, &values) != nil {
		return nil
	}
	var texts []string
	for _, p := range paramsOf(s).All() {
		switch v := values[p.Name].(type) {
		case float64:
			texts = append(texts, p.Name+"="+strconv.FormatFloat(v, 'g', 4, 64))
		case string:
			texts = append(texts, p.Name+"="+humanize.Name(v))
		}
	}
	if texts == nil {
		return nil
	}
	return []cli.Fact{{Name: "in effect", Text: strings.Join(texts, ", ")}}
}

// Package describe prints what a model is: its size, parameters and training, its members and the
// importances of its features. Facts are lines of a heading; tables follow it.
package describe

import (
	"encoding/json"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/explain"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/model/committee"
)

// Summary is the object that show --json prints.
type Summary struct {
	Learner    string          `json:"learner"`
	Parameters json.RawMessage `json:"parameters"`
	Label      string          `json:"label,omitempty"`
	Task       data.Task       `json:"task"`
	Classes    []string        `json:"classes,omitempty"`
	Positive   string          `json:"positive,omitempty"` // the positive one of two classes
	ModelSize
	List      []model.Rule   `json:"list,omitempty"`      // the rules of a list of rules
	Combine   string         `json:"combine,omitempty"`   // of a committee: mean or vote
	Committee []MemberReport `json:"committee,omitempty"` // its members
	Schema    data.Schema    `json:"schema"`
	// the columns that are made of categories, by name
	Derived []string `json:"derived,omitempty"`
	// of models without trees or rules
	Content any `json:"content,omitempty"`
	// of Importances: gain or impurity
	Kind        string               `json:"importance_kind,omitempty"`
	Importances []explain.Importance `json:"importances,omitempty"`
	Permutation *model.Permutation   `json:"permutation_importance,omitempty"`
	Summary     json.RawMessage      `json:"summary,omitempty"`
}

func Summarize(m model.Model) Summary {
	spec := m.Spec()
	summary := Summary{Learner: spec.Learner, Parameters: spec.Params, Label: spec.Label, Task: spec.Task, Classes: spec.Classes,
		Positive: PositiveName(spec), ModelSize: SizeOf(m), Schema: spec.Schema, Derived: derivedNames(m), Importances: Importances(m), Permutation: spec.Permutation, Summary: spec.Summary}
	if summary.Importances != nil {
		summary.Kind = ImportanceKind(spec)
	}
	return summary
}

// MemberReport is a member as it is printed in JSON.
type MemberReport struct {
	Name    string  `json:"name,omitempty"` // where members have names
	Learner string  `json:"learner"`
	Weight  float64 `json:"weight"`
	// of its probabilities (inverse temperature); absent: they are not scaled
	Power   float64   `json:"power,omitempty"`
	Size    ModelSize `json:"size"`
	Columns int       `json:"columns"` // that it was trained on
}

func MemberReports(m *committee.Committee) []MemberReport {
	pool, names := Pooled(m), memberNames(m)
	reports := make([]MemberReport, len(pool.Members))
	for i, member := range pool.Members {
		s := member.Spec()
		reports[i] = MemberReport{Learner: s.Learner, Weight: pool.Weight(i), Size: SizeOf(member), Columns: len(s.Schema.Fields)}
		if c, is := member.(*committee.Committee); is && within(member) != member {
			reports[i].Power = c.Weight(0)
		}
		if names != nil {
			reports[i].Name = names[i]
		}
	}
	return reports
}

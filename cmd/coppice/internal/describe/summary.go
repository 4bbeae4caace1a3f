package describe

import (
	"encoding/json"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/explain"
	"github.com/coppice-ml/coppice/model"
)

// Summary is the object that show --json prints.
type Summary struct {
	Learner    string          `json:"learner"`
	Parameters json.RawMessage `json:"parameters"`
	Label      string          `json:"label,omitempty"`
	// the columns that had another role in training
	Roles    data.RoleColumns `json:"roles,omitzero"`
	Task     data.Task        `json:"task"`
	Classes  []string         `json:"classes,omitempty"`
	Positive string           `json:"positive,omitempty"` // the positive one of two classes
	model.Size
	List      []model.Rule   `json:"list,omitempty"`      // the rules of a list of rules
	Combine   string         `json:"combine,omitempty"`   // of an ensemble of models: mean or vote
	Committee []memberReport `json:"committee,omitempty"` // its members
	stored
	Schema data.Schema `json:"schema"`
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

// stored is what the model stores of its training; absent: it does not.
type stored struct {
	TrainedOn *model.TrainedOn `json:"trained_on,omitempty"` // the seed and the hash of the rows
	Study     *model.Study     `json:"study,omitempty"`
	Profile   *model.Profile   `json:"profile,omitempty"` // of the training rows
	// how good it was when it was made
	Evaluations []model.Evaluation `json:"evaluations,omitempty"`
	Notes       map[string]string  `json:"notes,omitempty"`
	Stamp       *model.Stamp       `json:"stamp,omitempty"`
	ID          string             `json:"id,omitempty"` // of what it predicts with: coppice.ID
}

// Summarize returns the object.
func (v *View) Summarize() Summary {
	spec := v.Spec
	s := Summary{Learner: spec.Learner, Parameters: spec.Params, Label: spec.Label, Roles: spec.Roles, Task: spec.Task,
		Classes: spec.Classes, Positive: PositiveName(spec), Size: v.Size, List: v.Rules,
		Combine: v.Combine,
		stored:  v.stored(), Schema: spec.Schema, Derived: v.derivedNames(), Content: v.Content,
		Importances: v.Importances(), Permutation: spec.Permutation, Summary: spec.Summary}
	if v.Combine != "" {
		s.Committee = v.memberReports()
	}
	if s.Importances != nil {
		s.Kind = v.ImportanceKind()
	}
	return s
}

func (v *View) stored() stored {
	s := v.Spec
	return stored{s.TrainedOn, s.Study, s.Profile, s.Evaluations, s.Notes, s.Stamp, v.ID()}
}

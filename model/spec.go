package model

import "github.com/coppice-ml/coppice/data"

// NewSpec returns the Spec of a model that a learner trains on a target. It copies the schema, so
// that the model has no dictionary in common with the caller's table. Params and Summary are empty.
func NewSpec(learner string, schema data.Schema, t *data.Target) Spec {
	s := Spec{
		Schema: schema.Clone(), Label: t.Name, LabelFormat: t.Format, Task: t.Task,
		Roles: t.Roles, Classes: t.Classes, Learner: learner,
	}
	s.Decision.FirstPositive = t.PositiveClass() == 0
	return s
}

package model

import (
	"fmt"

	"github.com/coppice-ml/coppice/data"
)

// MissingRoleError reports that a table has no column of a role that the model has in training, and
// without which its rows cannot be compared with predictions.
type MissingRoleError struct {
	Column string
	What   string // what it held
}

func (e *MissingRoleError) Error() string {
	return fmt.Sprintf("the table has no column %q, which held the %s in training", e.Column, e.What)
}

// RolesFor returns the roles of the columns of a table whose labels are compared with the model's
// predictions: the label, and the columns of Spec.Roles. Weights and groups that the table does not
// have are left out. Times of rows are not used, and initial scores are not added.
//
// A survival model needs its column of events or of upper ends, and a ranking its groups: a table
// without it is a *MissingRoleError. Readers read these columns where their options name those of
// Beside.
func (s *Spec) RolesFor(table *data.Schema) (data.Roles, error) {
	r := data.Roles{Label: s.Label, Task: s.Task, Classes: s.Classes, Like: &s.Schema}
	if s.Task == data.Anomaly {
		// The label may name normal rows and anomalies differently than the model.
		r.Task, r.RareLast = data.Auto, true
	}
	for _, role := range []struct {
		of     *string
		stored string
		needed string // what the column held; "": the table need not have it
	}{
		{&r.Event, s.Roles.Event, "events"},
		{&r.Upper, s.Roles.Upper, "upper ends of times"},
		{&r.Group, s.Roles.Group, map[bool]string{true: "groups"}[s.Task == data.Ranking]},
		{&r.Weight, s.Roles.Weight, ""},
	} {
		switch {
		case role.stored == "" || role.stored == r.Label:
		case table.Index(role.stored) >= 0:
			*role.of = role.stored
		case role.needed != "":
			return r, &MissingRoleError{role.stored, role.needed}
		}
	}
	return r, nil
}

// Beside returns the columns that RolesFor gives roles, where a table has them: names for
// data.ReadOptions.Optional.
func (s *Spec) Beside() []string {
	names := data.RoleColumns{Event: s.Roles.Event, Upper: s.Roles.Upper, Group: s.Roles.Group,
		Weight: s.Roles.Weight}.Names()
	if s.Label != "" {
		names = append([]string{s.Label}, names...)
	}
	return names
}

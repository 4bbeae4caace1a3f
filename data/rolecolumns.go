package data

import "slices"

// Role is what a file states about a column of it that is no feature.
type Role string

// The roles that files state: a weight of each row (ARFF, LightGBM's side files), the query that a
// row belongs to (LibSVM).
const (
	WeightRole Role = "weight"
	GroupRole  Role = "group"
)

// RoleColumns names the columns of a table that have a role beside the label; "" = no column.
// Models store those of their training.
type RoleColumns struct {
	Event  string   `json:"event,omitempty"`      // as Roles.Event
	Upper  string   `json:"upper,omitempty"`      // as Roles.Upper
	Group  string   `json:"group,omitempty"`      // as Roles.Group
	Weight string   `json:"weight,omitempty"`     // as Roles.Weight
	Time   string   `json:"time,omitempty"`       // as Roles.Time
	Start  []string `json:"init_score,omitempty"` // as Roles.Start
	// Offset is a feature that predictions add to their scores, as a model stores it
	// (learn/offset). It is no column beside the features, and Names leaves it out.
	Offset string `json:"offset,omitempty"`
}

// IsZero reports whether no column has a role.
func (c RoleColumns) IsZero() bool { return len(c.Names()) == 0 && c.Offset == "" }

// Names returns the columns that have a role and are no features.
func (c RoleColumns) Names() []string {
	var names []string
	for _, n := range append([]string{c.Event, c.Upper, c.Group, c.Weight, c.Time}, c.Start...) {
		if n != "" {
			names = append(names, n)
		}
	}
	return names
}

// columns returns the columns that have a role beside the label.
func (r *Roles) columns() RoleColumns {
	return RoleColumns{Event: r.Event, Upper: r.Upper, Group: r.Group, Weight: r.Weight, Time: r.Time,
		Start: slices.Clone(r.Start)}
}

// state gives the columns of a table the roles that its file states, unless other columns have
// them. A column whose role another one has, or that is of no use, is ignored: what a file states
// is no feature.
func (r *Roles) state(s *Schema) {
	for i := range s.Fields {
		f := &s.Fields[i]
		if f.Role == "" || f.Name == r.Label || slices.Contains(r.columns().Names(), f.Name) ||
			slices.Contains(r.Ignore, f.Name) {
			continue
		}
		of, what := &r.Weight, "the weights of the rows"
		if f.Role == GroupRole {
			of, what = &r.Group, "the queries of the rows, which are their groups"
		}
		if *of != "" {
			r.Ignore = append(slices.Clone(r.Ignore), f.Name)
			continue
		}
		*of = f.Name
		if r.Log != nil {
			r.Log("column %q has %s, as the file states", f.Name, what)
		}
	}
}

// queries reports whether a file states the groups: then its rows are to be ranked, where the
// labels are grades of relevance.
func (r *Roles) queries(s *Schema) bool {
	i := s.Index(r.Group)
	return r.Group != "" && i >= 0 && s.Fields[i].Role == GroupRole
}

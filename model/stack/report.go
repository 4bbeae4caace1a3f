package stack

import (
	"fmt"
	"strconv"
)

// Size is how many members there are.
func (s *Stack) Size() (name, words string) {
	return "stack", fmt.Sprintf("%d members, and %s to combine them", len(s.Members), s.MetaModel.Spec().Learner)
}

// Table lists the members and the meta-learner.
func (s *Stack) Table() (heading []string, rows [][]string) {
	for _, p := range s.parts() {
		rows = append(rows, []string{p.Name + " (" + p.Learner + ")", strconv.Itoa(p.Columns)})
	}
	return []string{"member", "columns"}, rows
}

// part is what is given of a member, or of the meta-learner.
type part struct {
	Name    string `json:"name"`
	Learner string `json:"learner"`
	Columns int    `json:"columns"` // that it looks at
}

func (s *Stack) parts() []part {
	var all []part
	for i, m := range s.Members {
		all = append(all, part{s.Names[i], m.Spec().Learner, len(m.Spec().Schema.Fields)})
	}
	spec := s.MetaModel.Spec()
	return append(all, part{"meta_learner", spec.Learner, len(spec.Schema.Fields)})
}

// Content is the members and the meta-learner.
func (s *Stack) Content() any { return s.parts() }

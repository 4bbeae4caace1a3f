package tune

import (
	"fmt"
	"slices"
	"strings"

	"github.com/coppice-ml/coppice/learn"
)

// Candidate is a learner whose parameters are searched.
type Candidate struct {
	Name string // by which trials name it; no two are the same
	// New returns the learner with the parameters from which the search starts.
	New func() (learn.Learner, error)
	// Fixed are settings, KEY=VALUE, that all trials have. Their parameters are not searched.
	Fixed []string
}

// learner returns the learner with settings of a trial.
func (c *Candidate) learner(settings []string) (learn.Learner, error) {
	l, err := c.New()
	if err == nil {
		err = l.Params().Set(slices.Concat(c.Fixed, settings))
	}
	return l, err
}

// dimension is a parameter that is searched. Its values are places from 0 to 1, or choices.
type dimension struct {
	name string
	learn.SearchRange
}

// space is the dimensions of a candidate, in the order of the parameters' declaration.
type space struct {
	candidate *Candidate
	all       []dimension
	metric    string // that of the learner, as the fixed settings decide it
}

// newSpace finds what of a candidate is searched.
func newSpace(c *Candidate) (space, error) {
	s := space{candidate: c}
	l, err := c.learner(nil)
	if err != nil {
		return s, fmt.Errorf("%s: %w", c.Name, err)
	}
	if err := l.Capabilities().Conflicts; err != nil {
		return s, fmt.Errorf("%s: %w", c.Name, err)
	}
	s.metric = l.Capabilities().Metric
	params := l.Params()
	fixed := map[string]bool{}
	for _, setting := range c.Fixed {
		key, _, _ := strings.Cut(setting, "=")
		fixed[params.Canonical(strings.TrimSpace(key))] = true
	}
	all := params.All()
	for i := range all {
		if p := &all[i]; p.Search != nil && !fixed[p.Name] {
			s.all = append(s.all, dimension{p.Name, learn.SearchRange{Search: p.Search}})
		}
	}
	return s, nil
}

// applies reports whether a dimension has an effect beside the settings before it.
func (s *space) applies(d *dimension, settings []string) bool {
	if d.With == "" {
		return true
	}
	l, err := s.candidate.learner(settings)
	return err == nil && d.Applies(l.Params())
}

// value returns the value of a dimension in settings, "" if they leave it out.
func (d *dimension) value(settings []string) string {
	for _, s := range settings {
		if v, ok := strings.CutPrefix(s, d.name+"="); ok {
			return v
		}
	}
	return ""
}

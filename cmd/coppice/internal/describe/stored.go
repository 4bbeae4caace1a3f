package describe

import (
	"maps"
	"slices"

	"github.com/coppice-ml/coppice"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/internal/humanize"
)

// ID returns the hash of what the model predicts with, "" where no file of Coppice can hold it.
func (v *View) ID() string {
	id, err := coppice.ID(v.Model)
	if err != nil {
		return ""
	}
	return id
}

// shownMetrics is the most metrics of the line about how good a model is.
const shownMetrics = 2

// StoredFacts are lines about what a model stores beside what it predicts with: its id, how good it
// is on new rows, the profile of its training rows, its stamp and notes.
func (v *View) StoredFacts() []cli.Fact {
	s := v.Spec
	var facts []cli.Fact
	add := func(name, text string) { facts = append(facts, cli.Fact{Name: name, Text: text}) }
	if id := v.ID(); id != "" && s.TrainedOn != nil {
		add("id", id)
	}
	e := s.Best()
	if e == nil && len(s.Evaluations) > 0 && len(s.Evaluations[0].Metrics) > 0 &&
		s.Evaluations[0].Metrics[0].Low != nil { // else the line of rounds has it
		e = &s.Evaluations[0] // it is too optimistic, and says so
	}
	if e != nil {
		add("quality", e.Words(shownMetrics))
	}
	if p := s.Profile; p != nil {
		add("profile", p.Words())
	}
	if s.Stamp != nil {
		add("stamp", s.Stamp.Time+", release "+humanize.Name(s.Stamp.Version))
	}
	for _, key := range slices.Sorted(maps.Keys(s.Notes)) {
		add("note", key+" = "+humanize.Name(s.Notes[key]))
	}
	return facts
}

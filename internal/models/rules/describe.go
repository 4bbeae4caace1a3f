package rules

import (
	"io"

	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tree/draw"
)

func (m *Rules) names() draw.Names {
	return draw.Names{Schema: &m.Meta.Schema, Classes: m.Meta.Classes, Label: m.Meta.Label}
}

// terms returns the conditions of rule i.
func (m *Rules) terms(i int) []draw.Term {
	var terms []draw.Term
	for _, c := range m.List[i].If {
		switch c.Kind {
		case AtMost:
			terms = append(terms, draw.BelowTerm(c.Feature, c.SplitPoint))
		case Above:
			terms = append(terms, draw.AboveTerm(c.Feature, c.SplitPoint))
		default:
			terms = append(terms, draw.SetTerm(m.names(), c.Feature, c.Set, c.Kind == In))
		}
	}
	return terms
}

// Describe lists the rules in words; conditions that bound the same feature are joined.
func (m *Rules) Describe() model.Description {
	d := model.Description{Title: "rules", Leaves: []string{"rule"}, WriteRules: m.Write,
		Size: model.Size{Rules: len(m.List), Conditions: m.Conditions()}}
	d.Words = d.Size.RuleWords()
	probabilities, labels := m.Probabilities(), m.Labels()
	for i := range m.List {
		r := &m.List[i]
		d.Rules = append(d.Rules, model.Rule{Number: i,
			If:    append([]string{}, draw.TermWords(m.names(), m.terms(i))...),
			Class: m.Meta.Classes[labels[i]], Probabilities: probabilities[i],
			Covers: r.Covered, Right: r.Right, Decides: r.Decided})
	}
	return d
}

// Write writes the rules for people, one below the other. A line has the number of the rule, the
// class that it predicts, and the weight of the training rows for which its conditions hold. Then
// come the fraction of them that has the class, and the weight of the rows that it decides because
// no rule before it did. The conditions stand last.
//
//	rule  play  covers   right  decides  if
//	   0  no         3  100.0%        3  outlook = sunny and humidity = high
//	   1  yes        4  100.0%        4  outlook = overcast
//	   2  yes       14   64.3%        7  otherwise
func (m *Rules) Write(w io.Writer) error {
	names, labels := m.names(), m.Labels()
	lines := make([]draw.Rule, len(m.List))
	for i := range m.List {
		r := &m.List[i]
		lines[i] = draw.Rule{Number: i, If: draw.TermWords(names, m.terms(i)),
			Then:  names.ClassWord(labels[i]),
			Facts: []string{weight(r.Covered), "", weight(r.Decided)}}
		if r.Covered > 0 {
			lines[i].Facts[1] = humanize.NarrowPercent(min(1, r.Right/r.Covered))
		}
	}
	return draw.WriteRules(w, m.Meta.Label, []string{"covers", "right", "decides"}, lines)
}

func weight(w float64) string { return humanize.Number(w, 4) }

// Children returns nothing.
func (m *Rules) Children() []model.Child { return nil }

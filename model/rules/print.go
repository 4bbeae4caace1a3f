package rules

import (
	"io"

	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/tree/draw"
)

// Write writes the rules for people, one below the other: the number of the rule, the class that it
// predicts, the weight of the training rows for which its conditions hold, the fraction of them
// that has the class, the weight of the rows that it decides because no rule before it did, and the
// conditions.
//
//	rule  play  covers   right  decides  if
//	   0  no         3  100.0%        3  outlook = sunny and humidity = high
//	   1  yes        4  100.0%        4  outlook = overcast
//	   2  yes       14   64.3%        7  otherwise
func (m *Rules) Write(w io.Writer) error {
	return draw.WriteRules(w, m.names(), []string{"covers", "right", "decides"}, m.words())
}

// Words returns the conditions of each rule in words; those that bound the same feature are joined.
func (m *Rules) Words() [][]string {
	words := make([][]string, len(m.List))
	for i := range m.List {
		words[i] = draw.TermWords(m.names(), m.terms(i))
	}
	return words
}

func (m *Rules) names() draw.Names {
	return draw.Names{Schema: &m.Meta.Schema, Classes: m.Meta.Classes, Label: m.Meta.Label}
}

func (m *Rules) words() []draw.Rule {
	rules := make([]draw.Rule, len(m.List))
	names, labels := m.names(), m.Labels()
	for i := range m.List {
		r := &m.List[i]
		rules[i] = draw.Rule{Number: i, If: m.terms(i), Then: names.ClassWord(labels[i]),
			Facts: []string{weight(r.Covered), "", weight(r.Decided)}}
		if r.Covered > 0 {
			rules[i].Facts[1] = humanize.NarrowPercent(min(1, r.Right/r.Covered))
		}
	}
	return rules
}

// terms returns the conditions of rule i for sampling.
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

func weight(w float64) string { return humanize.Number(w, 4) }

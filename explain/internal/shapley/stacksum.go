package shapley

import (
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/models/committee"
	"github.com/coppice-ml/coppice/internal/models/dense"
	"github.com/coppice-ml/coppice/model"
)

// stackSum returns the raw scores of a stack as a sum.
func stackSum(m *committee.Stack) (*Sum, bool) {
	meta, ok := rawSum(m.MetaModel, 0)
	if !ok {
		return nil, false
	}
	return substitute(m, meta)
}

// memberColumn is a column of a meta-learner: an output of a member.
type memberColumn struct {
	member *Sum // nil: it is none
	output int
}

// substitute replaces the columns of a meta-learner, whose scores are a sum of linear models, by
// the sums that the members are. Columns of the table stay a linear model.
func substitute(m *committee.Stack, meta *Sum) (*Sum, bool) {
	columns := memberColumns(m)
	s := &Sum{bias: slices.Clone(meta.bias)}
	for _, p := range meta.parts {
		l, ok := p.model.(*dense.Linear)
		if !ok {
			return nil, false
		}
		for _, t := range p.terms {
			s.bias[t.to] += float64(t.weight * l.Bias[t.from])
		}
		at := 0
		for i := range l.Encoding.Columns {
			c := &l.Encoding.Columns[i]
			from, isMember := columns[l.Meta.Schema.Fields[c.Field].Name]
			if isMember {
				if from.member == nil || !c.Numeric() {
					return nil, false
				}
				for _, t := range p.terms {
					coef := t.weight * l.Of(t.from)[at] / c.Scale
					s.bias[t.to] -= float64(coef * c.Mean)
					s.add(t.to, coef, from.member, from.output)
				}
			}
			at += c.Width()
		}
		if rest := without(l, columns); len(rest.Encoding.Columns) > 0 {
			s.parts = append(s.parts, part{model: rest, terms: p.terms})
		}
	}
	return s, true
}

// memberColumns returns by name the columns that the members of a stack make.
func memberColumns(m *committee.Stack) map[string]memberColumn {
	columns := map[string]memberColumn{}
	for i, member := range m.Members {
		sum, ok := responseSum(member)
		outputs := member.Outputs()
		switch {
		case m.MemberOutput == model.Raw:
			if sum, ok = rawSum(member, 0); ok {
				outputs = len(sum.bias)
			}
		case m.MemberOutput == model.Label && member.Spec().Labels():
			ok = false
		}
		fields := committee.PredictedFields(m.Names[i], member.Spec(), m.MemberOutput, outputs)
		for k := range fields {
			column := memberColumn{}
			if ok {
				column = memberColumn{sum, outputs - len(fields) + k}
			}
			columns[fields[k].Name] = column
		}
	}
	return columns
}

// without returns the terms of a linear model of all columns but some.
func without(l *dense.Linear, columns map[string]memberColumn) *dense.Linear {
	rest := &dense.Linear{Model: dense.Model{Meta: l.Meta}, Bias: make([]float64, len(l.Bias))}
	rest.Meta.Schema = data.Schema{}
	var places []int // of the vector
	at := 0
	for i := range l.Encoding.Columns {
		c := l.Encoding.Columns[i]
		field := l.Meta.Schema.Fields[c.Field]
		if _, isMember := columns[field.Name]; !isMember {
			for p := range c.Width() {
				places = append(places, at+p)
			}
			c.Field = int32(len(rest.Meta.Schema.Fields))
			rest.Meta.Schema.Fields = append(rest.Meta.Schema.Fields, field)
			rest.Encoding.Columns = append(rest.Encoding.Columns, c)
		}
		at += l.Encoding.Columns[i].Width()
	}
	for score := range l.Bias {
		for _, p := range places {
			rest.Coef = append(rest.Coef, l.Of(score)[p])
		}
	}
	return rest
}

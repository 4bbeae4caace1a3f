package shapley

import (
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/models/committee"
	"github.com/coppice-ml/coppice/internal/models/dense"
	"github.com/coppice-ml/coppice/loss/link"
	"github.com/coppice-ml/coppice/model"
)

// Sum is a model whose scores are weighted sums of the raw scores of models of trees and of linear
// models. Its Shapley values are the same sums of theirs (linearity: Shapley 1953).
//
//	score k = bias[k] + sum of weight x raw score of a part, over the terms of k
type Sum struct {
	features []string // of the model that SumOf was given
	bias     []float64
	parts    []part
}

// SumOf returns the raw scores of a model as a sum. It reports false where they are none, or where
// the leaves of a part are pooled. rounds is as in model.Options.
func SumOf(m model.Model, rounds int) (*Sum, bool) {
	s, ok := rawSum(m, rounds)
	if !ok {
		return nil, false
	}
	s.features = m.Spec().Schema.Names()
	return s, true
}

// part is one of the models.
type part struct {
	model  model.Model // *model.Ensemble or *dense.Linear
	rounds int         // as in model.Options
	terms  []addend
}

func (p *part) features() []string { return p.model.Spec().Schema.Names() }

// addend adds a raw score of a part to a score of the sum.
type addend struct {
	from, to int
	weight   float64
}

// wholeOf returns the sum that is one model alone, with some scores.
func wholeOf(m model.Model, scores, rounds int) *Sum {
	p := part{model: m, rounds: rounds}
	for k := range scores {
		p.terms = append(p.terms, addend{k, k, 1})
	}
	return &Sum{bias: make([]float64, scores), parts: []part{p}}
}

// alone reports whether a sum is one model, whose values need no sums.
func (s *Sum) alone() bool {
	if len(s.parts) != 1 || !slices.Equal(s.parts[0].features(), s.features) ||
		slices.ContainsFunc(s.bias, func(b float64) bool { return b != 0 }) {
		return false
	}
	for k, t := range s.parts[0].terms {
		if t != (addend{k, k, 1}) {
			return false
		}
	}
	return len(s.parts[0].terms) == len(s.bias)
}

// add adds a score of another sum, times a weight, to one of its own.
func (s *Sum) add(to int, weight float64, other *Sum, from int) {
	s.bias[to] += float64(weight * other.bias[from])
	for _, p := range other.parts {
		own := part{model: p.model, rounds: p.rounds}
		for _, t := range p.terms {
			if t.to == from {
				own.terms = append(own.terms, addend{t.from, to, float64(weight * t.weight)})
			}
		}
		if len(own.terms) == 0 {
			continue
		}
		at := slices.IndexFunc(s.parts, func(q part) bool { return q.model == own.model })
		if at < 0 {
			s.parts = append(s.parts, own)
			continue
		}
		s.parts[at].terms = append(s.parts[at].terms, own.terms...)
	}
}

// rawSum returns the raw scores of a model as a sum. It reports false where they are none, as those
// of a median are not, or where a part has leaves that are pooled.
func rawSum(m model.Model, rounds int) (*Sum, bool) {
	s, _ := model.AsSum(m)
	switch of := s.Of.(type) {
	case *model.Ensemble:
		return wholeOf(of, of.Scores(), rounds), of.Combine != model.Pool
	case *dense.Linear:
		return wholeOf(of, of.Scores(), 0), true
	case *committee.Committee:
		return committeeSum(firstMembers(of, rounds))
	case *committee.Stack:
		return stackSum(of)
	}
	return nil, false
}

// responseSum returns the responses of a model as a sum. It reports false where a link, or
// something else that is no sum, follows the raw scores. Of two classes that have one score, this
// is the second's.
func responseSum(m model.Model) (*Sum, bool) {
	of, _ := model.AsSum(m)
	if !of.Whole || !link.IsIdentity(of.Link) {
		return nil, false
	}
	if stacked, is := of.Of.(*committee.Stack); is {
		meta, ok := responseSum(stacked.MetaModel)
		if !ok {
			return nil, false
		}
		return substitute(stacked, meta)
	}
	s, ok := rawSum(of.Of, 0)
	if !ok || len(s.bias) == m.Outputs() {
		return s, ok
	}
	both := &Sum{bias: []float64{1, 0}}
	both.add(0, -1, s, 0)
	both.add(1, 1, s, 0)
	return both, true
}

// firstMembers returns a committee of the members that predictions with some rounds use.
func firstMembers(c *committee.Committee, rounds int) *committee.Committee {
	used := c.Used(rounds)
	if len(used) == len(c.Members) {
		return c
	}
	first := *c
	first.Members, first.Weights = data.Pick(c.Members, used), data.Pick(c.Weights, used)
	first.Output = data.Pick(c.Output, used)
	return &first
}

// committeeSum returns the raw scores of a committee as a sum.
func committeeSum(c *committee.Committee) (*Sum, bool) {
	if e, ok := c.Flatten(); ok {
		return rawSum(e, 0)
	}
	s := &Sum{}
	total := 0.0
	switch c.Combine {
	case committee.Mean:
		s.bias = make([]float64, c.Outputs())
		for i := range c.Members {
			total += c.Weight(i)
		}
	case committee.Sum:
		s.bias = make([]float64, c.Scores())
		copy(s.bias, c.Bias)
		total = 1
	default:
		return nil, false
	}
	for i, m := range c.Members {
		response, ok := responseSum(m)
		if !ok {
			return nil, false
		}
		weight := c.Weight(i) / total
		if c.Output != nil && c.Output[i] >= 0 {
			s.add(int(c.Output[i]), weight, response, 0)
			continue
		}
		for k := range s.bias {
			s.add(k, weight, response, k)
		}
	}
	return s, true
}

// Divided returns the names of the columns that trees derive of several columns of the table, whose
// contributions are divided among these where there is no background.
func (s *Sum) Divided() []string {
	var names []string
	for i := range s.parts {
		e, is := s.parts[i].model.(*model.Ensemble)
		if !is {
			continue
		}
		fields := e.Meta.Schema.Fields
		for _, f := range tested(e) {
			derived := int(f) - len(fields)
			if derived < 0 || len(e.Inputs.Credited(derived)) < 2 {
				continue
			}
			name := e.Inputs.Name(derived, fields, e.Meta.Classes)
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}

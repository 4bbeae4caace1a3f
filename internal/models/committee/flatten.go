package committee

import (
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/loss/link"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tree"
)

// Flatten returns an ensemble of trees with the committee's predictions, up to the rounding of
// sums. Its leaves are those of all trees, and it shares their memory where it can. If the members
// are single trees, the bits are the same, except for means. It reports false if there is no such
// ensemble:
//
//   - every member must be a *model.Ensemble, or a committee that has one, whose fields are some of
//     the committee's in the same order, without derived columns, leaves without a prediction or a
//     link that changes values; of a mean all must sum, or all must average;
//   - of a vote or a product every member must be a single tree without weight or start value, in
//     which no row divides. Its values become votes, 1 for the class that the member chooses there,
//     0 for the others; or the scores of a Product;
//   - of a sum every member must be a single tree without start value, so that its first rounds are
//     the same, too;
//   - a median has none, nor have ranks.
func (c *Committee) Flatten() (*model.Ensemble, bool) {
	f := &model.Ensemble{Meta: c.Meta}
	switch c.Combine {
	case Median, Ranks:
		return nil, false
	case Sum:
		return c.flattenSum()
	case Product:
		f.Link, f.Bias = link.Softmax(), slices.Clone(c.Bias)
	}
	total := 0.0
	for i := range c.Members {
		total += c.Weight(i)
	}
	for i, m := range c.Members {
		e, ok := c.ensemble(m)
		if !ok || i > 0 && e.Combine != f.Combine || e.Combine == model.Pool {
			return nil, false
		}
		f.Combine = e.Combine
		used := c.Weight(i) / total
		if c.Combine == Product {
			used = c.Weight(i)
		}
		if !add(f, e, c.Weight(i), used) {
			return nil, false
		}
	}
	if same(f.Weights) && f.Combine == model.Mean ||
		!slices.ContainsFunc(f.Weights, func(w float64) bool { return w != 1 }) {
		f.Weights = nil
	}
	if !slices.ContainsFunc(f.Output, func(o int32) bool { return o >= 0 }) {
		f.Output = nil
	}
	return f, f.Validate() == nil
}

// flattenSum is Flatten of a Sum.
func (c *Committee) flattenSum() (*model.Ensemble, bool) {
	f := &model.Ensemble{Meta: c.Meta, Combine: model.Sum, Link: c.Link, Bias: slices.Clone(c.Bias)}
	for i, m := range c.Members {
		e, ok := c.ensemble(m)
		if !ok || e.Combine == model.Pool || len(e.Trees) != 1 || e.Bias != nil ||
			e.Output != nil && e.Output[0] >= 0 {
			return nil, false
		}
		if !add(f, e, c.Weight(i), c.Weight(i)) {
			return nil, false
		}
		f.Output[i] = c.output(i)
	}
	if !slices.ContainsFunc(f.Weights, func(w float64) bool { return w != 1 }) {
		f.Weights = nil
	}
	if !slices.ContainsFunc(f.Output, func(o int32) bool { return o >= 0 }) {
		f.Output = nil
	}
	return f, f.Validate() == nil
}

// ensemble returns what a member is as trees on the committee's fields, where that is possible.
func (c *Committee) ensemble(m model.Model) (*model.Ensemble, bool) {
	var e *model.Ensemble
	switch m := m.(type) {
	case *model.Ensemble:
		if m != nil {
			e = m.First(0)
		}
	case *Committee:
		var ok bool
		if e, ok = m.Flatten(); !ok {
			return nil, false
		}
	}
	if e == nil || e.Refused != nil || !link.IsIdentity(e.Link) || e.Inputs.Len() > 0 {
		return nil, false
	}
	place, ok := places(&e.Meta.Schema, &c.Meta.Schema)
	if !ok {
		return nil, false
	}
	own := *e
	if len(place) < len(c.Meta.Schema.Fields) {
		own.Trees = make([]*tree.Tree, len(e.Trees))
		for i, t := range e.Trees {
			own.Trees[i] = t.WithFeatures(place)
		}
	}
	switch c.Combine {
	case Vote:
		return revalued(&own, func(probabilities []float64) {
			chosen := own.Meta.Decision.Label(probabilities)
			clear(probabilities)
			probabilities[chosen] = 1
		}, model.Mean)
	case Product:
		return revalued(&own, c.Centre, model.Sum)
	}
	return &own, true
}

// places returns where the fields of own stand in s, ascending, and whether all are there and the
// same.
func places(own, s *data.Schema) ([]int32, bool) {
	place := make([]int32, 0, len(own.Fields))
	for i := range s.Fields {
		if len(place) == len(own.Fields) {
			break
		}
		f, g := &own.Fields[len(place)], &s.Fields[i]
		if f.Name != g.Name {
			continue
		}
		if f.Kind != g.Kind || f.Missing != g.Missing || f.Unseen != g.Unseen ||
			!f.MadeAs(g) || !slices.Equal(f.Levels, g.Levels) {
			return nil, false
		}
		place = append(place, int32(i))
	}
	return place, len(place) == len(own.Fields)
}

// revalued replaces the class probabilities in the leaves of a single tree, by a function that
// overwrites them.
func revalued(
	e *model.Ensemble, replace func(probabilities []float64), combine model.Combine,
) (*model.Ensemble, bool) {
	if len(e.Trees) != 1 || e.Weights != nil && e.Weights[0] != 1 || e.Bias != nil ||
		e.Output != nil && e.Output[0] >= 0 {
		return nil, false
	}
	t := *e.Trees[0]
	for i := range t.Nodes {
		if t.Nodes[i].Missing() == tree.MissingFractional {
			return nil, false
		}
	}
	k := t.Leaf.Width
	values := slices.Clone(t.Leaf.Value)
	for at := 0; at < len(values); at += k {
		if t.Leaf.Kind == tree.Counts {
			tree.Probabilities(values[at:at+k], values[at:at+k])
		}
		replace(values[at : at+k])
	}
	t.Leaf.Kind, t.Leaf.Value = tree.Vector, values
	e.Trees, e.Combine, e.Weights = []*tree.Tree{&t}, combine, nil
	return e, true
}

// add appends the trees of a member that has a weight, a fraction of the sum of all.
func add(f, e *model.Ensemble, weight, used float64) bool {
	divisors := e.Divisors()
	if divisors != nil && !averages(e, divisors) {
		return false
	}
	for i, t := range e.Trees {
		w, o := float64(used*e.WeightOf(i)), e.OutputOf(i)
		if divisors != nil {
			w = float64(weight * (e.WeightOf(i) / divisors[max(0, o)]))
		}
		f.Trees, f.Weights, f.Output = append(f.Trees, t), append(f.Weights, w), append(f.Output, o)
	}
	for k, b := range e.Bias {
		if f.Bias == nil {
			f.Bias = make([]float64, len(e.Bias))
		}
		f.Bias[k] += float64(used * b)
	}
	return true
}

// averages reports whether every score of a mean has trees with a positive weight, which is the
// same for all scores that a tree feeds. Then a mean of such means is a mean of their trees.
func averages(e *model.Ensemble, divisors []float64) bool {
	fed := make([]bool, len(divisors))
	for i := range e.Trees {
		o := e.OutputOf(i)
		for k, d := range divisors {
			if o < 0 && d != divisors[0] {
				return false
			}
			fed[k] = fed[k] || o < 0 || int(o) == k
		}
	}
	return !slices.Contains(fed, false) &&
		!slices.ContainsFunc(divisors, func(d float64) bool { return !(d > 0) })
}

func same(weights []float64) bool {
	for _, w := range weights {
		if w != weights[0] {
			return false
		}
	}
	return true
}

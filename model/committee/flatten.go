package committee

import (
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/loss/link"
	"github.com/coppice-ml/coppice/model"
)

// Flatten returns an ensemble that predicts what the committee does, up to the rounding of sums, and whose leaves are those
// of all trees; it shares the trees. It reports false if there is none: the committee must be a mean, and every member an
// *model.Ensemble, or a committee that has one, with the committee's fields and without a link that changes values; all
// members must sum, or all must average; none may pool.
func (c *Committee) Flatten() (*model.Ensemble, bool) {
	f := &model.Ensemble{Meta: c.Meta}
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
		if !add(f, e, c.Weight(i), c.Weight(i)/total) {
			return nil, false
		}
	}
	if same(f.Weights) && f.Combine == model.Mean {
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
		e = m
	case *Committee:
		var ok bool
		if e, ok = m.Flatten(); !ok {
			return nil, false
		}
	default:
		return nil, false
	}
	if e.Link != nil && e.Link.Name() != (link.Identity{}).Name() {
		return nil, false
	}
	if !sameFields(&e.Meta.Schema, &c.Meta.Schema) {
		return nil, false
	}
	return e, c.Combine == Mean
}

// sameFields reports whether two schemas have the same fields in the same order.
func sameFields(a, b *data.Schema) bool {
	return slices.EqualFunc(a.Fields, b.Fields, func(f, g data.Field) bool {
		return f.Name == g.Name && f.Kind == g.Kind && f.Missing == g.Missing && f.Unseen == g.Unseen && slices.Equal(f.Levels, g.Levels)
	})
}

// add appends the trees of a member that has a weight, part of the sum of all.
func add(f, e *model.Ensemble, weight, part float64) bool {
	sum := 0.0
	for i := range e.Trees {
		sum += weightOf(e, i)
	}
	if e.Combine == model.Mean && !(sum > 0) {
		return false
	}
	for i, t := range e.Trees {
		w := float64(weight * (weightOf(e, i) / sum))
		if e.Combine == model.Sum {
			w = float64(part * weightOf(e, i))
		}
		o := int32(-1)
		if e.Output != nil {
			o = e.Output[i]
		}
		f.Trees, f.Weights, f.Output = append(f.Trees, t), append(f.Weights, w), append(f.Output, o)
	}
	for k, b := range e.Bias {
		if f.Bias == nil {
			f.Bias = make([]float64, len(e.Bias))
		}
		f.Bias[k] += float64(part * b)
	}
	return true
}

func weightOf(e *model.Ensemble, tree int) float64 {
	if e.Weights == nil {
		return 1
	}
	return e.Weights[tree]
}

func same(weights []float64) bool {
	for _, w := range weights {
		if w != weights[0] {
			return false
		}
	}
	return true
}

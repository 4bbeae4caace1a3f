package counterfactual

import (
	"math"

	"github.com/coppice-ml/coppice/loss/link"
	"github.com/coppice-ml/coppice/model"
)

// reach bounds what a model of trees can predict for changes of a row: the sum over the trees of
// the best leaves that some change reaches.
type reach struct {
	e       *model.Ensemble
	goal    *Goal
	divisor []float64
	row     []float64 // of the row: values of all features, as trees see them
	// the differences of raw scores that must not be negative: one score, or two
	terms []term
	any   bool // one of the differences is enough, not all
	start []float64
	// of one score: whether a score leads to the goal
	leads func(score float64) bool
}

// term is sign times the score plus, less the score minus (-1: none).
type term struct {
	plus, minus int
	sign        float64
}

// newReach returns the bounds of a model, nil if its leaves have no plain values, or if its link
// does not keep the order of scores.
func newReach(s *search, e *model.Ensemble) (*reach, error) {
	r := &reach{e: e, goal: s.goal, divisor: e.Divisors()}
	if e.Combine == model.Pool || !r.findTerms() {
		return nil, nil
	}
	for _, t := range e.Trees {
		if t.Leaf.Linear != nil {
			return nil, nil
		}
	}
	features := make([]int32, len(e.Features().Fields))
	for i := range features {
		features[i] = int32(i)
	}
	p, err := modelInputs{&e.Meta.Schema, &e.Inputs}.bind(&s.base.Schema, features)
	if err != nil {
		return nil, err
	}
	r.row = make([]float64, len(features))
	if err := p.Predict(r.row, s.base, nil); err != nil {
		return nil, err
	}
	for _, x := range r.terms {
		start := 0.0
		if e.Bias != nil {
			start = float64(x.sign * e.Bias[x.plus])
			if x.minus >= 0 {
				start -= e.Bias[x.minus]
			}
		}
		r.start = append(r.start, start)
	}
	return r, nil
}

// findTerms translates the goal into scores.
func (r *reach) findTerms() bool {
	scores, d := r.e.Scores(), &r.goal.Spec.Decision
	l := link.OrIdentity(r.e.Link).Describe()
	identity, softmax := l.Kind == link.Identity(), l.Kind == link.Softmax()
	wanted := r.goal.Class
	switch {
	case scores == 1:
		return r.one(float64(l.Monotone))
	case len(r.goal.Spec.Classes) != scores || d.Costs != nil:
		return false
	case d.Threshold != 0:
		if scores != 2 || !identity {
			return false
		}
		if wanted < 0 {
			wanted = 1 - r.goal.Own
		}
		positive := 1
		if d.FirstPositive {
			positive = 0
		}
		sign := -1.0
		if wanted == positive {
			sign = 1
		}
		r.terms = []term{{positive, -1, sign}}
		r.leads = func(score float64) bool {
			return r.goal.Reached([]float64{score, score}) // the decision looks at one of them
		}
		return true
	case !identity && !softmax:
		return false
	}
	r.any = wanted < 0
	for k := range scores {
		if r.any && k != r.goal.Own {
			r.terms = append(r.terms, term{k, r.goal.Own, 1})
		} else if !r.any && k != wanted {
			r.terms = append(r.terms, term{wanted, k, 1})
		}
	}
	return true
}

// one prepares the goal of a model of one score, by the sign with which its response rises.
func (r *reach) one(sign float64) bool {
	g := r.goal
	switch {
	case sign == 0:
		return false
	case g.Spec.Labels():
		if g.Own == 1 {
			sign = -sign
		}
	case !math.IsInf(g.Above, -1) && !math.IsInf(g.Below, 1):
		return false // between two numbers the greatest score need not lie
	case math.IsInf(g.Above, -1):
		sign = -sign
	}
	r.terms = []term{{0, -1, sign}}
	respond, response := r.e.Responder(), r.e.Outputs()
	r.leads = func(score float64) bool {
		dst := make([]float64, response)
		respond(dst, []float64{score})
		return g.Reached(dst)
	}
	return true
}

// possible reports whether sums of some terms, of this size, may lead to the goal.
func (r *reach) possible(sums, sizes []float64) bool {
	const slack = 1e-9 // of the order in which trees are added up
	for i, x := range r.terms {
		most := sums[i] + float64(slack*sizes[i]) + math.SmallestNonzeroFloat64
		if r.leads != nil {
			return r.leads(x.sign * most)
		}
		if (most >= 0) == r.any {
			return r.any
		}
	}
	return !r.any
}

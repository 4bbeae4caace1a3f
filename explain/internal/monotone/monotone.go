// Package monotone owns proofs that a sum of trees is monotone in a feature, and counterexamples.
// It compares leaves whose boxes differ in the feature alone, tree by tree. It knows models of
// trees and no tables.
package monotone

import (
	"context"
	"fmt"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tree"
)

// Verdict is the result of Check.
type Verdict struct {
	Proven  bool            // scores are never in the wrong order, for whatever rows
	Counter *Counterexample // they are for these two; nil: none was found
	Tree    int             // the first that is not monotone by itself; -1 where all are
}

// Counterexample is two rows that differ in the feature alone.
type Counterexample struct {
	Score               int       // which of the raw scores is in the wrong order
	Low, High           []float64 // as Predictor.PredictRow takes them; High has the higher value
	LowScore, HighScore float64
}

// Check finds out whether the raw scores of a model rise, or fall, with a numeric feature of its
// schema, as explain.Monotone documents it. Of two scores that stand for two classes it is the
// second. Errors: a feature that is no number of the schema or the source of a derived column,
// leaves whose equations cannot be put in order, and ctx.Err().
func Check(ctx context.Context, m *model.Ensemble, feature int, rising bool) (*Verdict, error) {
	if err := checkFeature(m, feature); err != nil {
		return nil, err
	}
	p, err := m.Bind(&m.Meta.Schema, model.Options{Output: model.Raw, Workers: 1})
	if err != nil {
		return nil, err
	}
	c := &check{ctx: ctx, Verdict: &Verdict{Proven: true, Tree: -1},
		witness: &witness{m: m, p: p, feature: feature, rising: rising, left: tries,
			low: make([]float64, p.Width()), high: make([]float64, p.Width())}}
	scores, first := m.Scores(), 0
	if len(m.Meta.Classes) == 2 && scores == 2 {
		first = 1
	}
	for i, t := range m.Trees {
		if slopes(t, int32(feature)) {
			return nil, fmt.Errorf("tree %d has leaves that hold equations, whose monotony is "+
				"not looked into, below splits by column %q", i, m.Meta.Schema.Fields[feature].Name)
		}
		for score := first; score < scores; score++ {
			ended, err := c.tree(i, score)
			if err != nil {
				return nil, err
			}
			if ended {
				return c.Verdict, nil
			}
		}
	}
	return c.Verdict, nil
}

// checkFeature returns why nothing can be proven of a feature; nil if something can.
func checkFeature(m *model.Ensemble, feature int) error {
	fields := m.Meta.Schema.Fields
	if feature < 0 || feature >= len(fields) {
		return fmt.Errorf("feature %d of %d", feature, len(fields))
	}
	if f := &fields[feature]; f.Kind != data.Numeric {
		return fmt.Errorf("column %q is categorical, and categories have no order to rise by", f.Name)
	}
	for i := range m.Inputs.Len() {
		if slices.Contains(m.Inputs.Sources(i), int32(feature)) {
			return fmt.Errorf("column %q is the source of the derived column %s, whose "+
				"monotony is not looked into", fields[feature].Name,
				m.Inputs.Name(i, fields, nil))
		}
	}
	return nil
}

// check is a walk over the trees, with what was found so far.
type check struct {
	*Verdict
	*witness
	ctx context.Context
}

// tree compares the leaves of a tree by a score. It reports whether the rest need not be looked at.
func (c *check) tree(i, score int) (ended bool, err error) {
	sign := direction(c.m, i, score, c.rising)
	if sign == 0 {
		return false, nil
	}
	s := newOrder(c.m, c.m.Trees[i], int32(c.feature), valuesOf(c.m, i, score, sign))
	s.ctx = c.ctx
	s.wrong = func(low, high *boxed) bool {
		if c.Proven {
			c.Proven, c.Tree = false, i
		}
		c.Counter = c.try(s, low, high, score)
		return c.Counter != nil || c.left <= 0
	}
	ended = s.nodes != nil && s.search(0, 0)
	return ended, c.ctx.Err()
}

// slopes reports whether leaves hold equations that use a feature, or that lie below a node that
// may split by it: the predictions of such leaves cannot be put in order by their values. Rows that
// differ in the feature alone reach any other leaf together or not at all, and get the same
// prediction there.
func slopes(t *tree.Tree, feature int32) bool {
	if t.Leaf.Linear == nil {
		return false
	}
	below := make([]bool, t.Len())
	for n := range int32(t.Len()) { // children follow their parents
		_, terms, _ := t.Equation(n)
		if below[n] && len(terms) > 0 || slices.Contains(terms, feature) {
			return true
		}
		by := t.Surrogates != nil || t.Feature(n) < 0 || t.Feature(n) == feature
		for c := t.Child(n); c >= 0 && c < t.Child(n)+t.Arity(n); c++ {
			below[c] = below[n] || by
		}
	}
	return false
}

// direction returns 1 if the values of a tree must rise with the feature for a score, and -1 if
// they must fall. It returns 0 if the tree does not count in the score.
func direction(m *model.Ensemble, tree, score int, rising bool) float64 {
	w := 1.0
	if m.Weights != nil {
		w = m.Weights[tree]
	}
	if m.Output != nil && m.Output[tree] >= 0 && int(m.Output[tree]) != score || w == 0 {
		return 0
	}
	if (w > 0) != rising {
		return -1
	}
	return 1
}

// valuesOf returns the value of each node of a tree for a score, times sign.
func valuesOf(m *model.Ensemble, i, score int, sign float64) func(n int32) float64 {
	t := m.Trees[i]
	if m.Output != nil && m.Output[i] >= 0 {
		score = 0
	}
	return func(n int32) float64 {
		v := t.Value(n)
		if t.Leaf.Kind == tree.Counts {
			probabilities := make([]float64, len(v))
			tree.Probabilities(probabilities, v)
			v = probabilities
		}
		return sign * v[score]
	}
}

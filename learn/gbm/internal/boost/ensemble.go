package boost

import (
	"math"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn/internal/boosting"
	"github.com/coppice-ml/coppice/loss"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tree"
)

// ensemble is the stage of the model: its trees so far, and their weights where dropout changes
// those. Trees stand in the order of rounds:
//
//	[ first trees, of a model to continue | width trees of round 1 | width of round 2 | ... ]
type ensemble struct {
	model       *model.Ensemble // without what describe adds
	width       int             // trees of a round
	first       int             // trees of the model that training continues
	before      int             // rounds of that model
	bestWeights []float64       // of all trees at the best round; nil where trees have no weights
}

// newEnsemble returns the model of no rounds, which predicts the start of the loss.
func newEnsemble(s *setup, fields data.Schema, o loss.Objective) (*ensemble, error) {
	k := o.Outputs()
	m := &model.Ensemble{Combine: model.Sum, Link: o.Link(), Output: []int32{},
		Bias: make([]float64, k),
		Meta: model.NewSpec(s.Config.Learner, fields, s.Target)}
	if q, ok := o.(loss.Quantiler); ok {
		m.Meta.Quantiles = q.Quantiles()
	}
	if s.dart() {
		m.Weights = []float64{}
	}
	given, err := boosting.BaseScore(s.Config.BaseScore, m.Bias, m.Link)
	switch {
	case err != nil:
		return nil, err
	case given && s.Target.Offset != nil:
		return nil, boosting.ErrStarts
	case !given && s.Target.Offset == nil && !s.Config.startsAtZero(s.loss):
		o.Init(m.Bias)
	}
	e := &ensemble{model: m, width: k}
	if s.Config.MultiOutput {
		e.width = 1
	}
	return e, nil
}

// extend makes the ensemble continue a model that fits it. weighted: trees need weights.
func (e *ensemble) extend(m *model.Ensemble, weighted bool) {
	own, k := e.model, len(e.model.Bias)
	e.first, e.before = len(m.Trees), len(m.Trees)/k
	if k > 1 && len(m.Trees) > 0 && (m.Output == nil || m.Output[0] < 0) {
		e.before = len(m.Trees) // each has values of all outputs
	}
	own.Trees = slices.Clone(m.Trees)
	own.Output = slices.Repeat([]int32{allOutputs}, len(m.Trees))
	for i := range m.Trees {
		if m.Output != nil {
			own.Output[i] = m.Output[i]
		}
		if k == 1 {
			own.Output[i] = 0
		}
	}
	if own.Weights = slices.Clone(m.Weights); weighted && m.Weights == nil {
		own.Weights = slices.Repeat([]float64{1}, len(m.Trees))
	}
	copy(own.Bias, slices.Concat(m.Bias, make([]float64, k))) // no start values are zeros
}

// outputOf returns the output of tree i of a round.
func (e *ensemble) outputOf(i int) int32 {
	if e.width < len(e.model.Bias) {
		return allOutputs
	}
	return int32(i)
}

// roundOf returns the round, from 0, of a tree of the model that training continues.
func (e *ensemble) roundOf(tree int) int { return tree * e.before / e.first }

// from returns the first tree of a round of this training.
func (e *ensemble) from(round int) int { return e.first + round*e.width }

// empty returns the model without trees and start values.
func (e *ensemble) empty() *model.Ensemble {
	m := *e.model
	m.Trees, m.Output, m.Weights, m.Bias = nil, []int32{}, nil, make([]float64, len(e.model.Bias))
	return &m
}

// append adds the trees of a round.
func (e *ensemble) append(trees []*tree.Tree, weight float64) {
	m := e.model
	for i, t := range trees {
		m.Trees, m.Output = append(m.Trees, t), append(m.Output, e.outputOf(i))
		if m.Weights != nil {
			m.Weights = append(m.Weights, weight)
		}
	}
}

// keep removes all rounds of this training behind the first n.
func (e *ensemble) keep(n int) {
	m, trees := e.model, e.from(n)
	m.Trees, m.Output = m.Trees[:trees:trees], m.Output[:trees:trees]
	if m.Weights != nil {
		m.Weights = m.Weights[:trees:trees]
	}
}

// markBest notes that the last round is the best so far. Later rounds may change the weights.
func (e *ensemble) markBest() { e.bestWeights = slices.Clone(e.model.Weights) }

// keepBest removes the rounds behind the best one, and returns to the weights of that time.
func (e *ensemble) keepBest(n int) {
	e.keep(n)
	if e.model.Weights != nil {
		e.model.Weights = e.bestWeights[:len(e.model.Trees)]
	}
}

// moved reports whether the trees of the last round, single leaves all of them, change scores by
// more than rounding does.
func (e *ensemble) moved() bool {
	m, scale := e.model, 1.0
	for _, v := range m.Bias {
		scale = max(scale, math.Abs(v))
	}
	for _, t := range m.Trees[len(m.Trees)-e.width:] {
		for _, v := range t.Value(0) {
			if math.Abs(v) > 1e-9*scale {
				return true
			}
		}
	}
	return false
}

// startsAtZero reports whether the scores of a loss start at 0: with compat=catboost, those that
// CatBoost does not start at the average.
func (c *Config) startsAtZero(loss string) bool {
	if !c.CatBoost() {
		return false
	}
	switch loss {
	case "squared", "absolute", "quantile", "mape":
		return false
	}
	return true
}

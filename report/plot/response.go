package plot

import (
	"fmt"

	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tree"
)

// responder makes the predictions of a model with one tree from the values of its nodes. Leaves may
// hold class counts, class probabilities, numbers or raw scores: start value, weight and link of
// the model apply to each of them.
type responder struct {
	tree   *tree.Tree
	weight float64
	output int // which raw score the tree adds to; -1 = all
	bias   []float64
	apply  func(dst, raw []float64)
	width  int
}

// newResponder refuses a model that predicts several numbers for a row, or whose leaves have
// equations.
func newResponder(e *model.Ensemble) (*responder, error) {
	t := e.Trees[0]
	r := &responder{tree: t, weight: 1, output: -1, bias: make([]float64, e.Scores()),
		apply: e.Responder(), width: e.Outputs()}
	switch {
	case t.Leaf.Linear != nil:
		return nil, fmt.Errorf("the leaves predict by equations: the pictures need leaves that " +
			"predict alike for all their rows")
	case !e.Meta.Task.Classes() && r.width != 1:
		return nil, severalNumbers(r.width)
	}
	if e.Combine == model.Sum && e.Weights != nil { // a mean over one tree is that tree's value
		r.weight = e.Weights[0]
	}
	if e.Output != nil {
		r.output = int(e.Output[0])
	}
	copy(r.bias, e.Bias)
	return r, nil
}

// value returns what node n holds, of class counts the probabilities; nil if it holds nothing, as
// inner nodes of many trees.
func (r *responder) value(n int32) []float64 {
	value := r.tree.Value(n)
	if value == nil || r.tree.Leaf.Kind != tree.Counts {
		return value
	}
	probabilities := make([]float64, len(value))
	tree.Probabilities(probabilities, value)
	return probabilities
}

// respond returns what the model predicts where its tree has the value: the probabilities of all
// classes, or one number.
func (r *responder) respond(value []float64) []float64 {
	raw := append([]float64(nil), r.bias...)
	if r.output >= 0 {
		raw[r.output] += float64(r.weight * value[0])
	} else {
		for i, v := range value {
			raw[i] += float64(r.weight * v)
		}
	}
	response := make([]float64, r.width)
	r.apply(response, raw)
	return response
}

// at returns what the model predicts for rows that end at node n; nil if the node holds no value.
func (r *responder) at(n int32) []float64 {
	value := r.value(n)
	if value == nil {
		return nil
	}
	return r.respond(value)
}

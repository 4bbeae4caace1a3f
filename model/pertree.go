package model

import (
	"errors"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/model/internal/engine"
	"github.com/coppice-ml/coppice/tree"
)

// ErrNoTreeValues is returned by BindTrees for trees whose values differ in number, and for class
// counts or vectors in trees that divide rows among children.
var ErrNoTreeValues = errors.New("the trees of this model have no values one by one")

// BindTrees is Bind for the values of single trees: of each tree that Options.Rounds requests, in
// their order, what it predicts before its weight, the start value and the link. A tree of numbers
// has one value, and one of classes or several outputs has one for each of them. Options.Output and
// Options.Quantiles are ignored.
func BindTrees(e *Ensemble, s *data.Schema, o Options) (Predictor, error) {
	used := e.First(o.Rounds)
	k := RowEvaluator{Inputs: &e.Inputs}
	width := 1
	for i, t := range used.Trees {
		if i == 0 {
			width = t.Leaf.Width
		} else if width != t.Leaf.Width {
			return nil, ErrNoTreeValues
		}
	}
	if width == 1 {
		k.ofNumbers(used.Trees)
	} else if err := k.ofVectors(used.Trees, width); err != nil {
		return nil, err
	}
	k.guard = newLeafGuard(used, k.Columns)
	return k.Bind(&e.Meta.Schema, s, o.Workers)
}

// ofNumbers evaluates trees of one value each: a program in which each feeds an output of its own.
func (k *RowEvaluator) ofNumbers(trees []*tree.Tree) {
	outputs := make([]int32, len(trees))
	for i := range outputs {
		outputs[i] = int32(i)
	}
	program := engine.Compile(engine.Source{Trees: trees, Output: outputs, Outputs: len(trees)})
	k.Columns, k.Width, k.program = program.Columns(), len(trees), program
	k.Start = func() func(dst, row []float64) { return program.Raw }
	k.finish = func(dst []float64, b *engine.Block) { b.Raw(dst) }
}

// ofVectors evaluates trees of several values each, by the leaves that rows reach.
func (k *RowEvaluator) ofVectors(trees []*tree.Tree, width int) error {
	values := make([]func(n int32) []float64, len(trees))
	for i, t := range trees {
		for n := range int32(t.Len()) {
			if t.Missing(n) == tree.MissingFractional {
				return ErrNoTreeValues
			}
		}
		values[i] = t.Value
		if t.Leaf.Kind == tree.Counts {
			values[i] = func(n int32) []float64 {
				p := make([]float64, width)
				tree.Probabilities(p, t.Value(n))
				return p
			}
		}
	}
	write := func(dst, leaves []float64) {
		for i, n := range leaves {
			copy(dst[i*width:][:width], values[i](int32(n)))
		}
	}
	program := engine.Compile(engine.Source{Trees: trees, Outputs: width})
	k.Columns, k.Width, k.program = program.Columns(), len(trees)*width, program
	k.Start = func() func(dst, row []float64) {
		leaves := make([]float64, len(trees))
		return func(dst, row []float64) {
			program.Leaves(leaves, row)
			write(dst, leaves)
		}
	}
	k.finish = func(dst []float64, b *engine.Block) {
		leaves := make([]float64, b.Rows()*len(trees))
		b.Leaves(leaves)
		for r := range b.Rows() {
			write(dst[r*k.Width:][:k.Width], leaves[r*len(trees):][:len(trees)])
		}
	}
	return nil
}

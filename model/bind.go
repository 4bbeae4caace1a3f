package model

import (
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/model/internal/engine"
)

// Bind matches the ensemble's features by name to those of a table.
func (e *Ensemble) Bind(s *data.Schema, o Options) (Predictor, error) {
	used, answer := e.First(o.Rounds), responseOf(e)
	source := engine.Source{Trees: used.Trees, Output: used.Output, Weights: used.Weights,
		Bias: e.Bias, Outputs: answer.scores, Mean: e.Combine != Sum,
		Layout: engine.Layout(o.Layout), Surveys: e.surveys}
	if o.Output == Quantiles {
		k, err := e.quantiles(source, o.Quantiles)
		if err != nil {
			return nil, err
		}
		return k.Bind(&e.Meta.Schema, s, o.Workers)
	}
	program := engine.Compile(source)
	if err := fit(program); err != nil {
		return nil, err
	}
	k := answer.evaluator(program, o.Output)
	k.Inputs = &e.Inputs
	k.guard = newLeafGuard(used, k.Columns)
	if renumber := e.Origin.renumber(e.chosen(o.Rounds)); renumber != nil && o.Output == Leaf {
		k.renumber(renumber)
	}
	return k.Bind(&e.Meta.Schema, s, o.Workers)
}

// renumber changes the leaves that an evaluator of the output Leaf writes.
func (k *RowEvaluator) renumber(change func(leaves []float64)) {
	start, finish, width := k.Start, k.finish, k.Width
	k.Start = func() func(dst, row []float64) {
		leaves := start()
		return func(dst, row []float64) {
			leaves(dst, row)
			change(dst)
		}
	}
	k.finish = func(dst []float64, b *engine.Block) {
		finish(dst, b)
		for ; len(dst) > 0; dst = dst[width:] {
			change(dst[:width])
		}
	}
}

// ArgMax returns the index of the largest value, of equal ones the first.
func ArgMax(v []float64) int {
	if len(v) == 0 {
		return 0
	}
	best, most := 0, v[0]
	for i, x := range v {
		if x > most {
			best, most = i, x
		}
	}
	return best
}

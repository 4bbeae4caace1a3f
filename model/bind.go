package model

import (
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/model/engine"
	"github.com/coppice-ml/coppice/tree"
)

// Bind matches the ensemble's features by name to those of a table.
func (e *Ensemble) Bind(s *data.Schema, o Options) (Predictor, error) {
	trees, outputs, weights := e.rounds(o.Rounds)
	source := engine.Source{Trees: trees, Output: outputs, Weights: weights, Bias: e.Bias, Outputs: e.Outputs(), Mean: e.Combine != Sum}
	if o.Output == Quantiles {
		k, err := e.quantiles(source, o.Quantiles)
		if err != nil {
			return nil, err
		}
		return k.Bind(&e.Meta.Schema, s, o.Workers)
	}
	return e.kernel(engine.Compile(source), o.Output).Bind(&e.Meta.Schema, s, o.Workers)
}

// kernel makes an output of what a program computes.
func (e *Ensemble) kernel(program *engine.Program, output Output) Kernel {
	outputs := e.Outputs()
	k := Kernel{Columns: program.Columns(), Width: outputs, Program: program}
	if output == Leaf {
		k.Width = program.NumTrees()
		k.Start = func() func(dst, row []float64) { return program.Leaves }
		k.Finish = func(dst []float64, b *engine.Block) { b.Leaves(dst) }
		return k
	}
	link := e.Link
	if output == Raw {
		link = nil
	}
	respond := func(raw []float64) {
		if link != nil {
			link.Apply(raw)
		}
	}
	if output != Label || !e.Meta.Labels() {
		k.Start = func() func(dst, row []float64) {
			return func(dst, row []float64) {
				program.Raw(dst, row)
				respond(dst)
			}
		}
		k.Finish = func(dst []float64, b *engine.Block) {
			b.Raw(dst)
			for ; len(dst) > 0; dst = dst[outputs:] {
				respond(dst[:outputs])
			}
		}
		return k
	}
	k.Width = 1
	label := func(raw []float64) float64 {
		respond(raw)
		return float64(e.Meta.Decision.Label(raw))
	}
	k.Start = func() func(dst, row []float64) {
		raw := make([]float64, outputs)
		return func(dst, row []float64) {
			program.Raw(raw, row)
			dst[0] = label(raw)
		}
	}
	k.Finish = func(dst []float64, b *engine.Block) {
		raw := make([]float64, len(dst)*outputs)
		b.Raw(raw)
		for i := range dst {
			dst[i] = label(raw[i*outputs : (i+1)*outputs])
		}
	}
	return k
}

// rounds returns the first n trees of each output, all if n is 0.
func (e *Ensemble) rounds(n int) (trees []*tree.Tree, outputs []int32, weights []float64) {
	if n <= 0 {
		return e.Trees, e.Output, e.Weights
	}
	seen := map[int32]int{}
	for i, t := range e.Trees {
		o := e.outputOf(i)
		if seen[o]++; seen[o] > n {
			continue
		}
		trees = append(trees, t)
		outputs = append(outputs, o)
		if e.Weights != nil {
			weights = append(weights, e.Weights[i])
		}
	}
	return trees, outputs, weights
}

// ArgMax returns the index of the largest value, of equal ones the first.
func ArgMax(v []float64) int {
	best := 0
	for i := range v {
		if v[i] > v[best] {
			best = i
		}
	}
	return best
}

package hist

import (
	"github.com/coppice-ml/coppice/internal/kernel"
	"github.com/coppice-ml/coppice/internal/parallel"
	"github.com/coppice-ml/coppice/learn/gbm/internal/bins"
)

// DeriveOutputs writes the gradients and hessians of all outputs for the rows from ... to-1: those
// of output k from element k*stride of g and h on. Rows count as those of Derive. It may be called
// for several parts at once, and for the same part again, with the same result.
type DeriveOutputs func(g, h []float64, stride, from, to int)

// Outputs is the derivatives of several outputs at the same scores as words. One pass over the rows
// makes those of all outputs, and never stores the derivatives themselves.
type Outputs struct {
	sums      []sums  // by output
	fixed     []bool  // by output: whether words are fine enough
	rows      []int32 // of the matrix; nil = all
	all       int     // rows of the matrix
	scratches []outputsScratch
	roots     *roots // nil: trees add up the histograms of their roots
}

// outputsScratch is the memory of a worker.
type outputsScratch struct {
	g, h  []float64
	words [outputsPortion]int64
	sizes []kernel.Sizes // by output
}

// outputsPortion is the number of rows whose derivatives of all outputs are computed at once. The
// first cache keeps those of ten outputs until they are words.
const outputsPortion = 1 << 7

// NewOutputs returns derivatives of some outputs, yet without values, for trees on some rows of a
// matrix, ascending and distinct; nil = all. Several workers make their words.
func NewOutputs(m *bins.Matrix, c *Config, outputs int, rows []int32, workers int) *Outputs {
	n := m.Len()
	o := &Outputs{sums: make([]sums, outputs), fixed: make([]bool, outputs), rows: rows, all: n,
		scratches: make([]outputsScratch, workers), roots: newRoots(m, c, outputs, workers)}
	words := make([]int64, outputs*n)
	for k := range o.sums {
		o.sums[k].packed = words[k*n : (k+1)*n]
	}
	for i := range o.scratches {
		m := &o.scratches[i]
		m.g, m.h = make([]float64, outputs*outputsPortion), make([]float64, outputs*outputsPortion)
		m.sizes = make([]kernel.Sizes, outputs)
	}
	return o
}

// Fixed reports whether an output has words. Else they would be too coarse, or some derivatives are
// not finite, and Grower.Grow decides what to do.
func (o *Outputs) Fixed(output int) bool { return o.fixed[output] }

// Update makes the words of derivatives. As with one output, they are made by the scale of the last
// time, and again by that which the sums ask for where it is another one.
func (o *Outputs) Update(f DeriveOutputs) {
	outputs := make([]int, len(o.sums))
	for k := range outputs {
		outputs[k] = k
	}
	found := o.pass(f, outputs)
	var again []int
	for k := range o.sums {
		scale, ok := found[k].scale(o.all)
		if o.fixed[k] = ok; ok && scale != o.sums[k].scale {
			o.sums[k].scale = scale
			again = append(again, k)
		}
	}
	if len(again) > 0 {
		repeated := o.pass(f, again)
		for _, k := range again {
			found[k] = repeated[k]
		}
	}
	for k := range o.sums {
		o.fixed[k] = o.fixed[k] && o.sums[k].take(&found[k].fixed)
	}
	if o.roots != nil {
		o.roots.add(o.sums)
	}
}

// pass adds up the sizes of the derivatives of some outputs and makes words of them. It returns
// what it found of each output.
func (o *Outputs) pass(f DeriveOutputs, outputs []int) []met {
	n, k := lenOr(o.rows, o.all), len(o.sums)
	found := make([]met, blocksOf(n)*k)
	parallel.Each(len(o.scratches), blocksOf(n), func(w, i int) {
		o.passBlock(f, outputs, i*block, min(n, (i+1)*block), &o.scratches[w],
			found[i*k:(i+1)*k])
	})
	all := make([]met, k)
	for _, k := range outputs {
		all[k].fixed = kernel.FixedNone
	}
	for i := range found {
		m := &all[i%k]
		m.size, m.fixed = m.size.plus(found[i].size), m.fixed.Plus(found[i].fixed)
	}
	return all
}

// passBlock is pass for the rows from lo to hi-1.
func (o *Outputs) passBlock(f DeriveOutputs, outputs []int, lo, hi int, m *outputsScratch,
	found []met) {
	clear(m.sizes)
	for _, k := range outputs {
		found[k].fixed = kernel.FixedNone
	}
	for from := lo; from < hi; from += outputsPortion {
		to := min(hi, from+outputsPortion)
		f(m.g, m.h, outputsPortion, from, to)
		for _, k := range outputs {
			g, h := m.g[k*outputsPortion:][:to-from], m.h[k*outputsPortion:][:to-from]
			m.sizes[k].Add(g, h)
			found[k].fixed = found[k].fixed.Plus(o.sums[k].words(o.sums[k].packed, g, h, o.rows, from,
				m.words[:]))
		}
	}
	for _, k := range outputs {
		found[k].size.g, found[k].size.h = m.sizes[k].Sums()
	}
}

// put makes the sums of a grower those of an output. It keeps its memory.
func (o *Outputs) put(to *sums, output int) {
	words, pairs, drawn := to.allWords, to.allPairs, to.drawn
	*to = o.sums[output]
	to.allWords, to.allPairs, to.drawn = words, pairs, drawn
}

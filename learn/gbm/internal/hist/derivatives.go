package hist

import (
	"math"
	"slices"

	"github.com/coppice-ml/coppice/internal/kernel"
)

// Derive writes the gradients and hessians of the rows from ... to-1 to g and h, which are as long.
// Rows count from 0 as those of the tree that they are requested stand in a list of them, if they
// are not all rows of the matrix. It may be called for several parts at once, and for the same part
// again, with the same result.
type Derive func(g, h []float64, from, to int)

// source is gradients and hessians of a tree's rows: as they are by output and row of the matrix,
// or as they are worked out when they are needed, which spares memory from holding those of all
// rows.
type source struct {
	outputs int
	g, h    []float64
	derive  Derive  // of one output; nil: they are g and h
	rows    []int32 // of the tree; nil = all of the matrix
	n       int     // rows of the matrix
}

// portion is the rows whose derivatives are worked out at once: the first cache keeps them until
// they are words. It is a multiple of four, as kernel.Sizes requires.
const portion = 1 << 9

// of calls f with the derivatives of each output of the tree's rows from ... to-1, some rows at a
// time.
func (d *source) of(from, to int, w *worker, f func(k int, g, h []float64, from int)) {
	w.derived.values = resize(w.derived.values, 2*portion*d.outputs)
	g, h := w.derived.values[:portion*d.outputs], w.derived.values[portion*d.outputs:]
	for ; from < to; from += portion {
		end := min(to, from+portion)
		if d.derive != nil {
			d.derive(g[:end-from], h[:end-from], from, end)
		}
		for k := range d.outputs {
			own, ownH := g[k*portion:][:end-from], h[k*portion:][:end-from]
			if d.derive == nil {
				own, ownH = d.pick(own, ownH, k, from, end)
			}
			f(k, own, ownH, from)
		}
	}
}

// pick returns the derivatives of an output that are stored: those of a list of rows in the memory
// of g and h.
func (d *source) pick(g, h []float64, output, from, to int) (dg, dh []float64) {
	allG, allH := d.g[output*d.n:][:d.n], d.h[output*d.n:][:d.n]
	if d.rows == nil {
		return allG[from:to], allH[from:to]
	}
	for i, r := range d.rows[from:to] {
		g[i], h[i] = allG[r], allH[r]
	}
	return g, h
}

// makeSums makes the sums of a tree's rows, by output and of one kind: words where all outputs may
// have them and double is false, else pairs.
func makeSums(of []sums, d *source, double bool, workers team, others *exchange) {
	double = double || slices.Contains(fix(of, d, workers, others), false)
	if double {
		makePairs(of, d, workers[0], others)
	}
	base, _ := others.own(nil)
	for k := range of {
		if s := &of[k]; double {
			s.double, s.pairs = true, s.allPairs[2*base:]
		} else {
			s.double, s.packed = false, s.allWords[base:]
		}
	}
}

// fix makes fixed-point numbers. It reports by output whether they are fine enough. Their scale
// depends on sums that are known at the end of a pass; as that of the last tree mostly is the right
// one words are made by it at once, and again only where it is not.
func fix(of []sums, d *source, workers team, others *exchange) (fine []bool) {
	fine, all := make([]bool, len(of)), make([]met, len(of))
	outputs := make([]int, len(of))
	for k := range outputs {
		outputs[k] = k
	}
	pass(of, outputs, d, all, workers, others)
	var again []int
	for k := range of {
		scale, ok := all[k].scale(d.n)
		if fine[k] = ok; ok && scale != of[k].scale {
			of[k].scale = scale
			again = append(again, k)
		}
	}
	if len(again) > 0 {
		pass(of, again, d, all, workers, others)
	}
	for k := range of {
		fine[k] = fine[k] && of[k].take(&all[k].fixed)
	}
	return fine
}

// take takes what the words of all rows are together. It reports false where they are too coarse.
func (s *sums) take(all *kernel.Fixed) bool {
	s.unitG, s.unitH = 1/s.scale.perG, 1/s.scale.perH
	s.total = pair{float64(all.G), float64(all.H)}
	s.least, s.most = float64(all.Least), float64(all.Most)
	return all.Coarse <= all.Rows/4 && all.Least >= 0 // half of a word holds no number below 0
}

// pass adds up the sizes of the derivatives of some outputs and makes words of them, by the scale
// if there is one. It sets what it found of these outputs. Other ranks make those of their rows.
func pass(
	of []sums, outputs []int, d *source, all []met, workers team, others *exchange,
) {
	for k := range of {
		of[k].allWords = resize(of[k].allWords, d.n)
	}
	n := lenOr(d.rows, d.n)
	blocks := blocksOf(n)
	first, end, divided := others.ownBlocks(n, blocks)
	found := make([]met, blocks*len(of))
	workers.each(end-first, func(i int, w *worker) {
		i += first
		passBlock(of, outputs, d, i*block, min(n, (i+1)*block), w, found[i*len(of):][:len(of)])
	})
	if divided {
		joinMet(others, found, first*len(of), end*len(of))
	}
	for _, k := range outputs {
		all[k] = met{fixed: kernel.FixedNone}
		for i := k; i < len(found); i += len(of) {
			all[k].size = all[k].size.plus(found[i].size)
			all[k].fixed = all[k].fixed.Plus(found[i].fixed)
		}
	}
}

// passBlock is pass for the rows from lo to hi-1 of the tree.
func passBlock(
	of []sums, outputs []int, d *source, lo, hi int, w *worker, found []met,
) {
	sizes := resize(w.derived.sizes, len(of))
	w.derived.sizes, w.derived.words = sizes, resize(w.derived.words, portion)
	clear(sizes)
	for k := range found {
		found[k].fixed = kernel.FixedNone
	}
	d.of(lo, hi, w, func(k int, g, h []float64, from int) {
		if len(outputs) == len(of) || slices.Contains(outputs, k) {
			sizes[k].Add(g, h)
			found[k].fixed = found[k].fixed.Plus(of[k].words(g, h, d.rows, from, w.derived.words))
		}
	})
	for k := range found {
		found[k].size.g, found[k].size.h = sizes[k].Sums()
	}
}

// words makes the words of the tree's rows from one on, by the scale if there is one, with memory
// for as many.
func (s *sums) words(g, h []float64, rows []int32, from int, memory []int64) kernel.Fixed {
	switch {
	case s.scale.perG == 0:
		return kernel.FixedNone
	case rows == nil:
		return kernel.Fix(s.allWords[from:][:len(g)], g, h, s.scale.perG, s.scale.perH, coarse)
	}
	words := memory[:len(g)]
	fixed := kernel.Fix(words, g, h, s.scale.perG, s.scale.perH, coarse)
	for i, r := range rows[from:][:len(g)] {
		s.allWords[r] = words[i]
	}
	return fixed
}

// makePairs makes pairs of float64 of the rows that this rank has. Their sums depend on the order
// of the rows.
func makePairs(of []sums, d *source, w *worker, others *exchange) {
	for k := range of {
		of[k].allPairs = resize(of[k].allPairs, 2*d.n)
	}
	from, to := others.own(d.rows)
	const g, h, size, least, most, begun, places = 0, 1, 2, 3, 4, 5, 6
	sums := make([]float64, places*len(of))
	others.inOrder(sums, func() {
		for k := range of {
			if sum := sums[places*k:]; sum[begun] == 0 {
				sum[least], sum[begun] = math.Inf(1), 1
			}
		}
		d.of(int(from), int(to), w, func(k int, dg, dh []float64, from int) {
			sum, pairs := sums[places*k:][:places], of[k].allPairs
			for i := range dg {
				r := from + i
				if d.rows != nil {
					r = int(d.rows[r])
				}
				pairs[2*r], pairs[2*r+1] = dg[i], dh[i]
				sum[g] += dg[i]
				sum[h] += dh[i]
				sum[size] += math.Abs(dg[i])
				sum[least], sum[most] = min(sum[least], dh[i]), max(sum[most], dh[i])
			}
		})
	})
	for k := range of {
		s, sum := &of[k], sums[places*k:]
		s.unitG, s.unitH = 1, 1
		s.total, s.size, s.least, s.most = pair{sum[g], sum[h]}, sum[size], sum[least], sum[most]
	}
}

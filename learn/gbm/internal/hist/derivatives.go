package hist

import (
	"math"

	"github.com/coppice-ml/coppice/internal/kernel"
)

// Derive writes the gradients and hessians of the rows from ... to-1 to g and h, which are as long.
// Rows count from 0 as those of the tree that they are requested stand in a list of them, if they
// are not all rows of the matrix. It may be called for several parts at once, and for the same part
// again, with the same result.
type Derive func(g, h []float64, from, to int)

// source is gradients and hessians of a tree's rows: as they are by row of the matrix, or as they
// are worked out when they are needed, which spares memory from holding those of all rows.
type source struct {
	g, h   []float64
	derive Derive  // nil: they are g and h
	rows   []int32 // of the tree; nil = all of the matrix
	n      int     // rows of the matrix
}

// len returns the number of the tree's rows.
func (d *source) len() int {
	if d.rows == nil {
		return d.n
	}
	return len(d.rows)
}

// portion is the number of rows whose derivatives are worked out at once: the first cache keeps
// them until they are words. A multiple of four, as kernel.Sizes requires.
const portion = 1 << 9

// derivedScratch is memory for a portion.
type derivedScratch struct {
	values []float64 // gradients, then hessians
	words  []int64
}

// of calls f with the derivatives of the tree's rows from ... to-1, some at a time.
func (d *source) of(from, to int, w *worker, f func(g, h []float64, from, to int)) {
	w.derived.values = resize(w.derived.values, 2*portion)
	for ; from < to; from += portion {
		end := min(to, from+portion)
		if d.derive == nil && d.rows == nil {
			f(d.g[from:end], d.h[from:end], from, end)
			continue
		}
		g, h := w.derived.values[:end-from], w.derived.values[portion:][:end-from]
		if d.derive != nil {
			d.derive(g, h, from, end)
		} else {
			for i, r := range d.rows[from:end] {
				g[i], h[i] = d.g[r], d.h[r]
			}
		}
		f(g, h, from, end)
	}
}

// met is what a pass over the derivatives of some rows finds.
type met struct {
	size  pair // sums of |g| and of h
	fixed kernel.Fixed
}

// fix makes fixed-point numbers. It reports false where they would be too coarse. Their scale
// depends on sums that are known at the end of a pass; as that of the last tree mostly is the right
// one words are made by it at once, and again only where it is not.
func (s *sums) fix(d *source, workers team, others exchange) bool {
	all := s.pass(d, workers, others)
	scale, ok := all.scale(d.n)
	if !ok {
		return false
	}
	if scale != s.scale {
		s.scale = scale
		all = s.pass(d, workers, others)
	}
	return s.take(&all.fixed)
}

// take takes what the words of all rows are together. It reports false where they are too coarse.
func (s *sums) take(all *kernel.Fixed) bool {
	s.unitG, s.unitH = 1/s.scale.perG, 1/s.scale.perH
	s.total = pair{float64(all.G), float64(all.H)}
	s.least, s.most = float64(all.Least), float64(all.Most)
	return all.Coarse <= all.Rows/4 && all.Least >= 0 // half of a word holds no number below 0
}

// scale returns the scale at which the sums of n rows stay within the limits of words. It reports
// false where there is none.
func (m *met) scale(n int) (scale, bool) {
	if !(m.size.g > 0) || !(m.size.h > 0) || math.IsInf(m.size.g, 1) || math.IsInf(m.size.h, 1) {
		return scale{}, false
	}
	rounding := float64(n)
	s := scale{powerBelow((limitG - 1 - rounding) / m.size.g),
		powerBelow((limitH - 1 - rounding) / m.size.h)}
	return s, !math.IsInf(s.perG, 1) && !math.IsInf(s.perH, 1)
}

// pass adds up the sizes of derivatives and makes words of them, by the scale if there is one.
// Other ranks make those of their rows.
func (s *sums) pass(d *source, workers team, others exchange) met {
	s.allWords = resize(s.allWords, d.n)
	n := d.len()
	found := make([]met, blocksOf(n))
	first, end := others.ownBlocks(n, len(found))
	workers.each(end-first, func(i int, w *worker) {
		i += first
		lo, hi := i*block, min(n, (i+1)*block)
		if d.rows == nil {
			found[i] = s.passRange(d, lo, hi, w)
		} else {
			found[i] = s.passList(d, lo, hi, w)
		}
	})
	if end-first < len(found) {
		others.blocksOfAll(found)
	}
	all := met{fixed: kernel.FixedNone}
	for i := range found {
		all.size = all.size.plus(found[i].size)
		all.fixed = all.fixed.Plus(found[i].fixed)
	}
	return all
}

// passRange is pass for the rows from lo to hi-1 of all.
func (s *sums) passRange(d *source, lo, hi int, w *worker) met {
	m := met{fixed: kernel.FixedNone}
	var size kernel.Sizes
	d.of(lo, hi, w, func(g, h []float64, from, to int) {
		size.Add(g, h)
		if s.scale.perG > 0 {
			m.fixed = m.fixed.Plus(kernel.Fix(s.allWords[from:to], g, h, s.scale.perG,
				s.scale.perH, coarse))
		}
	})
	m.size.g, m.size.h = size.Sums()
	return m
}

// passList is pass for the rows from lo to hi-1 of a list.
func (s *sums) passList(d *source, lo, hi int, w *worker) met {
	m := met{fixed: kernel.FixedNone}
	var size kernel.Sizes
	w.derived.words = resize(w.derived.words, portion)
	d.of(lo, hi, w, func(g, h []float64, from, to int) {
		size.Add(g, h)
		if s.scale.perG > 0 {
			words := w.derived.words[:to-from]
			m.fixed = m.fixed.Plus(kernel.Fix(words, g, h, s.scale.perG, s.scale.perH, coarse))
			for i, r := range d.rows[from:to] {
				s.allWords[r] = words[i]
			}
		}
	})
	m.size.g, m.size.h = size.Sums()
	return m
}

// pair makes pairs of float64 of the rows that this rank has. Their sums depend on the order of the
// rows.
func (s *sums) pair(d *source, w *worker, others exchange) {
	s.unitG, s.unitH = 1, 1
	s.allPairs = resize(s.allPairs, 2*d.n)
	from, to := others.own(d.rows, d.n)
	const g, h, size, least, most, begun, places = 0, 1, 2, 3, 4, 5, 6
	var sum [places]float64
	others.inOrder(sum[:], func() {
		if sum[begun] == 0 {
			sum[least], sum[begun] = math.Inf(1), 1
		}
		d.of(int(from), int(to), w, func(dg, dh []float64, from, _ int) {
			for i := range dg {
				r := from + i
				if d.rows != nil {
					r = int(d.rows[r])
				}
				s.allPairs[2*r], s.allPairs[2*r+1] = dg[i], dh[i]
				sum[g] += dg[i]
				sum[h] += dh[i]
				sum[size] += math.Abs(dg[i])
				sum[least], sum[most] = min(sum[least], dh[i]), max(sum[most], dh[i])
			}
		})
	})
	s.total, s.size, s.least, s.most = pair{sum[g], sum[h]}, sum[size], sum[least], sum[most]
}

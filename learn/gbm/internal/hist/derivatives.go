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

// of calls f with the derivatives of the tree's rows from ... to-1, some at a time.
func (d *source) of(from, to int, w *worker, f func(g, h []float64, from int)) {
	w.derived.values = resize(w.derived.values, 2*portion)
	for ; from < to; from += portion {
		end := min(to, from+portion)
		if d.derive == nil && d.rows == nil {
			f(d.g[from:end], d.h[from:end], from)
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
		f(g, h, from)
	}
}

// fix makes fixed-point numbers. It reports false where they would be too coarse. Their scale
// depends on sums that are known at the end of a pass; as that of the last tree mostly is the right
// one words are made by it at once, and again only where it is not.
func (s *sums) fix(d *source, workers team, others *exchange) bool {
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

// pass adds up the sizes of derivatives and makes words of them, by the scale if there is one.
// Other ranks make those of their rows.
func (s *sums) pass(d *source, workers team, others *exchange) met {
	s.allWords = resize(s.allWords, d.n)
	n := d.len()
	found := make([]met, blocksOf(n))
	first, end := others.ownBlocks(n, len(found))
	workers.each(end-first, func(i int, w *worker) {
		i += first
		found[i] = s.passBlock(d, i*block, min(n, (i+1)*block), w)
	})
	if end-first < len(found) {
		joinMet(others, found, first, end)
	}
	all := met{fixed: kernel.FixedNone}
	for i := range found {
		all.size = all.size.plus(found[i].size)
		all.fixed = all.fixed.Plus(found[i].fixed)
	}
	return all
}

// passBlock is pass for the rows from lo to hi-1 of the tree.
func (s *sums) passBlock(d *source, lo, hi int, w *worker) met {
	m := met{fixed: kernel.FixedNone}
	var size kernel.Sizes
	w.derived.words = resize(w.derived.words, portion)
	d.of(lo, hi, w, func(g, h []float64, from int) {
		size.Add(g, h)
		m.fixed = m.fixed.Plus(s.words(s.allWords, g, h, d.rows, from, w.derived.words))
	})
	m.size.g, m.size.h = size.Sums()
	return m
}

// words makes the words of the tree's rows from one on, by the scale if there is one. to is by row
// of the matrix, memory that of as many words.
func (s *sums) words(
	to []int64, g, h []float64, rows []int32, from int, memory []int64,
) kernel.Fixed {
	switch {
	case s.scale.perG == 0:
		return kernel.FixedNone
	case rows == nil:
		return kernel.Fix(to[from:][:len(g)], g, h, s.scale.perG, s.scale.perH, coarse)
	}
	words := memory[:len(g)]
	fixed := kernel.Fix(words, g, h, s.scale.perG, s.scale.perH, coarse)
	for i, r := range rows[from:][:len(g)] {
		to[r] = words[i]
	}
	return fixed
}

// pair makes pairs of float64 of the rows that this rank has. Their sums depend on the order of the
// rows.
func (s *sums) pair(d *source, w *worker, others *exchange) {
	s.unitG, s.unitH = 1, 1
	s.allPairs = resize(s.allPairs, 2*d.n)
	from, to := others.own(d.rows)
	const g, h, size, least, most, begun, places = 0, 1, 2, 3, 4, 5, 6
	var sum [places]float64
	others.inOrder(sum[:], func() {
		if sum[begun] == 0 {
			sum[least], sum[begun] = math.Inf(1), 1
		}
		d.of(int(from), int(to), w, func(dg, dh []float64, from int) {
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

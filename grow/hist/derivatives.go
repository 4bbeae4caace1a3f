package hist

import (
	"math"

	"github.com/coppice-ml/coppice/internal/kernel"
)

// Derive writes the gradients and hessians of the rows from ... to-1 of a matrix to g and h, which are as long. It may be called
// for several parts at once, and for the same part again, with the same result.
type Derive func(g, h []float64, from, to int)

// source is gradients and hessians by row of the matrix: as they are, or as they are worked out when they are needed, which
// spares memory from holding those of all rows.
type source struct {
	g, h   []float64
	n      int    // rows of the matrix
	derive Derive // nil: they are g and h
}

// portion is the number of rows whose derivatives are worked out at once: the first cache keeps them until they are words. A multiple
// of four, as kernel.Sizes wants.
const portion = 1 << 9

// of calls f with the derivatives of the rows from ... to-1, some at a time.
func (d *source) of(from, to int, w *worker, f func(g, h []float64, from, to int)) {
	w.derived = resize(w.derived, 2*portion)
	for ; from < to; from += portion {
		end := min(to, from+portion)
		if d.derive == nil {
			f(d.g[from:end], d.h[from:end], from, end)
			continue
		}
		g, h := w.derived[:end-from], w.derived[portion:][:end-from]
		d.derive(g, h, from, end)
		f(g, h, from, end)
	}
}

// met is what a pass over the derivatives of some rows finds.
type met struct {
	size  pair // sums of |g| and of h
	fixed kernel.Fixed
}

// fix makes fixed-point numbers. It reports false where they would be too coarse. Their scale depends on sums that are known at the
// end of a pass; as that of the last tree mostly is the right one words are made by it at once, and again only where it is not.
func (s *sums) fix(d *source, p parts, do everywhere) bool {
	all := s.pass(d, p, do)
	scale, ok := all.scale(d.n)
	if !ok {
		return false
	}
	if scale != s.scale {
		s.scale = scale
		all = s.pass(d, p, do)
	}
	s.unitG, s.unitH = 1/scale.perG, 1/scale.perH
	s.total = pair{float64(all.fixed.G), float64(all.fixed.H)}
	s.least, s.most = float64(all.fixed.Least), float64(all.fixed.Most)
	return all.fixed.Coarse <= all.fixed.Rows/4
}

// scale returns the scale at which the sums of n rows stay within the limits of words. It reports false where there is none.
func (m *met) scale(n int) (scale, bool) {
	if !(m.size.g > 0) || !(m.size.h > 0) || math.IsInf(m.size.g, 1) || math.IsInf(m.size.h, 1) {
		return scale{}, false
	}
	rounding := float64(n)
	s := scale{powerBelow((limitG - 1 - rounding) / m.size.g), powerBelow((limitH - 1 - rounding) / m.size.h)}
	return s, !math.IsInf(s.perG, 1) && !math.IsInf(s.perH, 1)
}

// pass adds up the sizes of derivatives and makes words of them, by the scale if there is one.
func (s *sums) pass(d *source, p parts, do everywhere) met {
	s.packed = resize(s.packed, d.n)
	found := make([]met, p.blocks())
	do(len(found), func(i int, w *worker) {
		lo, hi := i*block, min(p.n, (i+1)*block)
		if p.rows == nil {
			found[i] = s.passRange(d, lo, hi, w)
		} else {
			found[i] = s.passList(d, p.rows[lo:hi])
		}
	})
	all := met{fixed: kernel.FixedNone}
	for i := range found {
		all.size = all.size.plus(found[i].size)
		all.fixed = all.fixed.Plus(found[i].fixed)
	}
	return all
}

// passRange is pass for the rows from lo to hi-1.
func (s *sums) passRange(d *source, lo, hi int, w *worker) met {
	m := met{fixed: kernel.FixedNone}
	var size kernel.Sizes
	d.of(lo, hi, w, func(g, h []float64, from, to int) {
		size.Add(g, h)
		if s.scale.perG > 0 {
			m.fixed = m.fixed.Plus(kernel.Fix(s.packed[from:to], g, h, nil, s.scale.perG, s.scale.perH, coarse))
		}
	})
	m.size.g, m.size.h = size.Sums()
	return m
}

// passList is pass for some rows, whose derivatives are there.
func (s *sums) passList(d *source, rows []int32) (m met) {
	for _, r := range rows {
		m.size.g += math.Abs(d.g[r])
		m.size.h += d.h[r]
	}
	if s.scale.perG > 0 {
		m.fixed = kernel.Fix(s.packed, d.g, d.h, rows, s.scale.perG, s.scale.perH, coarse)
	}
	return m
}

// pair makes pairs of float64, whose sums depend on the order of the rows.
func (s *sums) pair(d *source, p parts, w *worker) {
	s.unitG, s.unitH = 1, 1
	s.pairs = resize(s.pairs, 2*d.n)
	s.total, s.size, s.least, s.most = pair{}, 0, math.Inf(1), 0
	take := func(r int, g, h float64) {
		s.pairs[2*r], s.pairs[2*r+1] = g, h
		s.total.g += g
		s.total.h += h
		s.size += math.Abs(g)
		s.least, s.most = min(s.least, h), max(s.most, h)
	}
	if p.rows == nil {
		d.of(0, p.n, w, func(g, h []float64, from, _ int) {
			for i := range g {
				take(from+i, g[i], h[i])
			}
		})
		return
	}
	for _, r := range p.rows {
		take(int(r), d.g[r], d.h[r])
	}
}

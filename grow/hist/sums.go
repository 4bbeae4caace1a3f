package hist

import (
	"math"

	"github.com/coppice-ml/coppice/internal/kernel"
)

// pair is a sum of gradients and a sum of hessians, in units of sums.
type pair struct{ g, h float64 }

func (a pair) plus(b pair) pair  { return pair{a.g + b.g, a.h + b.h} }
func (a pair) minus(b pair) pair { return pair{a.g - b.g, a.h - b.h} }

// sums is the gradients and hessians of a tree's rows in the form in which they are added up: fixed-point numbers, or
// pairs of float64. Units of fixed-point numbers are so small that the sum of all |g| stays below 2^31 of them and that of h
// below 2^32, so that no part of the rows can overflow and both fit one word. They are powers of two, so that integers and
// their like are exact:
//
//	bit   63 ... 32   31 ... 0
//	      g, signed   h
//
// Their sums are exact, whatever the order, and so is the difference of two.
type sums struct {
	double bool
	packed []int64   // by row of the matrix
	pairs  []float64 // g and h by turns

	unitG, unitH float64 // what a unit is worth; 1 of float64
	least, most  float64 // hessians of single rows, in units
	total        pair
}

const (
	limitG = 1 << 31
	limitH = 1 << 32
	// coarse is the size in units below which a gradient is rounded noticeably. Where more than a quarter of the rows have
	// smaller ones, the largest gradients use up the units, and float64 are added.
	coarse = 16
)

// everywhere calls a function with 0 to n-1, perhaps on several goroutines.
type everywhere func(n int, f func(i int, w *worker))

// block is the number of rows whose sizes are added before they are added to those of other blocks. The result must not
// depend on how many workers there are.
const block = 1 << 14

// parts is some rows in blocks.
type parts struct {
	rows []int32 // nil = all
	n    int
}

func partsOf(n int, rows []int32) parts {
	if rows != nil {
		n = len(rows)
	}
	return parts{rows, n}
}

func (p parts) blocks() int { return (p.n + block - 1) / block }

// each calls f for the rows of a block.
func (p parts) each(i int, f func(r int)) {
	lo, hi := i*block, min(p.n, (i+1)*block)
	if p.rows == nil {
		for r := lo; r < hi; r++ {
			f(r)
		}
		return
	}
	for _, r := range p.rows[lo:hi] {
		f(int(r))
	}
}

// take makes the sums of a tree's rows; rows == nil means all.
func (s *sums) take(g, h []float64, rows []int32, double bool, do everywhere) {
	p := partsOf(len(g), rows)
	s.double = double
	if !double && s.fix(g, h, p, do) {
		return
	}
	s.double = true
	s.unitG, s.unitH = 1, 1
	s.pairs = resize(s.pairs, 2*len(g))
	s.total, s.least, s.most = pair{}, math.Inf(1), 0
	for i := range p.blocks() {
		p.each(i, func(r int) {
			s.pairs[2*r], s.pairs[2*r+1] = g[r], h[r]
			s.total.g += g[r]
			s.total.h += h[r]
			s.least, s.most = min(s.least, h[r]), max(s.most, h[r])
		})
	}
}

// finite reports whether all that was added up is finite. Fixed-point numbers always are.
func (s *sums) finite() bool {
	t := s.total
	return t.g-t.g == 0 && t.h-t.h == 0
}

// fix makes fixed-point numbers. It reports false where they would be too coarse.
func (s *sums) fix(g, h []float64, p parts, do everywhere) bool {
	size := magnitude(g, h, p, do)
	n := float64(len(g))
	if !(size.g > 0) || !(size.h > 0) || math.IsInf(size.g, 1) || math.IsInf(size.h, 1) {
		return false
	}
	perG, perH := powerBelow((limitG-1-n)/size.g), powerBelow((limitH-1-n)/size.h)
	if math.IsInf(perG, 1) || math.IsInf(perH, 1) {
		return false
	}
	s.unitG, s.unitH = 1/perG, 1/perH
	s.packed = resize(s.packed, len(g))
	found := make([]kernel.Fixed, p.blocks())
	do(len(found), func(i int, _ *worker) {
		lo, hi := i*block, min(p.n, (i+1)*block)
		if p.rows == nil {
			found[i] = kernel.Fix(s.packed[lo:hi], g[lo:hi], h[lo:hi], nil, perG, perH, coarse)
		} else {
			found[i] = kernel.Fix(s.packed, g, h, p.rows[lo:hi], perG, perH, coarse)
		}
	})
	all := kernel.Fixed{Least: math.MaxInt64}
	for _, f := range found {
		all.G, all.H = all.G+f.G, all.H+f.H
		all.Least, all.Most = min(all.Least, f.Least), max(all.Most, f.Most)
		all.Rows, all.Coarse = all.Rows+f.Rows, all.Coarse+f.Coarse
	}
	s.total = pair{float64(all.G), float64(all.H)}
	s.least, s.most = float64(all.Least), float64(all.Most)
	return all.Coarse <= all.Rows/4
}

// magnitude returns the sum of |g| and that of h.
func magnitude(g, h []float64, p parts, do everywhere) pair {
	sizes := make([]pair, p.blocks())
	do(len(sizes), func(i int, _ *worker) {
		lo, hi := i*block, min(p.n, (i+1)*block)
		if p.rows == nil {
			sizes[i].g, sizes[i].h = kernel.Sizes(g[lo:hi], h[lo:hi])
			return
		}
		p.each(i, func(r int) {
			sizes[i].g += math.Abs(g[r])
			sizes[i].h += h[r]
		})
	})
	all := pair{}
	for _, a := range sizes {
		all = all.plus(a)
	}
	return all
}

// powerBelow returns the largest power of two that is no more than x.
func powerBelow(x float64) float64 {
	if math.IsInf(x, 1) {
		return x
	}
	_, exponent := math.Frexp(x)
	return math.Ldexp(0.5, exponent)
}

// resize returns a slice of n elements, in the memory of s if that is enough.
func resize[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}

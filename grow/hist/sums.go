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

// take makes the sums of a tree's rows; rows == nil means all.
func (s *sums) take(g, h []float64, rows []int32, double bool) {
	s.double = double
	if !double && s.fix(g, h, rows) {
		return
	}
	s.double = true
	s.unitG, s.unitH = 1, 1
	s.pairs = resize(s.pairs, 2*len(g))
	s.total, s.least, s.most = pair{}, math.Inf(1), 0
	each(len(g), rows, func(r int) {
		s.pairs[2*r], s.pairs[2*r+1] = g[r], h[r]
		s.total.g += g[r]
		s.total.h += h[r]
		s.least, s.most = min(s.least, h[r]), max(s.most, h[r])
	})
}

// fix makes fixed-point numbers. It reports false where they would be too coarse.
func (s *sums) fix(g, h []float64, rows []int32) bool {
	size, weight := magnitude(g, h, rows)
	n := float64(len(g))
	if !(size > 0) || !(weight > 0) || math.IsInf(size, 1) || math.IsInf(weight, 1) {
		return false
	}
	perG, perH := powerBelow((limitG-1-n)/size), powerBelow((limitH-1-n)/weight)
	if math.IsInf(perG, 1) || math.IsInf(perH, 1) {
		return false
	}
	s.unitG, s.unitH = 1/perG, 1/perH
	s.packed = resize(s.packed, len(g))
	f := kernel.Fix(s.packed, g, h, rows, perG, perH, coarse)
	if f.Coarse > f.Rows/4 {
		return false
	}
	s.total = pair{float64(f.G), float64(f.H)}
	s.least, s.most = float64(f.Least), float64(f.Most)
	return true
}

// powerBelow returns the largest power of two that is no more than x.
func powerBelow(x float64) float64 {
	if math.IsInf(x, 1) {
		return x
	}
	_, exponent := math.Frexp(x)
	return math.Ldexp(0.5, exponent)
}

// block is the number of rows whose sizes are added before they are added to those of other blocks. The result must not
// depend on how many workers there are.
const block = 1 << 14

// magnitude returns the sum of |g| and that of h.
func magnitude(g, h []float64, rows []int32) (size, weight float64) {
	n := len(g)
	if rows != nil {
		n = len(rows)
	}
	for first := 0; first < n; first += block {
		last := min(n, first+block)
		a, b := 0.0, 0.0
		if rows == nil {
			for r := first; r < last; r++ {
				a += math.Abs(g[r])
				b += h[r]
			}
		} else {
			for _, r := range rows[first:last] {
				a += math.Abs(g[r])
				b += h[r]
			}
		}
		size += a
		weight += b
	}
	return size, weight
}

// each calls f for all rows, or for those given.
func each(n int, rows []int32, f func(r int)) {
	if rows == nil {
		for r := range n {
			f(r)
		}
		return
	}
	for _, r := range rows {
		f(int(r))
	}
}

// resize returns a slice of n elements, in the memory of s if that is enough.
func resize[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}

package hist

import (
	"math"
)

// sums is the gradients and hessians of a tree's rows in the form in which they are added up:
// fixed-point numbers, or pairs of float64. Units of fixed-point numbers are so small that the sum
// of all |g| stays below 2^31 of them and that of h below 2^32. So no subset of the rows can
// overflow, and both fit one word. They are powers of two, so that integers and their like are
// exact:
//
//	bit   63 ... 32   31 ... 0
//	      g, signed   h
//
// Their sums are exact, whatever the order, and so is the difference of two.
type sums struct {
	double   bool
	packed   []int64   // by row, as this rank numbers its rows
	pairs    []float64 // g and h by turns
	allWords []int64   // by row of the matrix; of other ranks' rows of any content
	allPairs []float64

	// memory of packed and pairs of rows that were gathered, and what these were before
	drawn, behind           []int64
	drawnPairs, behindPairs []float64

	scale        scale
	unitG, unitH float64 // what a unit is worth; 1 of float64
	least, most  float64 // hessians of single rows, in units
	total        pair
	size         float64 // sum of |g|, of pairs only
}

// scale is how many units of fixed-point numbers make 1. The zero value is none.
type scale struct{ perG, perH float64 }

const (
	limitG = 1 << 31
	limitH = 1 << 32
	// coarse is the size in units below which a gradient is rounded noticeably. Where more than a
	// quarter of the rows have smaller ones, the largest gradients use up the units, and float64
	// are added.
	coarse = 16
)

// block is the number of rows whose sizes are added before they are added to those of other blocks.
// The result must not depend on how many workers there are. Ranks have whole blocks: of a million
// rows the ranks of two then differ by less than 1 %.
const block = 1 << 12

// blocksOf returns the number of blocks of some rows.
func blocksOf(rows int) int { return (rows + block - 1) / block }

// of adds the sums of some rows, in units, to a sum.
func (s *sums) of(sum pair, rows []int32) pair {
	if s.double {
		for _, r := range rows {
			sum = sum.plus(pair{s.pairs[2*r], s.pairs[2*r+1]})
		}
		return sum
	}
	for _, r := range rows {
		sum = sum.plus(pairOf(s.packed[r]))
	}
	return sum
}

// gather makes what is added up that of some rows alone, which count from 0.
func (s *sums) gather(rows []int32, workers team) {
	s.behind, s.behindPairs = s.packed, s.pairs
	if s.double {
		s.drawnPairs = resize(s.drawnPairs, 2*len(rows))
		for i, r := range rows {
			s.drawnPairs[2*i], s.drawnPairs[2*i+1] = s.pairs[2*r], s.pairs[2*r+1]
		}
		s.pairs = s.drawnPairs
		return
	}
	s.drawn = resize(s.drawn, len(rows))
	workers.each(blocksOf(len(rows)), func(i int, _ *worker) {
		lo, hi := i*block, min(len(rows), (i+1)*block)
		for j, r := range rows[lo:hi] {
			s.drawn[lo+j] = s.packed[r]
		}
	})
	s.packed = s.drawn
}

// scatter undoes gather.
func (s *sums) scatter() {
	s.packed, s.pairs, s.behind, s.behindPairs = s.behind, s.behindPairs, nil, nil
}

// finite reports whether all that is added up is finite, and what leaves score by it, which squares
// it: else no split gains anything that can be compared, and training would end without a word.
// Fixed-point numbers always are.
func (s *sums) finite() bool {
	most := float64(s.size * s.size)
	return !s.double || most-most == 0 && s.total.h-s.total.h == 0
}

// powerBelow returns the largest power of two that is no more than x.
func powerBelow(x float64) float64 {
	if math.IsInf(x, 1) {
		return x
	}
	_, exponent := math.Frexp(x)
	return math.Ldexp(0.5, exponent)
}

// floor is the least sum of hessians that is not none at all: differences of float64 leave some
// dust.
func (s *sums) floor() float64 {
	if s.double {
		return max(s.least/2, 1e-12*s.total.h, math.SmallestNonzeroFloat64)
	}
	return 1
}

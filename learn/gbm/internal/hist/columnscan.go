package hist

import (
	"math"

	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/learn/gbm/internal/bins"
)

// columnScan is what finders have in common: the leaf, and the column that they look at.
type columnScan struct {
	*inputs
	counter *rowCounter
	least   float64 // gain of a split while a tree grows
	leaf    *open
	bins    *bins.Column
	counts  []int32 // memory
}

// count counts the rows of the leaf in each bin of a column.
func (s *columnScan) count(column int) []int32 {
	s.counts = s.counter.count(s.counts, column, s.leaf)
	return s.counts
}

// scanOrdered tries the split points of a numeric column, given the sums of hessians by bin: those
// below floor are none. whole is that of the leaf.
func (s *columnScan) scanOrdered(
	side side, column int, hessians []float64, floor, whole float64,
) {
	values := s.bins.Values
	points := allPoints(values, hessians[values] >= floor)
	if s.c.ExtraRandom {
		points.randomPoint(hessians, floor,
			rng.New(s.seed, forSplitPoint, s.leaf.key, uint64(column)))
	}
	points.search(side, whole)
}

// judge turns the gain of a split that was found into the caller's units: scale is what a unit of
// gains is worth, base the score of the leaf. The split is none if it gains too little.
func (s *columnScan) judge(best *split, base, scale float64) {
	if best.column < 0 {
		return
	}
	dust := math.Abs(base) * 1e-12 // of rounding, where scores are subtracted
	if !(best.gain > dust) {
		*best = none()
		return
	}
	best.gain *= scale
	s.c.weigh(best)
	if !(best.gain > 0) || best.gain < s.least {
		*best = none()
	}
}

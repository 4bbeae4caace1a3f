package hist

import (
	"math"
	"slices"
)

// lightGBM is the way of LightGBM, where it differs from the rest of the package:
//
//   - The rows of a bin are estimated from its fraction of the leaf's hessians, and rounded.
//     MinLeaf and MinGroup apply to the estimates.
//   - Zero has a bin of its own, the first one of columns without negative numbers, whether or not
//     a row has it. What is estimated of that bin is what the others leave of all rows.
//   - Split points are tried from the right, with missing values on the left; then from the left,
//     with missing values on the right, which must be better. Rows of the side that is not added up
//     are what the other leaves of all rows of the leaf.
//   - Of many categories only those of at least CatSmooth rows, as estimated, take part, and at
//     most half of these make a set. MinCategory has no meaning.
//   - Leaves below a split of many categories against many have CatL2 as a penalty too.
//   - A column by which no split of a leaf gains enough is not looked at any more below it.
//   - What a leaf scores before it is split ignores the limits of monotone columns.
type lightGBM struct{ own }

func (l lightGBM) scan(s *scanner, _ *split) {
	s.side.best = none()
	if !(s.score.sum.h > 0) {
		return
	}
	s.load()
	s.counts = resize(s.counts, s.bins.Bins())
	factor := float64(s.score.rows) / s.score.sum.h
	for b := range s.counts {
		s.counts[b] = int32(float64(s.side.h[b]*factor) + 0.5)
	}
	s.side.counts = s.counts
	if s.bins.Nominal() {
		s.scanSums()
		return
	}
	l.tryPoints(s)
	s.finish()
}

// tryPoints tries the split points of a numeric column in LightGBM's order.
func (l lightGBM) tryPoints(s *scanner) {
	side, values, all := &s.side, s.bins.Values, s.score.rows
	right, rows := pair{}, int32(0)
	for b := values - 1; b > 0; b-- {
		right = right.plus(pair{side.g[b], side.h[b]})
		rows += side.counts[b]
		side.tryWith(b-1, s.score.sum.minus(right), all-rows, s.bins.Missing)
	}
	if !s.bins.Missing {
		if best := &side.best; best.column >= 0 {
			best.missing = best.first.h > s.score.sum.h-best.first.h
		}
		return
	}
	least := math.Inf(-1)
	if s.c.Least != nil {
		least = s.c.Least[side.column]
	}
	// missing values on the left, with the empty bin of zeros; here they are on the right
	if least > 0 && side.sign == 0 {
		side.tryWith(values-1, right.plus(pair{side.g[0], side.h[0]}), rows+side.counts[0], false)
	}
	side.clear()
	if least >= 0 {
		side.rows = all
		for _, estimate := range side.counts {
			side.rows -= estimate
		}
	}
	for b := range values {
		side.add(b)
		side.try(b, false)
	}
}

// order is own.order of categories of enough rows.
func (lightGBM) order(s *scanner) ([]int32, int) {
	c := &s.c
	present := slices.DeleteFunc(s.heavy(s.sums[0].floor()), func(b int32) bool {
		return float64(s.side.counts[b]) < c.CatSmooth
	})
	most := (len(present) + 1) / 2
	if c.MaxCategories > 0 {
		most = min(most, c.MaxCategories)
	}
	s.sortByRatio(present, most, c.CatSmooth/s.sums[0].unitH)
	return present, most
}

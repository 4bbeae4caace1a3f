package hist

import (
	"math"
	"slices"

	"github.com/coppice-ml/coppice/internal/bins"
)

// LightGBM's ways, where they are not those of the rest of the package:
//
//   - Rows of a bin are estimated by its share of the leaf's hessians, and rounded. MinRows and
//     MinGroup count those.
//   - Zero has a bin of its own, the first one of columns without negative numbers, whether or not
//     a row has it. What is estimated of that bin is what the others leave of all rows.
//   - Cuts are tried from the right, missing values being on the left; then from the left, missing
//     values being on the right, which must be better. Rows of the side that is not added up are
//     what the other leaves of all rows of the leaf.
//   - Of many categories only those of at least CatSmooth rows, as estimated, take part, and at
//     most half of these make a set. MinCategory means nothing.
//   - Leaves below a split of many categories against many have CatL2 as a penalty too.
//   - A column by which no split of a leaf gains enough is not looked at any more below it.
//   - What a leaf was worth before it is split is known without the limits of monotone columns.

// scanEstimated is scan with rows estimated.
func (s *scanner) scanEstimated(column int, c *bins.Column) split {
	if !(s.l.sum.h > 0) {
		return none()
	}
	bins := c.Bins()
	if len(s.g) < bins {
		s.g, s.h = make([]float64, bins), make([]float64, bins)
	}
	if len(s.n) < bins {
		s.n = make([]int32, bins)
	}
	n := s.n[:bins]
	s.l.hist.column(c, s.r.lay.at[c.Group], s.l.sum, s.g[:bins], s.h[:bins])
	factor := float64(s.l.len()) / s.l.sum.h
	for b := range n {
		n[b] = int32(float64(s.h[b]*factor) + 0.5)
	}
	if c.Nominal() {
		return s.scanNominal(column, c, n)
	}
	return s.scanFromBothEnds(column, c, n)
}

// scanFromBothEnds is scanOrdered in LightGBM's order.
func (s *scanner) scanFromBothEnds(column int, c *bins.Column, n []int32) split {
	best := none()
	t := trial{s: s, column: column, best: &best, sign: s.r.sign(column)}
	all := int32(s.l.len())
	least := math.Inf(-1)
	if s.r.c.Least != nil {
		least = s.r.c.Least[column]
	}
	right, rows := pair{}, int32(0)
	for b := c.Values - 1; b > 0; b-- {
		right = right.plus(pair{s.g[b], s.h[b]})
		rows += n[b]
		t.try(b-1, s.l.sum.minus(right), all-rows, c.Missing, true)
	}
	if c.Missing {
		// missing values on the left, with the empty bin of zeros; here they are on the right
		if least > 0 && t.sign == 0 {
			t.try(c.Values-1, right.plus(pair{s.g[0], s.h[0]}), rows+n[0], false, true)
		}
		left, rows := pair{}, int32(0)
		if least >= 0 {
			rows = all
			for _, estimate := range n {
				rows -= estimate
			}
		}
		for b := range c.Values {
			left = left.plus(pair{s.g[b], s.h[b]})
			rows += n[b]
			t.try(b, left, rows, false, true)
		}
	} else if best.column >= 0 {
		best.missing = best.first.h > s.l.sum.h-best.first.h
	}
	s.finish(&best)
	return best
}

// byEstimate is byRatio of categories of enough rows.
func (s *scanner) byEstimate(present, n []int32) ([]int32, int) {
	c := &s.r.c
	present = slices.DeleteFunc(present, func(b int32) bool { return float64(n[b]) < c.CatSmooth })
	smooth := c.CatSmooth / s.r.sums.unitH
	most := (len(present) + 1) / 2
	if c.MaxCategories > 0 {
		most = min(most, c.MaxCategories)
	}
	s.sortBy(present, most, func(b int32) float64 { return s.g[b] / (s.h[b] + smooth) })
	return present, most
}

// penalty returns what is added to L2 of the leaves below a split.
func (r *Grower) penalty(s *split) float64 {
	if r.c.Conventions != LightGBM || s.set == nil || r.m.Columns[s.column].Values <= r.c.OneHot {
		return 0
	}
	return r.c.CatL2
}

// able notes that a column splits a leaf, if a split was found.
func (r *Grower) able(l *open, found *split, column int32) {
	if r.c.Conventions == LightGBM && found.column >= 0 {
		l.able = append(l.able, column)
	}
}

// inherited returns those of the columns that could split the leaf above.
func (r *Grower) inherited(l *open, columns []int32) []int32 {
	if r.c.Conventions != LightGBM || l.depth == 0 {
		return columns
	}
	var kept []int32
	for _, c := range columns {
		if _, ok := slices.BinarySearch(l.among, c); ok {
			kept = append(kept, c)
		}
	}
	return kept
}

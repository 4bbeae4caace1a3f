package hist

import (
	"math"
	"slices"
)

// setScratch is memory for the search among sets of categories.
type setScratch struct {
	order  []int32
	ranked []ranked
}

// scanNominal tries sets of categories of a column: one against the rest where there are few, else
// prefixes of the order of gradient over hessian, from both ends (Fisher 1958; Ke et al. 2017).
// Missing values are no category: they stay with the rest, on the side of the last child.
func (s *scanner) scanNominal() {
	c := &s.c
	switch {
	case c.Order != nil:
		if len(s.all()) > 0 {
			order := c.Order[s.side.column]
			s.prefixes(order, len(order))
		}
	case s.bins.Values <= c.OneHot:
		categories, bothSides := s.program.alone(s)
		oneAgainstRest(&s.side, categories, s.bins.Values, bothSides)
	default:
		order, most := s.program.order(s)
		terms := s.score.terms
		s.score.terms.l2 += c.CatL2 / s.sums[0].unitH
		s.prefixes(order, most)
		s.score.terms = terms
	}
}

// heavy returns the categories of the column whose sums of hessians are no less than some, and
// loads their sums. Most categories are in few leaves: others are not loaded.
func (s *scanner) heavy(least float64) []int32 {
	s.sets.order = resize(s.sets.order, s.bins.Values)
	list, k := s.sets.order, 0
	if s.packed == nil {
		for b, h := range s.side.h[:len(list)] {
			list[k] = int32(b)
			if h >= least {
				k++
			}
		}
		return list[:k]
	}
	from := uint64(math.Ceil(min(least, 1<<32)))
	for b, w := range s.packed[:len(list)] {
		list[k] = int32(b)
		if uint64(uint32(w)) >= from {
			k++
		}
	}
	for _, b := range list[:k] {
		s.side.g[b], s.side.h[b] = float64(s.packed[b]>>32), float64(uint32(s.packed[b]))
	}
	return list[:k]
}

// all returns all categories of the column, whose sums it loads; none if no row has any of them.
func (s *scanner) all() []int32 {
	if len(s.heavy(s.sums[0].floor())) == 0 {
		return nil
	}
	s.read()
	all := s.sets.order[:0]
	for b := range s.bins.Values {
		all = append(all, int32(b))
	}
	s.sets.order = all
	return all
}

func (own) alone(s *scanner) ([]int32, bool) { return s.heavy(s.sums[0].floor()), false }

// order orders categories by gradient over hessian.
func (own) order(s *scanner) ([]int32, int) {
	c, u := &s.c, &s.sums[0]
	smooth := c.CatSmooth / u.unitH
	present := s.heavy(max(c.MinCategory/u.unitH, u.floor()))
	most := len(present)
	if c.MaxCategories > 0 {
		most = min(most, c.MaxCategories)
	}
	s.sortByRatio(present, most, smooth)
	return present, most
}

// sortByRatio is sortBy of gradient over hessian, to which smooth is added.
func (s *scanner) sortByRatio(present []int32, most int, smooth float64) {
	g, h := s.side.g, s.side.h
	s.sortBy(present, most, func(b int32) float64 { return g[b] / (h[b] + smooth) })
}

// sortBy puts the first and the last of some categories, so many of each, in the order of a number.
// Those of the same number are in the order of their bins.
func (s *scanner) sortBy(present []int32, most int, of func(b int32) float64) {
	ranks := s.sets.ranked[:0]
	for _, b := range present {
		ranks = append(ranks, rank(of(b), b))
	}
	s.sets.ranked = ranks
	sortEnds(ranks, most)
	for i, r := range ranks {
		present[i] = r.bin
	}
}

// prefixes tries the first and the last categories of an order, up to so many, as the set.
func (s *scanner) prefixes(order []int32, most int) {
	if s.side.counts == nil && s.score.plain {
		s.plainPrefixes(order, most)
		return
	}
	prefixes(&s.side, order, most)
}

// plainPrefixes is prefixes where rows are not counted and scores are plain.
func (s *scanner) plainPrefixes(order []int32, most int) {
	best, g, h := &s.side.best, s.side.g, s.side.h
	lowest, l2, all, base := max(s.score.lowest, s.score.enough), s.score.terms.l2,
		s.score.sum, s.score.base
	gain, from, to := best.gain, 0, 0
	for _, down := range []bool{false, true} {
		at, step := 0, 1
		if down {
			at, step = len(order)-1, -1
		}
		sum := pair{}
		for i := range most {
			b := order[at]
			at += step
			sum = sum.plus(pair{g[b], h[b]})
			rest := all.minus(sum)
			if min(sum.h, rest.h) < lowest {
				continue
			}
			if found := float64(sum.g*sum.g)/(sum.h+l2) +
				float64(rest.g*rest.g)/(rest.h+l2) - base; found > gain {
				gain = found
				*best = split{column: s.side.column, bin: int(b), gain: gain, first: sum}
				if from, to = 0, i+1; down {
					from, to = len(order)-i-1, len(order)
				}
			}
		}
	}
	if to > 0 {
		best.set = slices.Clone(order[from:to])
	}
}

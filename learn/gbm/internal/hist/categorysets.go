package hist

import "slices"

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
	present := s.heavy(s.sums[0].floor())
	switch {
	case len(present) == 0:
	case c.Order != nil:
		order := c.Order[s.side.column]
		s.prefixes(order, len(order))
	case s.bins.Values <= c.OneHot:
		categories, bothSides := s.program.alone(s, present)
		oneAgainstRest(&s.side, categories, s.bins.Values, bothSides)
	default:
		order, most := s.program.order(s, present)
		terms := s.score.terms
		s.score.terms.l2 += c.CatL2 / s.sums[0].unitH
		s.prefixes(order, most)
		s.score.terms = terms
	}
}

// heavy returns the categories of the column whose sums of hessians are no less than some.
func (s *scanner) heavy(least float64) []int32 {
	s.sets.order = resize(s.sets.order, s.bins.Values)
	list, k := s.sets.order, 0
	for b, h := range s.side.h[:len(list)] {
		list[k] = int32(b)
		if h >= least {
			k++
		}
	}
	return list[:k]
}

// all returns all categories of the column.
func (s *scanner) all() []int32 {
	all := s.sets.order[:0]
	for b := range s.bins.Values {
		all = append(all, int32(b))
	}
	s.sets.order = all
	return all
}

func (own) alone(_ *scanner, present []int32) ([]int32, bool) { return present, false }

// order orders categories by gradient over hessian.
func (own) order(s *scanner, present []int32) ([]int32, int) {
	c, u := &s.c, &s.sums[0]
	smooth := c.CatSmooth / u.unitH
	if few := c.MinCategory / u.unitH; few > 0 {
		present = s.heavy(max(few, u.floor()))
	}
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

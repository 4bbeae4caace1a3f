package hist

import (
	"slices"

	"github.com/coppice-ml/coppice/internal/bins"
)

// nominal is memory for the search among sets of categories.
type nominal struct {
	order  []int32
	ranked []ranked
}

// scanNominal tries sets of categories of a column: one against the rest where there are few, else
// prefixes of the order of gradient over hessian, from both ends (Fisher 1958; Ke et al. 2017).
// Missing values are no category: they stay with the rest, on the side of the last child.
func (s *scanner) scanNominal(column int, c *bins.Column, n []int32) split {
	best := none()
	present := s.heavy(c.Values, s.r.sums.floor())
	switch {
	case len(present) == 0:
	case s.r.c.Order != nil:
		order := s.r.c.Order[column]
		s.prefixes(column, order, len(order), n, &best)
	case c.Values <= s.r.c.OneHot:
		s.oneAgainstRest(column, present, n, &best)
	default:
		s.manyAgainstMany(column, present, n, &best)
	}
	s.finish(&best)
	return best
}

// heavy returns the categories, of so many, whose sum of hessians is no less than some.
func (s *scanner) heavy(categories int, least float64) []int32 {
	s.sort.order = resize(s.sort.order, categories)
	list, k := s.sort.order, 0
	for b, h := range s.h[:len(list)] {
		list[k] = int32(b)
		if h >= least {
			k++
		}
	}
	return list[:k]
}

func (s *scanner) oneAgainstRest(column int, present []int32, n []int32, best *split) {
	t := trial{s: s, column: column, best: best}
	sides := 1
	if s.r.c.Conventions == XGBoost || s.r.c.Conventions == XGBoostExact {
		sides = 2 // missing values may go with the one too, even if no row has that
		present = s.all(column)
	}
	values := s.r.m.Columns[column].Values // the bin of missing ones
	for i, b := range present {
		for k := range sides {
			missing := k == 1
			before := best.gain
			sum, rows := pair{s.g[b], s.h[b]}, int32(0)
			if n != nil {
				rows = n[b]
			}
			if missing {
				sum = sum.plus(pair{s.g[values], s.h[values]})
				if n != nil {
					rows += n[values]
				}
			}
			t.try(int(b), sum, rows, missing, n != nil)
			if best.gain > before {
				best.set = present[i : i+1]
			}
		}
	}
	best.set = slices.Clone(best.set)
}

// manyAgainstMany orders the categories, as far as they may be in a set, and tries the first and
// the last of them as the set.
func (s *scanner) manyAgainstMany(column int, present []int32, n []int32, best *split) {
	var most int
	switch s.r.c.Conventions {
	case XGBoost, XGBoostExact:
		present, most = s.byWeight(column)
	case LightGBM:
		present, most = s.byEstimate(present, n)
	default:
		present, most = s.byRatio(present, s.r.m.Columns[column].Values)
	}
	terms := s.terms
	s.terms.l2 += s.r.c.CatL2 / s.r.sums.unitH
	s.prefixes(column, present, most, n, best)
	s.terms = terms
}

// prefixes tries the first and the last categories of an order, up to so many, as the set.
func (s *scanner) prefixes(column int, present []int32, most int, n []int32, best *split) {
	if n == nil && s.terms.plain() && s.r.c.Monotone == nil {
		s.plainPrefixes(column, present, most, best)
		return
	}
	t := trial{s: s, column: column, best: best}
	for _, down := range []bool{false, true} {
		sum, rows, before := pair{}, int32(0), int32(0)
		for i := range most {
			b := present[i]
			if down {
				b = present[len(present)-1-i]
			}
			sum = sum.plus(pair{s.g[b], s.h[b]})
			if n != nil {
				rows += n[b]
				if sum.h < s.lowest || !s.r.c.tryGroup(rows, &before, s.l.len()) {
					continue
				}
			}
			gain := best.gain
			t.try(int(b), sum, rows, false, n != nil)
			if best.gain > gain {
				best.set = present[:i+1]
				if down {
					best.set = present[len(present)-1-i:]
				}
			}
		}
	}
	best.set = slices.Clone(best.set)
}

// plainPrefixes is prefixes where rows are not counted and scores are plain; see terms.
func (s *scanner) plainPrefixes(column int, present []int32, most int, best *split) {
	lowest, l2, all := max(s.lowest, s.enough()), s.terms.l2, s.l.sum
	gain, from, to := best.gain, 0, 0
	for _, down := range []bool{false, true} {
		at, step := 0, 1
		if down {
			at, step = len(present)-1, -1
		}
		sum := pair{}
		for i := range most {
			b := present[at]
			at += step
			sum = sum.plus(pair{s.g[b], s.h[b]})
			rest := all.minus(sum)
			if min(sum.h, rest.h) < lowest {
				continue
			}
			if found := float64(sum.g*sum.g)/(sum.h+l2) + float64(rest.g*rest.g)/(rest.h+l2) - s.base; found > gain {
				gain = found
				*best = split{column: column, bin: int(b), gain: gain, first: sum}
				if from, to = 0, i+1; down {
					from, to = len(present)-i-1, len(present)
				}
			}
		}
	}
	if to > 0 {
		best.set = slices.Clone(present[from:to])
	}
}

// tryGroup reports whether a set of so many rows is to be tried, before being those of the last one
// that was.
func (c *Config) tryGroup(rows int32, before *int32, all int) bool {
	least := int32(c.MinGroup)
	if least <= 1 {
		return true
	}
	if rows < int32(c.MinLeaf) || int32(all)-rows < least || rows-*before < least {
		return false
	}
	*before = rows
	return true
}

// byRatio orders categories by gradient over hessian, and returns how many of them may be on the
// lesser side.
func (s *scanner) byRatio(present []int32, categories int) ([]int32, int) {
	c, unitH := &s.r.c, s.r.sums.unitH
	smooth := c.CatSmooth / unitH
	if few := c.MinCategory / unitH; few > 0 {
		present = s.heavy(categories, max(few, s.r.sums.floor()))
	}
	most := len(present)
	if c.MaxCategories > 0 {
		most = min(most, c.MaxCategories)
	}
	s.sortBy(present, most, func(b int32) float64 { return s.g[b] / (s.h[b] + smooth) })
	return present, most
}

// sortBy puts the first and the last of some categories, so many of each, in the order of a number,
// those of the same number as they are numbered.
func (s *scanner) sortBy(present []int32, most int, of func(b int32) float64) {
	ranks := s.sort.ranked[:0]
	for _, b := range present {
		ranks = append(ranks, rank(of(b), b))
	}
	s.sort.ranked = ranks
	sortEnds(ranks, most)
	for i, r := range ranks {
		present[i] = r.bin
	}
}

package hist

import (
	"cmp"
	"slices"

	"github.com/coppice-ml/coppice/grow/bins"
)

// nominal is memory for the search among sets of categories.
type nominal struct {
	order []int32
	ratio []float64
}

// scanNominal tries sets of categories of a column: one against the rest where there are few, else prefixes of the order of
// gradient over hessian, from both ends (Fisher 1958; Ke et al. 2017). Missing values are no category: they stay with the
// rest, on the side of the last child.
func (s *scanner) scanNominal(column int, c *bins.Column, n []int32) split {
	best := none()
	present := s.sort.order[:0]
	floor := s.r.sums.floor()
	for b := range c.Values {
		if s.h[b] >= floor {
			present = append(present, int32(b))
		}
	}
	s.sort.order = present
	switch {
	case len(present) == 0:
	case c.Values <= s.r.c.OneHot:
		s.oneAgainstRest(column, present, n, &best)
	default:
		s.manyAgainstMany(column, present, n, &best)
	}
	s.finish(&best)
	return best
}

func (s *scanner) oneAgainstRest(column int, present []int32, n []int32, best *split) {
	t := trial{s: s, column: column, best: best}
	for i, b := range present {
		before := best.gain
		rows := int32(0)
		if n != nil {
			rows = n[b]
		}
		t.try(int(b), pair{s.g[b], s.h[b]}, rows, false, n != nil)
		if best.gain > before {
			best.set = present[i : i+1]
		}
	}
	best.set = slices.Clone(best.set)
}

// manyAgainstMany orders the categories and tries the first and the last of them, up to MaxCategories, as the set.
func (s *scanner) manyAgainstMany(column int, present []int32, n []int32, best *split) {
	c := &s.r.c
	unitH := s.r.sums.unitH
	smooth := c.CatSmooth / unitH
	if few := c.MinCategory / unitH; few > 0 {
		present = slices.DeleteFunc(present, func(b int32) bool { return s.h[b] < few })
	}
	if len(s.sort.ratio) < len(s.h) {
		s.sort.ratio = make([]float64, len(s.h))
	}
	ratio := s.sort.ratio
	for _, b := range present {
		ratio[b] = s.g[b] / (s.h[b] + smooth)
	}
	slices.SortFunc(present, func(a, b int32) int {
		if d := cmp.Compare(ratio[a], ratio[b]); d != 0 {
			return d
		}
		return cmp.Compare(a, b)
	})
	many := len(present)
	if c.MaxCategories > 0 {
		many = min(many, c.MaxCategories)
	}
	terms := s.terms
	s.terms.l2 += c.CatL2 / unitH
	base := s.base
	t := trial{s: s, column: column, best: best}
	for _, down := range []bool{false, true} {
		sum, rows := pair{}, int32(0)
		for i := range many {
			b := present[i]
			if down {
				b = present[len(present)-1-i]
			}
			sum = sum.plus(pair{s.g[b], s.h[b]})
			if n != nil {
				rows += n[b]
			}
			before := best.gain
			t.try(int(b), sum, rows, false, n != nil)
			if best.gain > before {
				best.set = present[:i+1]
				if down {
					best.set = present[len(present)-1-i:]
				}
			}
		}
	}
	s.terms, s.base = terms, base
	best.set = slices.Clone(best.set)
}

package hist

import (
	"math"
	"sort"
)

// xgboostExact is the way of XGBoost's exact method, where it differs from its hist method:
//
//   - A threshold is the middle, in float32, of the two values beside it that rows of the leaf
//     have. Bins hold distinct values; those that no row of the leaf has are passed over.
//   - Split points of a column with missing values are tried from the left first, with missing
//     values on the right; then from the right, with missing values on the left, which must be
//     better. Other columns are tried from the right. Of equal gains the first one found is taken.
//   - A value on the right side is no less than the threshold.
//   - A split gains more than 1e-6.
type xgboostExact struct{ xgboost }

func (x xgboostExact) scan(s *scanner, sofar *split) {
	if s.bins.Nominal() {
		x.xgboost.scan(s, sofar)
		return
	}
	s.load()
	if s.c.MinLeaf > 1 {
		s.side.counts = s.count(s.side.column)
	}
	s.side.best = none()
	x.tryPoints(s)
	if s.side.best.column >= 0 {
		x.place(s, &s.side.best)
	}
	s.finish()
}

// tryPoints tries the split points of a numeric column in the order of the exact method.
func (xgboostExact) tryPoints(s *scanner) {
	if s.bins.Missing {
		s.side.clear()
		for b := range s.bins.Values {
			s.side.add(b)
			s.side.try(b, false)
		}
	}
	right, rows := pair{}, s.score.rows
	for b := s.bins.Values - 1; b > 0; b-- {
		right = right.plus(pair{s.side.g[b], s.side.h[b]})
		if s.side.counts != nil {
			rows -= s.side.counts[b]
		}
		s.side.tryWith(b-1, s.score.sum.minus(right), rows, true)
	}
}

// place gives a split the threshold between the values that rows of the leaf have, and the last bin
// below it. Known values against missing ones have a threshold above them all, as far away as the
// last one is from 0.
func (xgboostExact) place(s *scanner, best *split) {
	values, floor := s.c.Values[best.column], s.sums[0].floor()
	a, b := best.bin, best.bin+1
	for a > 0 && s.side.h[a] < floor {
		a--
	}
	for b < s.bins.Values && s.side.h[b] < floor {
		b++
	}
	if b == s.bins.Values {
		last := float32(values[a])
		best.splitPoint = float64(last + float32(math.Abs(float64(last))+leastExact))
	} else {
		best.splitPoint = middle(values[a], values[b])
	}
	best.bin = sort.SearchFloat64s(values, best.splitPoint) - 1
	if at := best.bin + 1; at < len(values) && values[at] == best.splitPoint {
		// a value there goes right
		best.splitPoint = math.Nextafter(best.splitPoint, values[best.bin])
	}
}

// middle returns the middle of a and b, a < b, in float32; b where that does not separate them.
func middle(a, b float64) float64 {
	if m := float64(float32(float32(a)+float32(b)) * 0.5); a < m && m <= b {
		return m
	}
	return b
}

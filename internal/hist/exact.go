package hist

import (
	"math"
	"sort"

	"github.com/coppice-ml/coppice/internal/bins"
)

// What XGBoost's exact method does otherwise than its hist:
//
//   - A threshold is the middle, in float32, of the two values beside it that rows of the leaf
//     have. Bins hold distinct values; those that no row of the leaf has are passed over.
//   - Of a column with missing values split points are tried from the left first, missing values
//     being on the right; then from the right, missing values being on the left, which must be
//     better. Other columns are tried from the right. Of equal gains the first one found is taken.
//   - A value on the right side is no less than the threshold.
//   - A split gains more than 1e-6.

// leastExact is the gain that XGBoost asks of a split of its exact method (kRtEps).
const leastExact = 1e-6

// scanExact is scanOrdered in the order of XGBoost's exact method.
func (s *scanner) scanExact(column int, c *bins.Column) split {
	n := c.Bins()
	if len(s.g) < n {
		s.g, s.h = make([]float64, n), make([]float64, n)
	}
	s.l.hist.column(c, s.r.lay.at[c.Group], s.l.sum, s.g[:n], s.h[:n])
	counted := s.r.c.MinLeaf > 1
	var rows []int32
	if counted {
		s.count(c)
		rows = s.n[:n]
	}
	best := none()
	t := trial{s: s, column: column, best: &best, sign: s.r.sign(column)}
	if c.Missing {
		left, in := pair{}, int32(0)
		for b := range c.Values {
			left = left.plus(pair{s.g[b], s.h[b]})
			if counted {
				in += rows[b]
			}
			t.try(b, left, in, false, counted)
		}
	}
	right, in := pair{}, int32(s.l.len())
	for b := c.Values - 1; b > 0; b-- {
		right = right.plus(pair{s.g[b], s.h[b]})
		if counted {
			in -= rows[b]
		}
		t.try(b-1, s.l.sum.minus(right), in, true, counted)
	}
	s.place(column, c, &best)
	s.finish(&best)
	return best
}

// place gives a split the threshold between the values that rows of the leaf have, and the last bin
// below it. Known values against missing ones have a threshold above them all, as far away as the
// last one is from 0.
func (s *scanner) place(column int, c *bins.Column, best *split) {
	if best.column < 0 {
		return
	}
	values, floor := s.r.c.Values[column], s.r.sums.floor()
	a, b := best.bin, best.bin+1
	for a > 0 && s.h[a] < floor {
		a--
	}
	for b < c.Values && s.h[b] < floor {
		b++
	}
	if b == c.Values {
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

// middle returns the middle of a and b, a < b, in float32; b where that does not part them.
func middle(a, b float64) float64 {
	if m := float64(float32(float32(a)+float32(b)) * 0.5); a < m && m <= b {
		return m
	}
	return b
}

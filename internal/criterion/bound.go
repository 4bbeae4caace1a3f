package criterion

import "math"

// Bounder is a criterion that bounds the gain of the split points within a bin of a column by sums
// over its rows. A scan of many rows skips the split points of bins that cannot hold the best one.
//
// A bin's sums are, of Classes, the weight of each class. Of Moments they are the weight and the
// weighted sum of the values, about the origin, of the rows above it, and the same of those below.
type Bounder interface {
	// Bound returns what the gain of a split is at most whose first side has the statistics first
	// and those of some rows of the bin. total is the statistics of all rows.
	Bound(first, bin, total []float64) float64
}

// Bound uses that the gain is convex. W is the weight of all rows, and T that of the rows of a
// class. Of the n that go first, l have this class. The gain is the sum over the classes of
//
//	l^2 / n + (T - l)^2 / (W - n) - T^2 / W
//
// each of which is convex in l and n. Over the rows of a bin it is largest with all or none of the
// class's, and with all or none of the others. Of two classes both terms are the same.
func (g gini) Bound(first, bin, total []float64) float64 {
	n, more, all := 0.0, 0.0, 0.0
	for k, w := range first {
		n += w
		more += bin[k]
		all += total[k]
	}
	if len(first) == 2 {
		return 2 * boundClass(first[1], n, bin[1], bin[0], total[1], all)
	}
	bound := 0.0
	for k, l := range first {
		if own := bin[k]; own > 0 || l > 0 {
			bound += boundClass(l, n, own, more-own, total[k], all)
		} else {
			bound += max(termOf(0, n, total[k], all), termOf(0, n+more, total[k], all))
		}
	}
	return bound
}

// boundClass is the term of a class of which l of the n that go first are, and own of the rows that
// may; others are not.
func boundClass(l, n, own, others, total, all float64) float64 {
	return max(termOf(l, n, total, all), termOf(l+own, n+own, total, all),
		termOf(l, n+others, total, all), termOf(l+own, n+own+others, total, all))
}

// termOf is the term in a form with one division: (l W - n T)^2 / (W n (W - n)); 0 where one side
// has nothing.
func termOf(l, n, total, all float64) float64 {
	d, den := float64(l*all)-float64(n*total), float64(n*(all-n))
	if den <= 0 {
		return 0
	}
	return float64(d*d) / float64(den*all)
}

// Bound: the gain g^2 / h, of both sides, less that of all rows is convex in h and g. Of some rows
// of a bin h grows by no more than their weight, and g by no more than the sum of those above, or
// below, the origin.
func (squaredError) Bound(first, bin, total []float64) float64 {
	h, g, bound := first[0], first[1], 0.0
	for _, more := range [2]float64{0, bin[0] + bin[2]} {
		for _, sum := range [2]float64{g + bin[1], g + bin[3]} {
			h := h + more
			if h <= 0 && sum != 0 || total[0]-h <= 0 && total[1] != sum {
				return math.Inf(1)
			}
			bound = max(bound, quadratic(sum, h)+quadratic(total[1]-sum,
				total[0]-h)-quadratic(total[1], total[0]))
		}
	}
	return bound
}

// quadratic is x^2 / n, 0 of nothing.
func quadratic(x, n float64) float64 {
	if n <= 0 {
		return 0
	}
	return float64(x*x) / n
}

package bins

import (
	"cmp"
	"math"
	"slices"
)

// mass is the distinct values of a column, as keys in ascending order, and how much of each there
// is.
type mass struct {
	key    []uint64
	weight []float64 // sum of the weights of the rows that have the value, above 0
	rows   []float64 // how many rows have it
	shared bool      // rows is weight: there are no weights
}

// splitPoints returns the split points between at most most bins of about the same weight, of at
// least least rows each:
//
//   - If there are at most as many values as bins, every value has a bin of its own.
//   - Else a value that weighs more than the mean of what other values leave has a bin of its own.
//     The others are divided so that the bins between two such values weigh about the same (the
//     idea of LightGBM's greedy binning, Ke et al. 2017).
//   - Bins of too few rows are joined with the next one, the last with the one before.
//
// A split point is the midpoint of the values beside it, as between.
func (d *mass) splitPoints(most, least int) []float64 {
	ends := joinSmall(d.ends(most), d.rows, least)
	splitPoints := make([]float64, 0, max(len(ends)-1, 0))
	for _, e := range ends[:max(len(ends)-1, 0)] {
		splitPoints = appendBetween(splitPoints, d.key[e], d.key[e+1])
	}
	return splitPoints
}

// appendBetween appends the split point between the values of two keys, if it is finite.
func appendBetween(splitPoints []float64, key, next uint64) []float64 {
	a, b := keyValue(key), keyValue(next)
	if math.IsInf(a, -1) && b == -math.MaxFloat64 {
		return splitPoints
	}
	return append(splitPoints, between(a, b))
}

// between returns the split point that separates a from b, a < b: the midpoint, unless rounding,
// infinities or overflow put it outside a <= result < b, then a. It is finite: above -Inf it is the
// least finite number, which b must exceed.
func between(a, b float64) float64 {
	if math.IsInf(a, -1) {
		return -math.MaxFloat64
	}
	if m := float64(a/2) + float64(b/2); a <= m && m < b {
		return m + 0 // not -0
	}
	return a
}

// ends returns the last value of every bin, by its place in d.
//
//	weight   1 1 9 1 1 1 1 1      at most 4 bins: the third value weighs more than 16/4; what is left of it is 7 for 3 bins,
//	ends       1 2     5   7      one of them before it
func (d *mass) ends(most int) []int32 {
	n := len(d.key)
	ends := make([]int32, 0, min(n, most))
	if n <= most {
		for i := range d.key {
			ends = append(ends, int32(i))
		}
		return ends
	}
	heavy := heavy(d.weight, most)
	if len(heavy)+segments(heavy, n) > most {
		// each takes a bin and ends a segment: all fit
		heavy = heaviest(heavy, d.weight, (most-1)/2)
	}
	rest, left, later := 0.0, most-len(heavy), segments(heavy, n)
	for i, k := 0, 0; i < n; i++ {
		if k < len(heavy) && int(heavy[k]) == i {
			k++
			continue
		}
		rest += d.weight[i]
	}
	from := 0
	for k := 0; k <= len(heavy); k++ {
		to := n
		if k < len(heavy) {
			to = int(heavy[k])
		}
		if from < to {
			later--
		}
		for from < to {
			next, w := to, 0.0
			if left-1 > later { // else this bin is the segment's last one
				next, w = d.fill(from, to, rest/float64(left))
			}
			ends = append(ends, int32(next-1))
			rest -= w
			left--
			from = next
		}
		if k < len(heavy) {
			ends = append(ends, heavy[k])
			from = to + 1
		}
	}
	return ends
}

// fill returns the end of the bin that starts with a value and comes nearest to the given weight,
// and its weight.
func (d *mass) fill(from, to int, want float64) (end int, weight float64) {
	weight = d.weight[from]
	for end = from + 1; end < to; end++ {
		w := d.weight[end]
		if weight+w-want > want-weight {
			break
		}
		weight += w
	}
	return end, weight
}

// heavy returns the values that weigh no less than the mean weight of the bins that all others
// would have together.
func heavy(weight []float64, most int) []int32 {
	total, top := 0.0, 0.0
	for _, w := range weight {
		total += w
		if w > top { // max would look at signs of zeros too
			top = w
		}
	}
	if top < total/float64(most) {
		return nil
	}
	var found []int32
	// Every round finds all values of the one before, and more: what is left weighs less for each
	// of the bins left.
	for range 8 {
		rest := total
		for _, i := range found {
			rest -= weight[i]
		}
		left := most - len(found)
		if left < 1 || rest <= 0 {
			break
		}
		limit, n := rest/float64(left), len(found)
		var more []int32
		for i, w := range weight {
			if w >= limit {
				more = append(more, int32(i))
			}
		}
		if len(more) <= n || len(more) > most {
			break
		}
		found = more
	}
	return found
}

// heaviest returns the n heaviest of some values, in the values' order; of equal ones the first.
func heaviest(values []int32, weight []float64, n int) []int32 {
	kept := slices.Clone(values)
	slices.SortStableFunc(kept, func(a, b int32) int { return cmp.Compare(weight[b], weight[a]) })
	kept = kept[:n]
	slices.Sort(kept)
	return kept
}

// segments returns how many runs of values there are between the given ones.
func segments(heavy []int32, n int) int {
	count, from := 0, int32(0)
	for _, h := range heavy {
		if from < h {
			count++
		}
		from = h + 1
	}
	if int(from) < n {
		count++
	}
	return count
}

// joinSmall joins bins of fewer rows than least with the next one, the last with the one before.
func joinSmall(ends []int32, rows []float64, least int) []int32 {
	if least <= 1 {
		return ends
	}
	kept, n, at := ends[:0], 0.0, 0
	for _, e := range ends {
		for ; at <= int(e); at++ {
			n += rows[at]
		}
		if n >= float64(least) {
			kept = append(kept, e)
			n = 0
		}
	}
	if len(rows) == 0 {
		return kept
	}
	last := int32(len(rows) - 1)
	if len(kept) == 0 {
		return append(kept, last)
	}
	kept[len(kept)-1] = max(kept[len(kept)-1], last)
	return kept
}

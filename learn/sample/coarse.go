package sample

import "math"

// coarse counts numbers of 0 or more by their exponents and first four bits, so that an order
// statistic of many needs few of them: bucket b holds the numbers from edge(b) up to edge(b+1).
type coarse struct {
	count []int32
	sum   []float64
}

const (
	coarseShift   = 48
	coarseBuckets = 1 << (63 - coarseShift)
)

func bucket(x float64) int { return int(math.Float64bits(x) >> coarseShift) }
func edge(b int) float64   { return math.Float64frombits(uint64(b) << coarseShift) }
func newCoarse() *coarse {
	return &coarse{make([]int32, coarseBuckets), make([]float64, coarseBuckets)}
}
func (c *coarse) fill(x []float64) {
	clear(c.count)
	clear(c.sum)
	for _, v := range x {
		b := bucket(v)
		c.count[b]++
		c.sum[b] += v
	}
}

// collect appends to dst the numbers of one bucket.
func collect(dst, x []float64, b int) []float64 {
	for _, v := range x {
		if bucket(v) == b {
			dst = append(dst, v)
		}
	}
	return dst
}

// largest returns the k-th largest of x, 1 <= k <= len(x), and which of those that equal it that
// is. work is overwritten.
func (c *coarse) largest(x, work []float64, k int) (value float64, of int) {
	if len(x) < coarseBuckets {
		value = smallest(append(work[:0], x...), len(x)+1-k)
		return value, alike(x, value, k)
	}
	clear(c.count)
	for _, v := range x {
		c.count[bucket(v)]++
	}
	b := coarseBuckets - 1
	for ; int(c.count[b]) < k; b-- {
		k -= int(c.count[b])
	}
	work = collect(work[:0], x, b)
	value = smallest(work, len(work)+1-k)
	return value, alike(work, value, k)
}

// alike returns which of the numbers equal to value is the k-th largest.
func alike(x []float64, value float64, k int) int {
	for _, v := range x {
		if v > value {
			k--
		}
	}
	return k
}

// threshold returns the mu for which min(1, v/mu) adds up to take over all v of x, of which more
// than take are above 0. The sum falls as mu grows, so mu lies in the bucket at whose lower edge it
// is more than take, and not at the upper one. work is overwritten.
func (c *coarse) threshold(x, work []float64, take int, pick func(n int) int) float64 {
	if len(x) < coarseBuckets {
		return within(append(work[:0], x...), 0, 0, take, pick)
	}
	c.fill(x)
	below, above := 0.0, len(x)
	for b := range coarseBuckets {
		below += c.sum[b]
		above -= int(c.count[b])
		if tooMany(below, above, edge(b+1), take) {
			continue
		}
		return within(collect(work[:0], x, b), below-c.sum[b], above, take, pick)
	}
	return math.Inf(1) // not reached with numbers below infinity
}

// tooMany reports whether min(1, v/mu) adds up to more than take over numbers less than mu, of
// which below is the sum, and over above others. What is below counts also where it is lost in
// rounding.
func tooMany(below float64, above int, mu float64, take int) bool {
	return above > take || above == take && below > 0 || below/mu+float64(above) > float64(take)
}

// within finds the threshold among x, with the sum of numbers that are known to be less than it and
// the count of those that are not. Numbers are partitioned by one of them, and only those on the
// threshold's side are scanned again.
func within(x []float64, below float64, above, take int, pick func(n int) int) float64 {
	most := math.Inf(1) // the least of x that are known not to be less
	for len(x) > 0 {
		pivot := x[pick(len(x))]
		less, more, sum := 0, len(x), 0.0 // x[:less] < pivot, x[less:i] = pivot, x[more:] > pivot
		for i := 0; i < more; {
			switch v := x[i]; {
			case v < pivot:
				sum += v
				x[i], x[less] = x[less], v
				less++
				i++
			case v > pivot:
				more--
				x[i], x[more] = x[more], v
			default:
				i++
			}
		}
		if tooMany(below+sum, above+len(x)-less, pivot, take) {
			below += sum + float64(float64(more-less)*pivot)
			x = x[more:]
		} else {
			above += len(x) - less
			most = pivot
			x = x[:less]
		}
	}
	return min(most, below/float64(take-above))
}

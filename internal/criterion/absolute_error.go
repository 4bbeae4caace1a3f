package criterion

import (
	"math"
	"math/bits"
	"slices"
)

// absoluteError is the sum of w |y - m|, where m is the weighted lower median: the least value such
// that rows of at most it have half the weight or more. Of an even number of rows of equal weight
// that is the lower of the two in the middle; their mean, which scikit-learn predicts, has the same
// total error.
type absoluteError struct{}

func (absoluteError) Loss(y, value float64) float64 { return math.Abs(y - value) }

func (absoluteError) Describe(stats []float64, s Sample) Node {
	total := 0.0
	for i := range s.Y {
		total += s.weight(i)
	}
	n := Node{Value: s.Y[len(s.Y)-1]}
	below := 0.0
	for i, y := range s.Y {
		if below += s.weight(i); 2*below >= total {
			n.Value = y
			break
		}
	}
	for i, y := range s.Y {
		n.Impurity += float64(s.weight(i) * math.Abs(y-n.Value))
	}
	stats[0] = total
	return n
}

// medians is the absolute error of growing sets.
type medians struct {
	y          []float64 // by place + 1, less the value in the middle
	next, prev []int32   // list of the places of the set, each + 1, between two sentinels
	in         []bool
	weight     []float64 // Fenwick tree of the weights
	moment     []float64 // Fenwick tree of the weights times y
}

func newMedians() Running { return &medians{} }

// Prefixes takes rows of equal weight out of the whole set one by one, from the last; others it
// puts in one by one, from the first.
func (m *medians) Prefixes(dst []float64, s Sample, base, rows []uint32) {
	n := len(s.Y)
	m.y = append(m.y[:0], 0)
	for _, y := range s.Y {
		m.y = append(m.y, y-s.Y[n/2])
	}
	if s.Weight == nil {
		m.takeOut(dst, base, rows)
		return
	}
	m.putIn(dst, s.Weight, base, rows)
}

// takeOut walks the median along a linked list of the values. Taking a row out moves it by one
// place at most, so every row costs the same:
//
//	1 - 2 - 5 - 6 - 9    median 5; take 2 out
//	        ^
//	1 - 5 - 6 - 9        median 5; take 1 out
//	    ^
//	5 - 6 - 9            median 6
//	    ^
//
// low values are before the median, whose sum is below; above is the sum of those behind it.
func (m *medians) takeOut(dst []float64, base, rows []uint32) {
	m.link(base, rows)
	size := len(base) + len(rows)
	if size == 0 {
		dst[0] = 0
		return
	}
	y, next, prev := m.y, m.next, m.prev
	at, low := next[0], 0
	below, above := 0.0, 0.0
	for i := next[at]; i != 0; i = next[i] {
		above += y[i]
	}
	for i := len(rows); ; i-- {
		for want := (size - 1) / 2; low < want; low++ {
			below += y[at]
			at = next[at]
			above -= y[at]
		}
		for want := (size - 1) / 2; low > want; low-- {
			above += y[at]
			at = prev[at]
			below -= y[at]
		}
		dst[i] = above - below + float64(y[at]*float64(2*low+1-size))
		if i == 0 {
			return
		}
		out := int32(rows[i-1]) + 1
		switch {
		case out < at:
			low--
			below -= y[out]
		case out > at:
			above -= y[out]
		case low > 0:
			at = prev[at]
			low--
			below -= y[at]
		default:
			at = next[at]
			above -= y[at]
		}
		next[prev[out]], prev[next[out]] = next[out], prev[out]
		if size--; size == 0 {
			dst[0] = 0
			return
		}
	}
}

// link makes the list of the given places.
func (m *medians) link(base, rows []uint32) {
	n := len(m.y) - 1
	m.next, m.prev = resize(m.next, n+1), resize(m.prev, n+1)
	whole := len(base)+len(rows) == n
	if !whole {
		m.in = resize(m.in, n)
		clear(m.in)
		for _, some := range [][]uint32{base, rows} {
			for _, r := range some {
				m.in[r] = true
			}
		}
	}
	last := int32(0)
	for i := range n {
		if whole || m.in[i] {
			m.next[last], m.prev[i+1] = int32(i+1), last
			last = int32(i + 1)
		}
	}
	m.next[last], m.prev[0] = 0, last
}

// putIn keeps the sums over all places up to any in two trees, in which the median is found by
// descent.
func (m *medians) putIn(dst, weight []float64, base, rows []uint32) {
	n := len(weight)
	m.weight, m.moment = resize(m.weight, n+1), resize(m.moment, n+1)
	clear(m.weight)
	clear(m.moment)
	total, moment := 0.0, 0.0
	put := func(r uint32) {
		w := weight[r]
		wy := float64(w * m.y[r+1])
		total += w
		moment += wy
		for i := int(r) + 1; i <= n; i += i & -i {
			m.weight[i] += w
			m.moment[i] += wy
		}
	}
	for _, r := range base {
		put(r)
	}
	dst[0] = m.spread(total, moment)
	for i, r := range rows {
		put(r)
		dst[i+1] = m.spread(total, moment)
	}
}

// spread returns the sum of w |y - median| over what was put in.
func (m *medians) spread(total, moment float64) float64 {
	n, at := len(m.weight)-1, 0
	low, below := 0.0, 0.0 // sums over the first at places, all of values below the median
	for step := 1 << bits.Len(uint(n)); step > 0; step >>= 1 {
		if next := at + step; next <= n && 2*(low+m.weight[next]) < total {
			at = next
			low += m.weight[at]
			below += m.moment[at]
		}
	}
	y := m.y[min(at+1, n)]
	return float64(y*low) - below + (moment - below) - float64(y*(total-low))
}

// resize returns a slice of the given length, with the memory of s if that is enough.
func resize[T any](s []T, n int) []T { return slices.Grow(s[:0], n)[:n] }

package loss

import (
	"cmp"
	"slices"
	"sync"

	"github.com/coppice-ml/coppice/internal/kernel"
)

// ranking is a query in the order of its scores, the highest first, and memory for it.
type ranking struct {
	order []int32   // positions
	x     []float64 // scores
	gain  []float64
	odds  []float64 // e^(x - the highest)

	early, late []float64 // see lambdaMART.place
	precision   []float64 // memory of early
	ones        []float64

	counts, wrong, far []float64 // of the pairs of a row: see lambdaMART.addValues

	keys   []uint16
	places []int32 // in the query, by the low byte of the key
}

// rankings are those that no worker uses.
var rankings = sync.Pool{New: func() any { return new(ranking) }}

// resize returns s with a length of n, of any content.
func resize[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}

// onesOf returns n ones.
func (m *ranking) onesOf(n int) []float64 {
	for len(m.ones) < n {
		m.ones = append(m.ones, 1)
	}
	return m.ones[:n]
}

// sort puts a query in order. Rows of equal scores keep the order in which they stand; scores that
// are no numbers come last.
func (m *ranking) sort(at []int32, raw []float64) {
	m.order, m.x = append(m.order[:0], at...), resize(m.x, len(at))
	for i, p := range at {
		m.x[i] = raw[p]
	}
	top, low := m.x[0], m.x[0]
	for _, x := range m.x {
		top, low = max(top, x), min(low, x)
	}
	span := top - low
	finite := span-span == 0
	if finite && len(at) >= keyedFrom && keySteps/span-keySteps/span == 0 {
		m.sortByKeys(at, raw, top, keySteps/span)
	}
	if !finite || !m.insert() {
		slices.SortStableFunc(m.order, func(a, b int32) int { return cmp.Compare(raw[b], raw[a]) })
		for i, p := range m.order {
			m.x[i] = raw[p]
		}
	}
}

// setOdds sets the odds by the scores.
func (m *ranking) setOdds() {
	m.odds = resize(m.odds, len(m.x))
	for i, x := range m.x {
		m.odds[i] = x - m.x[0]
	}
	kernel.Exps(m.odds, m.odds)
}

const (
	// keyedFrom is the number of rows from which on they are put in order by keys first.
	keyedFrom = 24
	// keySteps is the greatest key: the distance from the highest score, in steps of the range.
	keySteps = 1<<16 - 1
)

// sortByKeys puts a query in the order of its scores, rounded to keySteps steps.
func (m *ranking) sortByKeys(at []int32, raw []float64, top, scale float64) {
	var low, high [256]int32 // first places by byte
	m.keys, m.places = resize(m.keys, len(at)), resize(m.places, len(at))
	for i, x := range m.x {
		key := uint16(int32((top - x) * scale))
		m.keys[i] = key
		low[uint8(key)]++
		high[key>>8]++
	}
	a, b := int32(0), int32(0)
	for i := range low {
		a, low[i] = a+low[i], a
		b, high[i] = b+high[i], b
	}
	for i, key := range m.keys {
		to := &low[uint8(key)]
		m.places[*to] = int32(i)
		*to++
	}
	for _, i := range m.places {
		to := &high[m.keys[i]>>8]
		m.order[*to] = at[i]
		m.x[*to] = raw[at[i]]
		*to++
	}
}

// insert sorts what is almost in order. It returns false where it gives up: too much is not.
func (m *ranking) insert() bool {
	left := 16 * len(m.order) // moves
	for i := 1; i < len(m.x); i++ {
		x, p, j := m.x[i], m.order[i], i
		for ; j > 0 && m.x[j-1] < x; j-- {
			m.x[j], m.order[j] = m.x[j-1], m.order[j-1]
		}
		m.x[j], m.order[j] = x, p
		if left -= i - j; left < 0 {
			return false
		}
	}
	return true
}

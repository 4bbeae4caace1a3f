package kernel

import (
	"cmp"
	"slices"
)

// ScoreOrder is rows in the order of their scores, the highest first, as losses and metrics of
// rankings take the rows of a query, and memory for the next ones. The zero value is ready for use.
type ScoreOrder struct {
	Order []int32   // the rows
	Score []float64 // of each row of Order

	keys   []uint16
	places []int32 // among the rows, by the low byte of the key
}

// Sort puts rows, of which there is at least one, in the order of their scores. Rows of equal
// scores keep the order in which they are given; scores that are no numbers come last.
func (m *ScoreOrder) Sort(rows []int32, score []float64) {
	m.Order = append(m.Order[:0], rows...)
	m.Score = slices.Grow(m.Score[:0], len(rows))[:len(rows)]
	for i, p := range rows {
		m.Score[i] = score[p]
	}
	top, low := m.Score[0], m.Score[0]
	for _, x := range m.Score {
		top, low = max(top, x), min(low, x)
	}
	span := top - low
	finite := span-span == 0
	if finite && len(rows) >= keyedFrom && keySteps/span-keySteps/span == 0 {
		m.sortByKeys(rows, score, top, keySteps/span)
	}
	if !finite || !m.insert() {
		slices.SortStableFunc(m.Order, func(a, b int32) int {
			return cmp.Compare(score[b], score[a])
		})
		for i, p := range m.Order {
			m.Score[i] = score[p]
		}
	}
}

const (
	// keyedFrom is the number of rows from which on they are put in order by keys first.
	keyedFrom = 24
	// keySteps is the greatest key: the distance from the highest score, in steps of the range.
	keySteps = 1<<16 - 1
)

// sortByKeys puts rows in the order of their scores, rounded to keySteps steps.
func (m *ScoreOrder) sortByKeys(rows []int32, score []float64, top, scale float64) {
	var low, high [256]int32 // first places by byte
	m.keys = slices.Grow(m.keys[:0], len(rows))[:len(rows)]
	m.places = slices.Grow(m.places[:0], len(rows))[:len(rows)]
	for i, x := range m.Score {
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
		m.Order[*to] = rows[i]
		m.Score[*to] = score[rows[i]]
		*to++
	}
}

// insert sorts what is almost in order. It returns false where it gives up: too much is not.
func (m *ScoreOrder) insert() bool {
	left := 16 * len(m.Order) // moves
	for i := 1; i < len(m.Score); i++ {
		x, p, j := m.Score[i], m.Order[i], i
		for ; j > 0 && m.Score[j-1] < x; j-- {
			m.Score[j], m.Order[j] = m.Score[j-1], m.Order[j-1]
		}
		m.Score[j], m.Order[j] = x, p
		if left -= i - j; left < 0 {
			return false
		}
	}
	return true
}

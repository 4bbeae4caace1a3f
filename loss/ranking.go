package loss

import (
	"sync"

	"github.com/coppice-ml/coppice/internal/kernel"
)

// ranking is a query in the order of its scores, the highest first, and memory for it.
type ranking struct {
	kernel.ScoreOrder // of positions
	gain              []float64
	odds              []float64 // e^(sigmoid (x - the highest))

	early, late []float64 // see lambdaMART.place
	precision   []float64 // memory of early
	ones, none  []float64 // of ones and of zeros
	near        float64   // what pairs are divided by, with the distances of apart
	apart       []float64
	g, h        []float64 // derivatives by rank

	counts, wrong, far []float64 // of the pairs of a row: see lambdaMART.addValues
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

// setOdds sets the odds by the scores.
func (m *ranking) setOdds(sigmoid float64) {
	m.odds = resize(m.odds, len(m.Score))
	for i, x := range m.Score {
		m.odds[i] = sigmoid * (x - m.Score[0])
	}
	kernel.Exps(m.odds, m.odds)
}

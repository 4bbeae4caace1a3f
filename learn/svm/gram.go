package svm

import (
	"github.com/coppice-ml/coppice/internal/models/dense"
	"github.com/coppice-ml/coppice/internal/parallel"
)

// gram is the matrix of the kernels of all pairs of training rows, of which it keeps as many rows
// as its memory allows.
type gram struct {
	kernel  dense.Kernel
	x       []float64 // vectors, one after the other
	n       int
	width   int
	workers int
	diag    []float64

	slots [][]float64 // rows that are kept
	used  []bool      // by slot: requested since the hand passed
	owner []int32     // by slot: the row, -1 if none
	at    []int32     // by row: its slot, -1 if none
	hand  int         // goes round the slots to find one that was not used (the clock algorithm)
	last  int         // slot of the row that was requested last, which stays
}

// gramMemory is how many bytes of rows a gram keeps.
const gramMemory = 256 << 20

// newGram makes a matrix for n vectors; memory is in bytes.
func newGram(k dense.Kernel, x []float64, n, workers, memory int) *gram {
	workers = parallel.Workers(workers)
	g := &gram{kernel: k, x: x, n: n, width: len(x) / n, workers: workers, diag: make([]float64, n),
		at: make([]int32, n), last: -1}
	slots := min(n, max(2, memory/(8*n)))
	g.slots, g.used, g.owner = make([][]float64, slots), make([]bool, slots), make([]int32, slots)
	for i := range g.owner {
		g.owner[i] = -1
	}
	for i := range g.at {
		g.at[i] = -1
		g.diag[i] = k.Value(g.vector(i), g.vector(i))
	}
	return g
}

// vector returns the vector of a row.
func (g *gram) vector(i int) []float64 { return g.x[i*g.width : (i+1)*g.width] }

// row returns the kernels of row i with all rows. It is valid until two other rows are requested.
func (g *gram) row(i int) []float64 {
	if s := g.at[i]; s >= 0 {
		g.used[s], g.last = true, int(s)
		return g.slots[s]
	}
	for g.used[g.hand] || g.hand == g.last && g.n > 1 {
		g.used[g.hand] = false
		g.hand = (g.hand + 1) % len(g.slots)
	}
	s := g.hand
	g.hand = (g.hand + 1) % len(g.slots)
	if old := g.owner[s]; old >= 0 {
		g.at[old] = -1
	}
	if g.slots[s] == nil {
		g.slots[s] = make([]float64, g.n)
	}
	g.owner[s], g.at[i], g.used[s], g.last = int32(i), int32(s), true, s
	g.fill(g.slots[s], i)
	return g.slots[s]
}

// tooFew is the number of products below which other goroutines are not worth starting.
const tooFew = 1 << 17

// fill computes a row.
func (g *gram) fill(dst []float64, i int) {
	own := g.vector(i)
	part := func(lo, hi int) {
		for j := lo; j < hi; j++ {
			dst[j] = g.kernel.Value(own, g.vector(j))
		}
	}
	workers := g.workers
	if g.n*(g.width+8) < tooFew {
		workers = 1
	}
	parallel.Each(workers, workers, func(_, w int) { part(w*g.n/workers, (w+1)*g.n/workers) })
}

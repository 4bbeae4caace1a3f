package hist

import (
	"github.com/coppice-ml/coppice/internal/kernel"
	"github.com/coppice-ml/coppice/internal/parallel"
)

// team is the workers of a grower.
type team []*worker

// worker is the memory of one goroutine.
type worker struct {
	number  int     // in the team
	side    []uint8 // by code of a column
	rows    []int32
	local   []int32 // numbers of rows in a block
	visited visitScratch
	derived derivedScratch
}

func newTeam(workers int) team {
	t := make(team, workers)
	for i := range t {
		t[i] = &worker{number: i}
	}
	return t
}

// each calls f with 0 to n-1, on all workers: each time with the one that calls.
func (t team) each(n int, f func(i int, w *worker)) {
	parallel.Each(len(t), n, func(w, i int) { f(i, t[w]) })
}

// eachOrTogether calls one for 0 to n-1 on a worker each where they are many. Else it calls
// together, which works on each with all workers.
func (t team) eachOrTogether(n int, one func(i int, w *worker), together func(i int)) {
	if n >= 2*len(t) {
		t.each(n, one)
		return
	}
	for i := range n {
		together(i)
	}
}

// visitScratch is memory for visits of leaves; see visit.
type visitScratch struct {
	nexts  []int32 // by leaf: its first row that the visit has not come to
	others []int32 // rows that are not the tree's
	listed []uint8
}

// derivedScratch is memory for a portion of derivatives; see source.
type derivedScratch struct {
	values []float64 // gradients, then hessians
	words  []int64
	sizes  []kernel.Sizes // by output
}

// span returns the begin and the end of part i of n parts of some elements.
func span(elements, i, n int) (int, int) {
	return elements * i / n, elements * (i + 1) / n
}

// resize returns a slice of n elements, in the memory of s if that is enough.
func resize[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}

package hist

import "github.com/coppice-ml/coppice/internal/parallel"

// team is the workers of a grower.
type team []*worker

// worker is the memory of one goroutine, and what it finds splits with.
type worker struct {
	find    finder
	side    []uint8 // by code of a column
	rows    []int32
	local   []int32 // numbers of rows in a block
	visited visitScratch
	derived derivedScratch
	looking *open // the leaf that it looks at with others
	best    split // the best one that it found of that leaf
}

// each calls f with 0 to n-1, on all workers: each time with the one that calls.
func (t team) each(n int, f func(i int, w *worker)) {
	parallel.Each(len(t), n, func(w, i int) { f(i, t[w]) })
}

// eachNumbered calls f with 0 to n-1, and with the number of the worker that calls.
func (t team) eachNumbered(n int, f func(i, worker int)) {
	parallel.Each(len(t), n, func(w, i int) { f(i, w) })
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

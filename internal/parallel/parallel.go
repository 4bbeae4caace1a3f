// Package parallel divides work among goroutines: their number, and which of them does what. Work
// is numbered, and each number's work writes results of its own, so that they do not depend on the
// number of workers.
package parallel

import (
	"cmp"
	"context"
	"runtime"
	"sync"
	"sync/atomic"
)

// most is the largest number of goroutines. Each has memory of its own, and more than there are
// processors are of no use.
const most = 1 << 12

// Workers returns how many goroutines are to work: as many as are requested, up to 4096, or one per
// processor where that is 0 or less.
func Workers(requested int) int {
	if requested > 0 {
		return min(requested, most)
	}
	return runtime.GOMAXPROCS(0)
}

// Each calls do for the numbers 0 ... n-1, each on whichever of some workers is free, and returns
// once all are done. Workers are numbered from 0, which is the caller; there is one at least.
func Each(workers, n int, do func(worker, i int)) {
	if workers = min(workers, n); workers <= 1 {
		for i := range n {
			do(0, i)
		}
		return
	}
	var next atomic.Int64
	run := func(worker int) {
		for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
			do(worker, i)
		}
	}
	var others sync.WaitGroup
	for w := 1; w < workers; w++ {
		others.Go(func() { run(w) })
	}
	run(0)
	others.Wait()
}

// EachUntil is Each until a context is cancelled, whose error it then returns: numbers that have
// not begun are left out.
func EachUntil(ctx context.Context, workers, n int, do func(worker, i int)) error {
	Each(workers, n, func(worker, i int) {
		if ctx.Err() == nil {
			do(worker, i)
		}
	})
	return ctx.Err()
}

// Try is EachUntil of calls that may fail. None is left out for the failure of another, and the
// error is that of the lowest number that failed.
func Try(ctx context.Context, workers, n int, do func(worker, i int) error) error {
	failed := make([]error, n)
	err := EachUntil(ctx, workers, n, func(worker, i int) { failed[i] = do(worker, i) })
	return cmp.Or(err, cmp.Or(failed...))
}

package parallel

import (
	"context"
	"sync"
	"sync/atomic"
)

// InOrder calls do for the numbers 0 ... n-1 on several goroutines. It passes the results to keep,
// on the caller's goroutine, in the order of the numbers. An ensemble that keep puts together is
// therefore the same for any number of workers.
//
// InOrder ends at the first number whose do or keep fails. It cancels the context of do, waits for
// all goroutines, and returns that error. If ctx is cancelled before the last number was kept, it
// returns the error of ctx.
func InOrder[T any](
	ctx context.Context, n, workers int, do func(ctx context.Context, i int) (T, error),
	keep func(i int, v T) error,
) error {
	inner, cancel := context.WithCancel(ctx)
	defer cancel()
	type result struct {
		i   int
		v   T
		err error
	}
	results := make(chan result)
	var next atomic.Int64
	var group sync.WaitGroup
	for range min(workers, n) {
		group.Go(func() {
			for inner.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= n {
					return
				}
				v, err := do(inner, i)
				results <- result{i, v, err}
			}
		})
	}
	go func() {
		group.Wait()
		close(results)
	}()
	early := map[int]result{} // done before a lower number
	kept := 0
	var failed error
	for r := range results {
		early[r.i] = r
		for failed == nil && ctx.Err() == nil {
			first, ok := early[kept]
			if !ok {
				break
			}
			delete(early, kept)
			if failed = first.err; failed == nil {
				failed = keep(kept, first.v)
			}
			kept++
		}
		if failed != nil {
			cancel()
		}
	}
	if failed == nil && kept < n {
		failed = ctx.Err()
	}
	return failed
}

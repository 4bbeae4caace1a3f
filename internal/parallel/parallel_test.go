package parallel_test

import (
	"context"
	"errors"
	"math"
	"runtime"
	"sync/atomic"
	"testing"

	"github.com/coppice-ml/coppice/internal/parallel"
)

func TestWorkers(t *testing.T) {
	for requested, want := range map[int]int{-1: runtime.GOMAXPROCS(0), 0: runtime.GOMAXPROCS(0),
		1: 1, 7: 7, 4096: 4096, 1e8: 4096, math.MaxInt: 4096} {
		if got := parallel.Workers(requested); got != want {
			t.Errorf("%d workers where %d are requested, want %d", got, requested, want)
		}
	}
}

// TestEach does every number once, on workers that are there, of which no two are one at the same
// time.
func TestEach(t *testing.T) {
	for _, workers := range []int{0, 1, 2, 5} {
		for _, n := range []int{0, 1, 3, 1000} {
			times := make([]int, n)
			busy := make([]atomic.Bool, max(1, workers))
			parallel.Each(workers, n, func(worker, i int) {
				if busy[worker].Swap(true) {
					t.Errorf("worker %d of %d is two", worker, workers)
				}
				times[i]++
				busy[worker].Store(false)
			})
			for i, k := range times {
				if k != 1 {
					t.Errorf("%d workers: number %d of %d is done %d times", workers, i, n, k)
				}
			}
		}
	}
}

// TestEachUntil begins nothing after the context is cancelled: others have begun one number each at
// most, since those behind the one that cancels wait for that.
func TestEachUntil(t *testing.T) {
	for _, workers := range []int{1, 3} {
		ctx, cancel := context.WithCancel(t.Context())
		var behind atomic.Int64
		err := parallel.EachUntil(ctx, workers, 1000, func(_, i int) {
			if i == 10 {
				cancel()
			} else if i > 10 {
				<-ctx.Done()
				behind.Add(1)
			}
		})
		if !errors.Is(err, context.Canceled) || behind.Load() >= int64(workers) {
			t.Errorf("%d workers: %v, and %d numbers more", workers, err, behind.Load())
		}
	}
	if err := parallel.EachUntil(t.Context(), 2, 5, func(_, _ int) {}); err != nil {
		t.Error(err)
	}
}

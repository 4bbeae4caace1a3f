package parallel_test

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"sync"
	"testing"

	"github.com/coppice-ml/coppice/internal/parallel"
)

// TestInOrder: what goroutines return in any order is kept in the order of the numbers.
func TestInOrder(t *testing.T) {
	for _, workers := range []int{1, 2, 9} {
		var kept []int
		err := parallel.InOrder(t.Context(), 200, workers,
			func(_ context.Context, i int) (int, error) {
				for range i * 7 % 5 {
					runtime.Gosched()
				}
				return i * i, nil
			}, func(i, v int) error {
				if i != len(kept) {
					t.Errorf("%d workers: number %d comes at place %d", workers, i, len(kept))
				}
				kept = append(kept, v)
				return nil
			})
		if err != nil || len(kept) != 200 || kept[199] != 199*199 || !slices.IsSorted(kept) {
			t.Errorf("%d workers: %v, error %v", workers, kept, err)
		}
	}
}

// TestInOrderEnds: the first number that fails, or that is not needed any more, is the last; all
// before it are kept.
func TestInOrderEnds(t *testing.T) {
	enough := errors.New("enough")
	for _, workers := range []int{1, 2, 9} {
		for _, fails := range []string{"do", "keep"} {
			var kept []int
			err := parallel.InOrder(t.Context(), 100, workers,
				func(_ context.Context, i int) (int, error) {
					if fails == "do" && i >= 30 && i != 31 { // 31 may be done before 30 fails
						return 0, enough
					}
					return i, nil
				}, func(i, v int) error {
					if fails == "keep" && i == 30 {
						return enough
					}
					kept = append(kept, v)
					return nil
				})
			if !errors.Is(err, enough) || len(kept) != 30 {
				t.Errorf("%d workers, %s: %d kept, error %v", workers, fails, len(kept), err)
			}
		}
	}
}

// TestInOrderCancelled: a cancelled context ends the work with its error, also where all numbers
// are done already and wait for the first; finished work does not mind.
func TestInOrderCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	kept := 0
	var others sync.WaitGroup
	others.Add(99)
	err := parallel.InOrder(ctx, 100, 3, func(_ context.Context, i int) (int, error) {
		if i == 0 {
			others.Wait()
		} else {
			others.Done()
		}
		return i, nil
	}, func(i, _ int) error {
		if i == 10 {
			cancel()
		}
		kept++
		return nil
	})
	if !errors.Is(err, context.Canceled) || kept != 11 {
		t.Errorf("%d kept, error %v", kept, err)
	}
	err = parallel.InOrder(ctx, 0, 3, func(context.Context, int) (int, error) { return 0, nil },
		func(int, int) error { return nil })
	if err != nil {
		t.Errorf("nothing to do: error %v", err)
	}
}

package ranks_test

import (
	"context"
	"errors"
	"sync"
	"testing"

	"github.com/coppice-ml/coppice/ranks"
	"github.com/coppice-ml/coppice/ranks/rankstest"
)

// each runs f as every rank of a group in this process, and returns the errors by rank.
func each(n int, f func(g ranks.Group) error) []error {
	errs := make([]error, n)
	var wait sync.WaitGroup
	for i, g := range ranks.Together(n) {
		wait.Go(func() { errs[i] = f(g) })
	}
	wait.Wait()
	return errs
}

func TestTogether(t *testing.T) {
	for n := 1; n <= 5; n++ {
		if err := errors.Join(each(n, rankstest.Check)...); err != nil {
			t.Errorf("%d ranks: %v", n, err)
		}
	}
	if err := rankstest.Check(ranks.Alone{}); err != nil {
		t.Error(err)
	}
}

func TestLostGroup(t *testing.T) {
	cause := errors.New("the disk is full")
	errs := each(3, func(g ranks.Group) error {
		ctx, cancel := context.WithCancelCause(context.Background())
		if g.Rank() == 1 {
			cancel(cause)
		}
		defer cancel(nil)
		if err := g.Barrier(ctx); err == nil {
			return errors.New("the barrier has returned")
		}
		return g.Sum(context.Background(), []int64{1})
	})
	for rank, err := range errs {
		if !errors.Is(err, cause) {
			t.Errorf("rank %d: %v, want the cause of rank 1", rank, err)
		}
	}
}

// A group that is lost while parts are added up ends the wait for them.
func TestLostGroupEndsSums(t *testing.T) {
	cause := errors.New("the disk is full")
	errs := each(3, func(g ranks.Group) error {
		ctx, cancel := context.WithCancelCause(context.Background())
		defer cancel(nil)
		if g.Rank() == 1 { // the others have begun, or begin after it
			cancel(cause)
			return g.Barrier(ctx)
		}
		return g.SumParts(ctx, make([]int64, 6), []int{1, 2, 3})()
	})
	for rank, err := range errs {
		if !errors.Is(err, cause) {
			t.Errorf("rank %d: %v, want the cause of rank 1", rank, err)
		}
	}
}

func TestSpan(t *testing.T) {
	for _, n := range []int{0, 1, 5, 64, 1000} {
		for _, block := range []int{1, 7, 64} {
			for size := 1; size < 9; size++ {
				at := 0
				for rank := range size {
					from, to := ranks.Span(n, block, rank, size)
					if from != at || to < from || to != n && to%block != 0 {
						t.Fatalf("n %d, block %d: rank %d of %d has %d to %d, from %d", n, block,
							rank, size, from, to, at)
					}
					at = to
				}
				if at != n {
					t.Fatalf("n %d, block %d: %d ranks have %d", n, block, size, at)
				}
			}
		}
	}
}

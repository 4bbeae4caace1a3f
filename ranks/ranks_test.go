package ranks_test

import (
	"errors"
	"testing"

	"github.com/coppice-ml/coppice/ranks"
	"github.com/coppice-ml/coppice/ranks/rankstest"
)

func TestOperations(t *testing.T) {
	for _, n := range []int{1, 2, 5} {
		if err := errors.Join(rankstest.Each(n, rankstest.Check)...); err != nil {
			t.Errorf("%d ranks: %v", n, err)
		}
	}
	if err := rankstest.Check(ranks.Of(nil)); err != nil {
		t.Error(err)
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

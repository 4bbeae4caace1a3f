//go:build mpi

package mpi

import (
	"context"
	"errors"
	"os"
	"slices"
	"testing"

	"github.com/coppice-ml/coppice/ranks"
	"github.com/coppice-ml/coppice/ranks/rankstest"
)

var joined ranks.Group

// TestMain joins the processes that mpirun has started; without it there is one.
func TestMain(m *testing.M) {
	g, end, err := Start()
	if err != nil {
		panic(err)
	}
	joined = g
	status := m.Run()
	end(status)
	os.Exit(status)
}

// Parts are summed by messages to each rank, and in a tree.
func TestOperations(t *testing.T) {
	for _, direct = range []int{16, 1} {
		if err := rankstest.Check(joined); err != nil {
			t.Fatalf("rank %d of %d: %v", joined.Rank(), joined.Size(), err)
		}
	}
}

func TestDoneContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	g := *joined.(*group) // the others go on
	if err := g.Barrier(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("a barrier with a done context: %v", err)
	}
	if err := g.Sum(t.Context(), []int64{1}); !errors.Is(err, context.Canceled) {
		t.Errorf("a sum of a lost group: %v", err)
	}
	wait := g.SumParts(t.Context(), make([]int64, g.size), slices.Repeat([]int{1}, g.size))
	if err := wait(); !errors.Is(err, context.Canceled) {
		t.Errorf("sums of parts of a lost group: %v", err)
	}
}

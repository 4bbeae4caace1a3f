package mpi

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coppice-ml/coppice/ranks"
)

// watched runs f as each rank of a group that is watched, and returns the causes by which their
// contexts ended.
func watched(
	t *testing.T, n int, patience time.Duration, f func(ctx context.Context, rank int, w *Watch),
) []error {
	t.Helper()
	causes, errs := make([]error, n), make([]error, n)
	var wait sync.WaitGroup
	for i, g := range ranks.Together(n) {
		wait.Go(func() {
			w, ctx, err := NewWatch(t.Context(), g, patience)
			if errs[i] = err; err != nil {
				return
			}
			f(ctx, i, w)
			causes[i] = context.Cause(ctx)
			w.Close()
		})
	}
	wait.Wait()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
	return causes
}

func wantCauses(t *testing.T, causes []error, want ...string) {
	t.Helper()
	for rank, err := range causes {
		if text := want[min(rank, len(want)-1)]; err == nil || !strings.Contains(err.Error(), text) {
			t.Errorf("rank %d: %v, want %q", rank, err, text)
		}
	}
}

func TestRankThatFailsEndsAll(t *testing.T) {
	causes := watched(t, 3, time.Minute, func(ctx context.Context, rank int, w *Watch) {
		if rank == 2 {
			w.Fail(errors.New("the disk\nis full"))
		}
		<-ctx.Done()
	})
	wantCauses(t, causes[:2], "rank 2 on ", "ended")
	if !strings.HasSuffix(causes[0].Error(), ": the disk is full") {
		t.Errorf("rank 0: %v, want the error of rank 2", causes[0])
	}
}

func TestRankThatEndsEndsAll(t *testing.T) {
	causes := watched(t, 3, time.Minute, func(ctx context.Context, rank int, w *Watch) {
		if rank == 1 { // as the system closes the connections of a process
			w.mu.Lock()
			w.over = true
			w.mu.Unlock()
			w.links[0].conn.Close()
			return
		}
		<-ctx.Done()
	})
	wantCauses(t, []error{causes[0], causes[2]}, "rank 1 on ", "ended")
}

// Rank 0 may leave between noticing a loss and saying "end": the others still hear of it.
func TestRankThatLeavesAfterALossEndsAll(t *testing.T) {
	causes := watched(t, 3, time.Minute, func(ctx context.Context, rank int, w *Watch) {
		if rank == 0 {
			w.mu.Lock()
			w.over = true
			w.mu.Unlock()
			return
		}
		<-ctx.Done()
	})
	wantCauses(t, causes[1:], errEnded.Error())
}

// A rank that is frozen sends no heartbeat.
func TestFrozenRankEndsAll(t *testing.T) {
	const patience = 500 * time.Millisecond
	for _, frozen := range []int{0, 1} {
		noticed := make(chan struct{})
		causes := watched(t, 2, patience, func(ctx context.Context, rank int, w *Watch) {
			if rank != frozen {
				<-ctx.Done()
				close(noticed)
				return
			}
			for _, l := range w.links {
				if l != nil {
					l.mu.Lock() // of its writes
					defer l.mu.Unlock()
				}
			}
			<-noticed
		})
		if other := causes[1-frozen]; !strings.Contains(other.Error(), "has not answered for 500ms") {
			t.Errorf("rank %d is frozen: the other ends by %v", frozen, other)
		}
	}
}

func TestRanksLeaveOneByOne(t *testing.T) {
	for _, err := range watched(t, 4, time.Minute, func(context.Context, int, *Watch) {}) {
		if err != nil {
			t.Error(err)
		}
	}
}

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

// started is a group of which rank 0 broadcasts once.
type started struct {
	ranks.Group
	rank, size int
	address    chan []byte
}

func (s started) Rank() int { return s.rank }
func (s started) Size() int { return s.size }

func (s started) Broadcast(_ context.Context, _ int, own []byte) ([]byte, error) {
	if s.rank > 0 {
		return <-s.address, nil
	}
	for range s.size - 1 {
		s.address <- own
	}
	return own, nil
}

// watched runs f as each rank of a group that is watched, and returns the causes by which their
// contexts ended.
func watched(
	t *testing.T, n int, patience time.Duration, f func(ctx context.Context, rank int, w *Watch),
) []error {
	t.Helper()
	causes, errs := make([]error, n), make([]error, n)
	var wait sync.WaitGroup
	address := make(chan []byte, n)
	for i := range n {
		wait.Go(func() {
			w, ctx, err := NewWatch(t.Context(), started{rank: i, size: n, address: address}, patience)
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

// A rank that is frozen sends no heartbeat. What follows from that is tested by TestProtocol.
func TestFrozenRankEndsAll(t *testing.T) {
	const patience = 200 * time.Millisecond
	noticed := make(chan struct{})
	causes := watched(t, 2, patience, func(ctx context.Context, rank int, w *Watch) {
		if rank == 0 {
			<-ctx.Done()
			close(noticed)
			return
		}
		w.links[0].mu.Lock() // of its writes
		defer w.links[0].mu.Unlock()
		<-noticed
	})
	if !strings.Contains(causes[0].Error(), "rank 1 on ") ||
		!strings.Contains(causes[0].Error(), "has not answered for 200ms") {
		t.Errorf("rank 1 is frozen: rank 0 ends by %v", causes[0])
	}
}

func TestRanksLeaveOneByOne(t *testing.T) {
	for _, err := range watched(t, 4, time.Minute, func(context.Context, int, *Watch) {}) {
		if err != nil {
			t.Error(err)
		}
	}
}

package ranks

import (
	"context"
	"fmt"
	"slices"
	"sync"
)

// Together returns a group of n ranks in this process, one for each goroutine that trains. It is
// for tests, and for trying what a cluster will do.
func Together(n int) []Group {
	h := &hall{size: n, slots: make([]any, n)}
	h.met = sync.NewCond(&h.mu)
	groups := make([]Group, n)
	for i := range groups {
		groups[i] = &member{h, i}
	}
	return groups
}

// hall is where the ranks of a process meet. Every operation has two meetings: all have brought
// what they have; all have taken what they need.
type hall struct {
	mu      sync.Mutex
	met     *sync.Cond
	size    int
	slots   []any // what each rank has brought
	arrived int   // ranks at the meeting
	held    int   // meetings held
	err     error // of the first rank that failed
}

// member is one rank of a hall.
type member struct {
	hall *hall
	rank int
}

func (m *member) Rank() int { return m.rank }
func (m *member) Size() int { return m.hall.size }

// meet waits until every rank has come, and calls last on the rank that comes last.
func (h *hall) meet(ctx context.Context, rank int, last func()) error {
	stop := context.AfterFunc(ctx, func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		h.fail(fmt.Errorf("rank %d: %w", rank, context.Cause(ctx)))
	})
	defer stop()
	h.mu.Lock()
	defer h.mu.Unlock()
	if err := ctx.Err(); err != nil {
		h.fail(fmt.Errorf("rank %d: %w", rank, context.Cause(ctx)))
	}
	if h.err != nil {
		return h.err
	}
	meeting := h.held
	if h.arrived++; h.arrived == h.size {
		last()
		h.arrived = 0
		h.held++
		h.met.Broadcast()
		return nil
	}
	for h.held == meeting && h.err == nil {
		h.met.Wait()
	}
	if h.held == meeting {
		return h.err
	}
	return nil
}

// fail makes the group lost. The caller holds the lock.
func (h *hall) fail(err error) {
	if h.err == nil {
		h.err = err
		h.met.Broadcast()
	}
}

// exchange brings something, and calls take with what all ranks have brought.
func (m *member) exchange(ctx context.Context, own any, take func(all []any)) error {
	h := m.hall
	h.mu.Lock()
	h.slots[m.rank] = own
	h.mu.Unlock()
	if err := h.meet(ctx, m.rank, func() {}); err != nil {
		return err
	}
	take(h.slots)
	return h.meet(ctx, m.rank, func() {})
}

func (m *member) Sum(ctx context.Context, x []int64) error {
	sums := make([]int64, len(x))
	var wrong error
	err := m.exchange(ctx, x, func(all []any) {
		for rank, of := range all {
			other := of.([]int64)
			if len(other) != len(x) {
				wrong = fmt.Errorf("rank %d adds %d numbers, rank %d adds %d", rank, len(other),
					m.rank, len(x))
				return
			}
			for i, v := range other {
				sums[i] += v
			}
		}
	})
	copy(x, sums)
	if err == nil {
		err = wrong
	}
	return err
}

func (m *member) SumParts(ctx context.Context, x []int64, sizes []int) (wait func() error) {
	done := make(chan error, 1)
	go func() { done <- m.sumParts(ctx, x, sizes) }()
	return func() error { return <-done }
}

func (m *member) sumParts(ctx context.Context, x []int64, sizes []int) error {
	from, to := Part(sizes, m.rank)
	sums := make([]int64, to-from)
	err := m.exchange(ctx, x, func(all []any) {
		for _, of := range all {
			for i, v := range of.([]int64)[from:to] {
				sums[i] += v
			}
		}
	})
	copy(x[from:to], sums)
	return err
}

func (m *member) Gather(ctx context.Context, own []byte) ([][]byte, error) {
	found := make([][]byte, m.hall.size)
	err := m.exchange(ctx, own, func(all []any) {
		for rank, of := range all {
			found[rank] = slices.Clone(of.([]byte))
		}
	})
	return found, err
}

func (m *member) Exchange(ctx context.Context, to [][]byte) ([][]byte, error) {
	found := make([][]byte, m.hall.size)
	err := m.exchange(ctx, to, func(all []any) {
		for rank, of := range all {
			found[rank] = slices.Clone(of.([][]byte)[m.rank])
		}
	})
	return found, err
}

func (m *member) Broadcast(ctx context.Context, from int, own []byte) ([]byte, error) {
	var found []byte
	err := m.exchange(ctx, own, func(all []any) { found = slices.Clone(all[from].([]byte)) })
	return found, err
}

func (m *member) Barrier(ctx context.Context) error {
	return m.exchange(ctx, nil, func([]any) {})
}

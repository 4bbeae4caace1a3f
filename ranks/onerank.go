package ranks

import "context"

// Alone is the group of one process, in which every operation returns what the process has.
type Alone struct{}

// Rank is 0.
func (Alone) Rank() int { return 0 }

// Size is 1.
func (Alone) Size() int { return 1 }

// Sum leaves the numbers as they are.
func (Alone) Sum(ctx context.Context, _ []int64) error { return ctx.Err() }

// SumParts leaves the numbers as they are.
func (Alone) SumParts(ctx context.Context, _ []int64, _ []int) (wait func() error) {
	return ctx.Err
}

// Gather returns the bytes.
func (Alone) Gather(ctx context.Context, own []byte) ([][]byte, error) {
	return [][]byte{own}, ctx.Err()
}

// Exchange returns the bytes.
func (Alone) Exchange(ctx context.Context, to [][]byte) ([][]byte, error) { return to, ctx.Err() }

// Broadcast returns the bytes.
func (Alone) Broadcast(ctx context.Context, _ int, own []byte) ([]byte, error) {
	return own, ctx.Err()
}

// Barrier returns at once.
func (Alone) Barrier(ctx context.Context) error { return ctx.Err() }

// Of returns a group, or Alone in place of nil.
func Of(g Group) Group {
	if g == nil {
		return Alone{}
	}
	return g
}

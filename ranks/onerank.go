package ranks

import "context"

// alone is the group of one process, in which every operation returns what the process has.
type alone struct{}

// Rank is 0.
func (alone) Rank() int { return 0 }

// Size is 1.
func (alone) Size() int { return 1 }

// Sum leaves the numbers as they are.
func (alone) Sum(ctx context.Context, _ []int64) error { return ctx.Err() }

// SumParts leaves the numbers as they are.
func (alone) SumParts(ctx context.Context, _ []int64, _ []int) (wait func() error) {
	return ctx.Err
}

// Gather returns the bytes.
func (alone) Gather(ctx context.Context, own []byte) ([][]byte, error) {
	return [][]byte{own}, ctx.Err()
}

// Exchange returns the bytes.
func (alone) Exchange(ctx context.Context, to [][]byte) ([][]byte, error) { return to, ctx.Err() }

// Broadcast returns the bytes.
func (alone) Broadcast(ctx context.Context, _ int, own []byte) ([]byte, error) {
	return own, ctx.Err()
}

// Barrier returns at once.
func (alone) Barrier(ctx context.Context) error { return ctx.Err() }

// Of returns a group, or in place of nil that of one process, in which every operation returns what
// the process has.
func Of(g Group) Group {
	if g == nil {
		return alone{}
	}
	return g
}

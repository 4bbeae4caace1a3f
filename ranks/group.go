package ranks

import "context"

// Group is the processes that train one model together, as one of them sees it. All ranks call its
// methods in the same order, from one goroutine at a time.
//
// An operation returns an error on every rank if a rank has failed, or if the context of a rank is
// done: the group is then lost, and every later operation returns that error at once. A rank that
// has stopped calling is found by the implementation, within a time that it states.
type Group interface {
	// Rank returns the number of this process, 0 to Size-1.
	Rank() int
	// Size returns the number of processes.
	Size() int
	// Sum adds up the numbers of all ranks place by place. x, which is as long on all ranks,
	// becomes the sums on every rank. Sums that overflow wrap around.
	Sum(ctx context.Context, x []int64) error
	// SumParts starts to add up the numbers of all ranks place by place, so that the rank can
	// compute meanwhile. wait ends that: it leaves each rank the sums of one part. The first
	// sizes[0] numbers are the part of rank 0, those behind them of rank 1. Other numbers of x are
	// not to be read afterwards. Sizes are the same on all ranks. wait is called once, from the
	// goroutine that calls the methods and before it calls another one; until then x and sizes stay
	// as they are.
	SumParts(ctx context.Context, x []int64, sizes []int) (wait func() error)
	// Gather returns the bytes of every rank, in the order of the ranks, on every rank. They may
	// differ in length.
	Gather(ctx context.Context, own []byte) ([][]byte, error)
	// Exchange sends bytes to each rank, those at its number, and returns what each rank has sent
	// to this one, in the order of the ranks. They may differ in length.
	Exchange(ctx context.Context, to [][]byte) ([][]byte, error)
	// Broadcast returns the bytes of one rank on every rank; those of the others are not read.
	Broadcast(ctx context.Context, from int, own []byte) ([]byte, error)
	// Barrier returns once every rank has called it.
	Barrier(ctx context.Context) error
}

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

// Span returns the run of n things that a rank has, if each gets runs of whole blocks: from ...
// to-1. The runs of all ranks follow each other, and differ by one block at most.
//
//	n 10, block 2, three ranks     0 1 2 3 | 4 5 6 7 | 8 9
func Span(n, block, rank, size int) (from, to int) {
	blocks := (n + block - 1) / block
	each, more := blocks/size, blocks%size
	first := rank*each + min(rank, more)
	last := first + each
	if rank < more {
		last++
	}
	return min(n, first*block), min(n, last*block)
}

// Part returns where the part of a rank is among numbers for SumParts: from ... to-1.
func Part(sizes []int, rank int) (from, to int) {
	for _, n := range sizes[:rank] {
		from += n
	}
	return from, from + sizes[rank]
}

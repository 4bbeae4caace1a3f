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

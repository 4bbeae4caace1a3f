package rankstest

import (
	"context"
	"errors"

	"github.com/coppice-ml/coppice/ranks"
)

// ErrFailed is the error of the operation that fails in a Failing group.
var ErrFailed = errors.New("an operation failed")

// Failing is a rank of a group in which one operation fails, on all ranks alike, and those after it
// do not. So nobody waits for a message, and an error that a caller loses is not followed by
// another one. The zero value of At fails the first operation.
type Failing struct {
	ranks.Group
	At    int // the operation that fails, from 0
	Calls int // operations so far
}

// fails counts an operation, and returns its error.
func (f *Failing) fails() error {
	f.Calls++
	if f.Calls-1 == f.At {
		return ErrFailed
	}
	return nil
}

// Sum is ranks.Group's.
func (f *Failing) Sum(ctx context.Context, x []int64) error {
	if err := f.fails(); err != nil {
		return err
	}
	return f.Group.Sum(ctx, x)
}

// SumParts is ranks.Group's. It fails in wait.
func (f *Failing) SumParts(ctx context.Context, x []int64, sizes []int) (wait func() error) {
	if err := f.fails(); err != nil {
		return func() error { return err }
	}
	return f.Group.SumParts(ctx, x, sizes)
}

// Gather is ranks.Group's.
func (f *Failing) Gather(ctx context.Context, own []byte) ([][]byte, error) {
	if err := f.fails(); err != nil {
		return nil, err
	}
	return f.Group.Gather(ctx, own)
}

// Exchange is ranks.Group's.
func (f *Failing) Exchange(ctx context.Context, to [][]byte) ([][]byte, error) {
	if err := f.fails(); err != nil {
		return nil, err
	}
	return f.Group.Exchange(ctx, to)
}

// Broadcast is ranks.Group's.
func (f *Failing) Broadcast(ctx context.Context, from int, own []byte) ([]byte, error) {
	if err := f.fails(); err != nil {
		return nil, err
	}
	return f.Group.Broadcast(ctx, from, own)
}

// Barrier is ranks.Group's.
func (f *Failing) Barrier(ctx context.Context) error {
	if err := f.fails(); err != nil {
		return err
	}
	return f.Group.Barrier(ctx)
}

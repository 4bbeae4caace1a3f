// Command coppice-mpi is the command coppice on several machines: mpirun starts it as ranks that
// train one model together.
//
//	go build -tags mpi ./cmd/coppice-mpi
//	mpirun -n 4 coppice-mpi train clicks.parquet --label clicked
//
// Every rank reads the tables. The model has the same bytes as that of coppice. When a rank ends,
// is frozen or fails, all ranks end with one line; a frozen one is noticed within mpi.Patience, or
// the time in the environment variable COPPICE_RANK_TIMEOUT.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/coppice-ml/coppice/cmd/coppice/command"
	"github.com/coppice-ml/coppice/ranks"
	"github.com/coppice-ml/coppice/ranks/mpi"
)

func main() {
	g, end, err := mpi.Start()
	if err != nil {
		fmt.Fprintln(os.Stderr, "coppice-mpi:", err)
		os.Exit(1)
	}
	status := run(g)
	end(status)
	os.Exit(status)
}

// run runs the command line as one rank, and returns the exit status.
func run(g ranks.Group) int {
	patience, err := timeout()
	if err != nil {
		if g.Rank() == 0 {
			fmt.Fprintln(os.Stderr, "coppice-mpi:", err)
		}
		return 2
	}
	w, ctx, err := mpi.NewWatch(context.Background(), g, patience)
	if err != nil {
		if g.Rank() == 0 {
			fmt.Fprintln(os.Stderr, "coppice-mpi:", err)
		}
		return 1
	}
	status, err := command.MainOf(ctx, g)
	if status == 0 {
		if err = g.Barrier(ctx); err == nil {
			w.Close()
			return 0
		}
		status = 1
	}
	if g.Rank() == 0 {
		w.Fail(err)
		return status
	}
	if lost := (*mpi.LostError)(nil); errors.As(context.Cause(ctx), &lost) && lost.Rank == 0 {
		fmt.Fprintln(os.Stderr, "coppice-mpi:", lost)
		return 1
	}
	select {
	case <-ctx.Done(): // rank 0 knows
	case <-time.After(2 * time.Second): // it may have met the same error
	}
	if errors.Is(err, context.Canceled) {
		err = errors.New("interrupted")
	}
	w.Fail(err)
	time.Sleep(2 * patience) // rank 0 prints the error, and ends this rank
	return status
}

// shortest is the least timeout: a rank that shares processors may get none for some seconds.
const shortest = 2 * time.Second

// timeout returns how long a rank may be silent, which all ranks read.
func timeout() (time.Duration, error) {
	text := os.Getenv("COPPICE_RANK_TIMEOUT")
	if text == "" {
		return mpi.Patience, nil
	}
	d, err := time.ParseDuration(text)
	if err != nil || d < shortest || d > time.Hour {
		return 0, fmt.Errorf("COPPICE_RANK_TIMEOUT=%q: want a time from %v to 1h, such as 15s", text,
			shortest)
	}
	return d, nil
}

// Command coppice-mpi is the command coppice on several machines: mpirun starts it as ranks that
// train one model together.
//
//	go build -tags mpi ./cmd/coppice-mpi
//	mpirun -n 4 coppice-mpi train clicks.parquet --label clicked
//
// Every rank reads the tables. The model has the same bytes as that of coppice. When a rank ends,
// is frozen or fails, all ranks end with one line; a frozen one is noticed within mpi.Patience, or
// the time in the environment variable COPPICE_RANK_TIMEOUT. All ranks must start within
// four times that, and so they must end.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"strconv"
	"syscall"
	"time"

	"github.com/coppice-ml/coppice/cmd/coppice/command"
	"github.com/coppice-ml/coppice/ranks"
	"github.com/coppice-ml/coppice/ranks/mpi"
)

func main() {
	patience, wrong := timeout()
	starting := begin(patience)
	g, end, err := mpi.Start()
	if err != nil {
		fmt.Fprintln(os.Stderr, "coppice-mpi:", err)
		os.Exit(1)
	}
	status := 2
	if wrong == nil {
		status = run(g, patience, starting)
	} else if g.Rank() == 0 {
		fmt.Fprintln(os.Stderr, "coppice-mpi:", wrong)
	}
	limit(patience, "ended")
	end(status)
	os.Exit(status)
}

// start is what ends this process while the ranks start: time, or a signal.
type start struct {
	limit   *time.Timer
	signals chan os.Signal
}

// begin prints a line when mpirun ends this process while the ranks start, as it does when one of
// them has ended. The first rank prints it, unless it is that one.
func begin(patience time.Duration) *start {
	s := &start{limit(patience, "started"), make(chan os.Signal, 1)}
	signal.Notify(s.signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		got, open := <-s.signals
		if !open {
			return
		}
		if launched() == 0 {
			fmt.Fprintf(os.Stderr, "coppice-mpi: ended by a signal (%v) before all ranks had "+
				"started: mpirun ends them when one of them has ended\n", got)
		}
		os.Exit(1)
	}()
	return s
}

// done ends the start: all ranks are there.
func (s *start) done() {
	s.limit.Stop()
	signal.Stop(s.signals)
	close(s.signals)
}

// limit ends this process with one line unless the timer that it returns is stopped within four
// times patience. MPI waits for ever for a rank that is frozen while it starts or ends, when there
// are no heartbeats. The first rank to end ends the others, by mpirun; so that one of them prints,
// each waits a little longer than the one before it.
func limit(patience time.Duration, done string) *time.Timer {
	most := 4 * patience
	return time.AfterFunc(most+time.Duration(launched())*patience/10, func() {
		fmt.Fprintf(os.Stderr, "coppice-mpi: the ranks have not all %s within %v: one of them is "+
			"lost or frozen, or its host is slow (COPPICE_RANK_TIMEOUT sets a quarter of this "+
			"time)\n", done, most)
		os.Exit(1)
	})
}

// launched returns the rank of this process by what Open MPI, MPICH or Slurm has put into its
// environment, before MPI itself is asked; 0 if there is nothing.
func launched() int {
	for _, name := range []string{"OMPI_COMM_WORLD_RANK", "PMI_RANK", "SLURM_PROCID"} {
		if n, err := strconv.Atoi(os.Getenv(name)); err == nil && n > 0 {
			return min(n, mostDelays)
		}
	}
	return 0
}

// mostDelays bounds the delays of limit to twice the patience.
const mostDelays = 20

// run runs the command line as one rank, and returns the exit status.
func run(g ranks.Group, patience time.Duration, starting *start) int {
	w, ctx, err := mpi.NewWatch(context.Background(), g, patience)
	starting.done()
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
		return mpi.Patience, fmt.Errorf("COPPICE_RANK_TIMEOUT=%q: want a time from %v to 1h, such as 15s", text,
			shortest)
	}
	return d, nil
}

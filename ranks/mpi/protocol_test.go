package mpi

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/internal/testing/tier"
)

// wire is one direction of a link: what one rank has sent another, and has not arrived yet. It
// stands in for the connection of the rank that sends.
type wire struct {
	net.Conn
	lines  []string
	closed bool // by the rank that sends, which has ended
	read   bool // the other reads no more
}

func (*wire) SetWriteDeadline(time.Time) error { return nil }

func (w *wire) Write(b []byte) (int, error) {
	if w.read {
		return 0, io.ErrClosedPipe
	}
	w.lines = append(w.lines, strings.TrimSpace(string(b)))
	return len(b), nil
}

// What may happen to a rank at its work.
const (
	works   = iota
	fails   // and reports it
	ends    // as a process that is killed
	freezes // sends nothing any more, and takes nothing
	fates
)

// watcher is a rank whose work is simulated.
type watcher struct {
	*Watch
	ctx          context.Context
	fate         int
	worked, gone bool
	cause        error         // when it left
	from         map[int]*wire // what others send it
	links        map[int]*link // by the rank that sends
}

// watchers links ranks as NewWatch does.
func watchers(n int) []*watcher {
	all := make([]*watcher, n)
	for rank := range all {
		ctx, cancel := context.WithCancelCause(context.Background())
		all[rank] = &watcher{Watch: &Watch{rank: rank, patience: time.Second, cancel: cancel},
			ctx: ctx, from: map[int]*wire{}, links: map[int]*link{}}
	}
	all[0].Watch.links = make([]*link, n)
	for rank := 1; rank < n; rank++ {
		join := func(from, to int) *link {
			w := &wire{}
			all[to].from[from] = w
			return &link{rank: to, name: fmt.Sprintf("rank %d on a host", to), conn: w}
		}
		all[0].Watch.links[rank] = join(0, rank)
		all[rank].Watch.links = []*link{join(rank, 0)}
		all[0].links[rank], all[rank].links[0] = all[0].Watch.links[rank], all[rank].Watch.links[0]
	}
	return all
}

// leave ends the process of a rank.
func (w *watcher) leave(all []*watcher) {
	w.gone = true
	for _, other := range all {
		if wire := other.from[w.rank]; wire != nil {
			wire.closed = true
		}
		if wire := w.from[other.rank]; wire != nil {
			wire.read = true
		}
	}
}

// turns returns what can happen next.
func turns(all []*watcher) (next []func()) {
	finished := true // ranks leave their work together, as the operations of a group make them do
	for _, w := range all {
		finished = finished && w.worked && w.fate == works
	}
	for _, w := range all {
		frozen := w.worked && w.fate == freezes
		if w.gone || frozen {
			continue
		}
		if !w.worked {
			next = append(next, func() { w.work(all) })
		}
		if w.ctx.Err() != nil || finished {
			next = append(next, func() {
				w.cause = context.Cause(w.ctx)
				w.Close()
				w.leave(all)
			})
		}
		for from, wire := range w.from {
			if wire.read {
				continue
			}
			sender := all[from]
			var line string
			var err error
			switch {
			case len(wire.lines) > 0:
				line = wire.lines[0]
			case wire.closed:
				err = io.EOF
			case sender.fate == freezes && sender.worked:
				err = os.ErrDeadlineExceeded
			default:
				continue
			}
			next = append(next, func() {
				if err == nil {
					wire.lines = wire.lines[1:]
				}
				wire.read = !w.hear(w.links[from], line, err)
			})
		}
	}
	return next
}

// work is the work of a rank, which comes to what its fate is.
func (w *watcher) work(all []*watcher) {
	w.worked = true
	switch w.fate {
	case fails:
		w.Fail(errors.New("the disk is full"))
	case ends:
		w.leave(all)
	}
}

// TestProtocol: in whatever order lines arrive and ranks take their turns, one that fails, ends or
// freezes at its work ends the work of all others, and ranks that all work end well.
func TestProtocol(t *testing.T) {
	for seed := range uint64(tier.Count(2000, 20_000, 1_000_000)) {
		checkProtocol(t, seed)
	}
}

func checkProtocol(t *testing.T, seed uint64) {
	r := rng.New(seed)
	all := watchers(2 + r.Intn(4))
	lost := 0
	for range r.Intn(3) {
		w := all[r.Intn(len(all))]
		if w.fate == works {
			w.fate = r.Intn(fates)
		}
		lost += min(w.fate, 1)
	}
	for next := turns(all); len(next) > 0; next = turns(all) {
		next[r.Intn(len(next))]()
	}
	for _, w := range all {
		switch text := fmt.Sprint(w.cause); {
		case w.fate == freezes || w.fate == ends:
		case !w.gone:
			t.Fatalf("seed %d: rank %d waits for ever", seed, w.rank)
		case lost == 0 && w.cause != nil:
			t.Fatalf("seed %d: all ranks work, and rank %d ends by %v", seed, w.rank, w.cause)
		case w.fate == fails && lost == 1 && !strings.Contains(text, "the disk is full"),
			w.rank == 0 && lost > 0 && w.fate == works && !strings.HasPrefix(text, "rank "),
			w.rank > 0 && lost > 0 && w.fate == works && !strings.HasPrefix(text, "rank 0 "):
			t.Fatalf("seed %d: rank %d ends by %v", seed, w.rank, w.cause)
		}
	}
}

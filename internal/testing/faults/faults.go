// Package faults owns what tests do to the calls of package outside: the N-th one fails, a write is
// torn, or a disk is full. A server stalls, a file changes under its reader, or a clock is wrong.
package faults

import (
	"fmt"
	"slices"
	"sync"
	"syscall"
	"time"

	"github.com/coppice-ml/coppice/internal/outside"
	"github.com/coppice-ml/coppice/internal/rng"
)

// Fault is a kind of damage.
type Fault struct {
	Name string
	// Harmless reports that the result must be right all the same.
	Harmless bool
	// Done reports that calls which return an error may have had their effect.
	Done bool
	// Lasting reports that all calls behind the N-th one are hit too.
	Lasting bool
	// hits reports whether a call is one that the fault can hit. The N-th of these is hit.
	hits   func(c outside.Call) bool
	before func() // makes the damage of Before
	// of returns what becomes of a call that is hit.
	of func(c outside.Call, r *rng.Stream) outside.Fault
}

// Table lists the faults, but for those of single scenarios.
func Table() []Fault {
	return []Fault{
		{Name: "error", hits: anyFile, of: fails(syscall.EIO)},
		{Name: "lasting error", Lasting: true, hits: anyFile, of: fails(syscall.EIO)},
		{Name: "late error", Done: true, hits: only(outside.Read, outside.Write, outside.Sync,
			outside.Close, outside.Rename, outside.Link, outside.Remove, outside.Receive),
			of: func(c outside.Call, r *rng.Stream) outside.Fault {
				return outside.Fault{Err: syscall.EIO, Done: true}
			}},
		{Name: "torn write", hits: only(outside.Write), of: func(
			c outside.Call, r *rng.Stream) outside.Fault {
			return outside.Fault{Err: syscall.EIO, Bytes: r.Intn(max(1, c.Size))}
		}},
		{Name: "full disk", Lasting: true, hits: only(outside.Write, outside.Create), of: func(
			c outside.Call, r *rng.Stream) outside.Fault {
			return outside.Fault{Err: syscall.ENOSPC, Bytes: r.Intn(max(1, c.Size))}
		}},
		{Name: "short reads", Harmless: true, Lasting: true, hits: only(outside.Read, outside.Receive),
			of: func(c outside.Call, r *rng.Stream) outside.Fault {
				return outside.Fault{Bytes: 1 + r.Intn(max(1, min(c.Size, 3000)))}
			}},
		{Name: "stall", Harmless: true, hits: only(outside.Request, outside.Receive), of: func(
			outside.Call, *rng.Stream) outside.Fault {
			return outside.Fault{Stall: true}
		}},
		{Name: "broken connections", Lasting: true, hits: only(outside.Request, outside.Receive),
			of: func(c outside.Call, r *rng.Stream) outside.Fault {
				return outside.Fault{Err: syscall.ECONNRESET, Bytes: r.Intn(max(1, c.Size))}
			}},
		{Name: WrongClock, Harmless: true, Lasting: true, hits: only(outside.Clock), of: func(
			_ outside.Call, r *rng.Stream) outside.Fault {
			return outside.Fault{Time: noon.Add(time.Duration(r.Intn(2001)-1000) * time.Hour)}
		}},
		// The number is that of a seed.
		{Name: Seeded, Lasting: true, hits: anyFile, of: func(
			c outside.Call, r *rng.Stream) outside.Fault {
			if r.Intn(30) > 0 {
				return outside.Fault{}
			}
			return outside.Fault{Err: syscall.EIO, Bytes: r.Intn(max(1, c.Size))}
		}},
	}
}

// Names of faults that tests treat in another way.
const (
	WrongClock = "wrong clock"
	Seeded     = "one call in 30" // whose number is that of a seed, not of a call
)

// anyFile reports whether a call is one of a file or of a server.
func anyFile(c outside.Call) bool { return c.Kind != outside.Clock && c.Kind != outside.Wait }

func only(kinds ...outside.Kind) func(outside.Call) bool {
	return func(c outside.Call) bool { return slices.Contains(kinds, c.Kind) }
}

func fails(err error) func(outside.Call, *rng.Stream) outside.Fault {
	return func(outside.Call, *rng.Stream) outside.Fault { return outside.Fault{Err: err} }
}

// Before returns the fault that a function is called before the N-th call: it changes a file that
// is being read, or interrupts the work.
func Before(name string, do func()) Fault {
	return Fault{Name: name, before: do, hits: anyFile, of: func(
		outside.Call, *rng.Stream) outside.Fault {
		do()
		return outside.Fault{}
	}}
}

// Session is a time in which calls are judged.
type Session struct {
	Calls int            // that the fault could have hit
	Hit   []outside.Call // those that it has hit
	end   func()
}

// Patience is what a wait for a server becomes, be it 20 seconds.
const patience = 30 * time.Millisecond

// noon is what the clock shows unless it is wrong, so that results with times are the same.
var noon = time.Date(2026, time.March, 1, 12, 0, 0, 0, time.UTC)

// Begin lets a fault hit its N-th call, from 1; 0 = none. Waits are short, nothing is synced, and
// the clock stands still.
func (f *Fault) Begin(n int) *Session {
	s := &Session{}
	var mu sync.Mutex
	r := rng.New(uint64(n), forFaults)
	seeded := f.Name == Seeded
	s.end = outside.Judge(func(c outside.Call) (fault outside.Fault) {
		mu.Lock()
		defer mu.Unlock()
		switch {
		case c.Kind == outside.Wait && c.Wait >= time.Second:
			return outside.Fault{Shift: patience - c.Wait}
		case c.Kind == outside.Wait:
			return outside.Fault{Shift: -c.Wait}
		case f.hits != nil && f.hits(c):
			s.Calls++
			if n > 0 && (seeded || s.Calls == n || f.Lasting && s.Calls > n) {
				fault = f.of(c, r)
				if f.before != nil || fault != (outside.Fault{}) {
					s.Hit = append(s.Hit, c)
				}
			}
		}
		switch {
		case fault != (outside.Fault{}):
		case c.Kind == outside.Sync:
			fault.Skip = true
		case c.Kind == outside.Clock:
			fault.Time = noon
		}
		return fault
	})
	return s
}

const forFaults = 0x6661756c74 // "fault"

// End ends the session.
func (s *Session) End() { s.end() }

// Removal reports whether the removal of a file was hit.
func (s *Session) Removal(name string) bool {
	return slices.ContainsFunc(s.Hit, func(c outside.Call) bool {
		return c.Kind == outside.Remove && c.Name == name
	})
}

// String names what was hit.
func (s *Session) String() string {
	if len(s.Hit) == 0 {
		return fmt.Sprintf("nothing of %d calls", s.Calls)
	}
	c := s.Hit[0]
	return fmt.Sprintf("%d of %d calls, the first one %s %s of %d bytes", len(s.Hit), s.Calls, c.Kind,
		c.Name, c.Size)
}

package rankstest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/ranks"
)

// Schedule is one of the orders in which ranks and their messages may take their turns. One rank
// runs at a time, until it waits for a message. Then the seed decides who is next: another rank, or
// a message that arrives. Messages of one rank to another arrive in the order in which they were
// sent, as MPI guarantees, and all others in any order:
//
//	rank 0 --- 5 4 3 ---> rank 1       3 arrives before 4
//	       --- 5 4 ----> rank 2       perhaps before all of them
//
// A rank that needs nobody runs ahead: the one that broadcasts does not wait for the others. Sums
// in parts are taken when their messages arrive, as MPI may read them at any time before the wait
// ends.
//
// Where no rank can run and no message is on its way, the group is lost: nobody waits for ever, and
// no test needs a clock.
type Schedule struct {
	Ranks int
	Seed  uint64
	// what goes wrong, and at which message or operation, counted from 0 over all ranks
	Fault Fault
	At    int
}

// Fault is what goes wrong once in a Schedule.
type Fault uint8

// The faults.
const (
	NoFault     Fault = iota
	LostMessage       // a message does not arrive, nor those behind it from the same rank to the same
	LostRank          // an operation fails on one rank, and the others hear of it later
	FrozenRank        // an operation never ends on one rank
)

func (f Fault) String() string {
	return [...]string{"no fault", "lost message", "lost rank", "frozen rank"}[f]
}

// ErrLost is what errors of a lost group wrap.
var ErrLost = errors.New("the group is lost")

// Outcome is what a Schedule came to.
type Outcome struct {
	Errors               []error // by rank
	Messages, Operations int     // that there were
}

// Run calls f as each rank, and returns once all have returned. The same schedule has the same
// outcome each time, unless f does not depend on its group alone.
func (s Schedule) Run(f func(g ranks.Group) error) Outcome {
	w := &world{Schedule: s, order: rng.New(s.Seed), yields: make(chan struct{})}
	w.speed = make([]int, s.Ranks*(s.Ranks+1))
	for i := range w.speed {
		w.speed[i] = 1 << (4 * w.order.Intn(3))
	}
	for i := range s.Ranks {
		w.ranks = append(w.ranks, &scheduled{world: w, rank: i, turn: make(chan struct{}),
			ready: true, ways: make([]way, s.Ranks)})
	}
	out := Outcome{Errors: make([]error, s.Ranks)}
	var wait sync.WaitGroup
	for i, r := range w.ranks {
		wait.Go(func() {
			<-r.turn
			out.Errors[i] = f(r)
			if out.Errors[i] == nil {
				out.Errors[i] = r.left()
			}
			r.ended, r.ready = true, false
			w.yields <- struct{}{}
		})
	}
	w.run()
	wait.Wait()
	out.Messages, out.Operations = w.messages, w.operations
	return out
}

// Each calls f as each of n ranks, in the order of a seed, and returns the errors by rank.
func Each(n int, f func(g ranks.Group) error) []error {
	return Schedule{Ranks: n, Seed: uint64(n)}.Run(f).Errors
}

// world is the ranks of a schedule. Only the goroutine whose turn it is uses it.
type world struct {
	Schedule
	order                *rng.Stream
	speed                []int // of ranks, then of the ways between them, so that some are always late
	ranks                []*scheduled
	yields               chan struct{} // from the rank whose turn it was
	messages, operations int
	lost                 error // why; nil = it is not
}

// message is what a rank sends another in an operation.
type message struct {
	name string // of the operation, with what must be the same on all ranks
	body func() any
	end  bool // the group is lost
}

// way is the messages from one rank to another: those that are on their way, and those that have
// arrived and are not taken.
type way struct {
	flying  []message
	arrived []arrived
	cut     bool // nothing arrives any more
}

type arrived struct {
	name string
	body any
}

// scheduled is a rank of a world, the Group that f gets.
type scheduled struct {
	world *world
	rank  int
	turn  chan struct{}
	ready bool // to run
	ended bool

	ways    []way // by the rank that sends
	needs   []bool
	frozen  bool
	err     error // the group is lost, as far as this rank knows
	refused int   // operations since then
	pending string
}

// run gives turns until all ranks have ended.
func (w *world) run() {
	for {
		var turns []func()
		var weights []int
		all := 0
		offer := func(speed int, turn func()) {
			turns, weights, all = append(turns, turn), append(weights, speed), all+speed
		}
		ended := true
		for i, r := range w.ranks {
			ended = ended && r.ended
			if r.ready {
				offer(w.speed[i], func() {
					r.turn <- struct{}{}
					<-w.yields
				})
			}
			for from := range r.ways {
				if way := &r.ways[from]; !r.ended && len(way.flying) > 0 && !way.cut {
					offer(w.speed[(i+1)*w.Ranks+from], func() { r.arrive(from) })
				}
			}
		}
		switch {
		case ended:
			return
		case all == 0:
			w.lose(errors.New(w.stuck()))
			for _, r := range w.ranks {
				r.hear()
			}
			continue
		}
		k := 0
		for at := w.order.Intn(all); at >= weights[k]; k++ {
			at -= weights[k]
		}
		turns[k]()
	}
}

// stuck describes what the ranks wait for that will never come.
func (w *world) stuck() string {
	var all []string
	for _, r := range w.ranks {
		if r.ended {
			all = append(all, fmt.Sprintf("rank %d has ended", r.rank))
		} else {
			all = append(all, fmt.Sprintf("rank %d waits in %s", r.rank, r.pending))
		}
	}
	return "no rank can run: " + strings.Join(all, ", ")
}

// lose loses the group; why is the first reason.
func (w *world) lose(why error) {
	if w.lost == nil {
		w.lost = fmt.Errorf("%w: %w", ErrLost, why)
	}
}

// hear makes a rank know that the group is lost.
func (r *scheduled) hear() {
	if r.err == nil {
		r.err = r.world.lost
	}
	r.frozen = false
	r.ready = !r.ended
}

// arrive takes the next message of a rank from its way.
func (r *scheduled) arrive(from int) {
	way := &r.ways[from]
	m := way.flying[0]
	way.flying = way.flying[1:]
	if m.end {
		r.hear()
		return
	}
	way.arrived = append(way.arrived, arrived{m.name, m.body()})
	r.ready = r.ready || r.complete()
}

// complete reports whether all that the rank waits for has arrived.
func (r *scheduled) complete() bool {
	if r.needs == nil || r.frozen {
		return false
	}
	for from, needed := range r.needs {
		if needed && len(r.ways[from].arrived) == 0 {
			return false
		}
	}
	return true
}

// maxRefused is how many operations a rank may call of a group that is lost before it is taken for
// one that never ends.
const maxRefused = 1000

// begin begins an operation, and sends each rank in to what it gets.
func (r *scheduled) begin(ctx context.Context, name string, to func(rank int) func() any) error {
	w := r.world
	number := w.operations
	w.operations++
	if r.pending != "" {
		w.lose(fmt.Errorf("rank %d calls %s before it has waited for %s", r.rank, name, r.pending))
		r.hear()
	}
	if r.err == nil && ctx.Err() != nil {
		r.fail(context.Cause(ctx))
	}
	if r.err == nil && w.Fault == LostRank && number == w.At {
		r.fail(fmt.Errorf("rank %d fails in operation %d", r.rank, number))
	}
	if r.err != nil {
		if r.refused++; r.refused > maxRefused {
			panic(fmt.Sprintf("rank %d calls on and on: %v", r.rank, r.err))
		}
		return r.err
	}
	r.pending = name
	if r.frozen = w.Fault == FrozenRank && number == w.At; r.frozen {
		return nil
	}
	for rank, other := range w.ranks {
		if body := to(rank); body != nil && rank != r.rank {
			other.ways[r.rank].send(w, message{name: name, body: body})
		}
	}
	return nil
}

// send puts a message on its way.
func (way *way) send(w *world, m message) {
	if w.Fault == LostMessage && w.messages == w.At {
		way.cut = true
	}
	w.messages++
	way.flying = append(way.flying, m)
}

// fail loses the group, which others hear of by messages that overtake those before.
func (r *scheduled) fail(why error) {
	w := r.world
	w.lose(why)
	r.hear()
	for rank, other := range w.ranks {
		if rank != r.rank {
			way := &other.ways[r.rank]
			way.flying, way.cut = []message{{end: true}}, false
		}
	}
}

// end waits until those have sent that the operation needs, and returns by rank what they sent.
func (r *scheduled) end(ctx context.Context, needs func(rank int) bool) ([]any, error) {
	w := r.world
	r.needs = make([]bool, w.Ranks)
	for from := range r.needs {
		r.needs[from] = from != r.rank && needs(from)
	}
	// Even a rank that has all it needs lets others go first, if the seed wills it.
	r.ready = r.err != nil || r.complete()
	w.yields <- struct{}{}
	<-r.turn
	name := r.pending
	if r.pending = ""; r.err == nil && ctx.Err() != nil {
		r.fail(context.Cause(ctx))
	}
	if r.err != nil {
		return nil, r.err
	}
	bodies := make([]any, w.Ranks)
	for from, needed := range r.needs {
		if !needed {
			continue
		}
		way := &r.ways[from]
		first := way.arrived[0]
		way.arrived = way.arrived[1:]
		if first.name != name {
			r.fail(fmt.Errorf("rank %d calls %s where rank %d calls %s", r.rank, name, from,
				first.name))
			return nil, r.err
		}
		bodies[from] = first.body
	}
	return bodies, nil
}

// left checks a rank that has ended without an error.
func (r *scheduled) left() error {
	if r.err != nil {
		return nil
	}
	if r.pending != "" {
		return fmt.Errorf("rank %d has not waited for %s", r.rank, r.pending)
	}
	for from, way := range r.ways {
		if len(way.arrived) > 0 {
			return fmt.Errorf("rank %d ends without %s of rank %d", r.rank, way.arrived[0].name, from)
		}
	}
	return nil
}

func (r *scheduled) Rank() int { return r.rank }
func (r *scheduled) Size() int { return r.world.Ranks }

// all is the ranks that most operations need.
func all(int) bool { return true }

// trade is an operation in which each rank sends every other one something, as it is now, and needs
// what all have sent. It returns that by rank, its own included.
func trade[T any](
	ctx context.Context, r *scheduled, name string, to func(rank int) T,
) ([]T, error) {
	err := r.begin(ctx, name, func(rank int) func() any {
		body := to(rank)
		return func() any { return body }
	})
	if err != nil {
		return nil, err
	}
	bodies, err := r.end(ctx, all)
	if err != nil {
		return nil, err
	}
	found := make([]T, r.world.Ranks)
	for from := range found {
		if found[from] = to(r.rank); from != r.rank {
			found[from] = bodies[from].(T)
		}
	}
	return found, nil
}

func (r *scheduled) Sum(ctx context.Context, x []int64) error {
	own := slices.Clone(x)
	found, err := trade(ctx, r, fmt.Sprintf("Sum of %d numbers", len(x)),
		func(int) []int64 { return own })
	if err != nil {
		return err
	}
	clear(x)
	for _, other := range found {
		for i, v := range other {
			x[i] += v
		}
	}
	return nil
}

// SumParts leaves numbers that nobody adds up outside of the rank's own part.
func (r *scheduled) SumParts(ctx context.Context, x []int64, sizes []int) (wait func() error) {
	name := fmt.Sprintf("SumParts of %d", sizes)
	err := r.begin(ctx, name, func(rank int) func() any {
		from, to := ranks.Part(sizes, rank)
		return func() any { return slices.Clone(x[from:to]) }
	})
	return func() error {
		if err != nil {
			return err
		}
		bodies, err := r.end(ctx, all)
		if err != nil {
			return err
		}
		from, to := ranks.Part(sizes, r.rank)
		// Messages of this rank may still be on their way: MPI has its own copy from here on.
		own := slices.Clone(x)
		for rank, other := range r.world.ranks {
			first, last := ranks.Part(sizes, rank)
			other.ways[r.rank].settle(name, own[first:last])
		}
		for i := range x {
			if i < from || i >= to {
				x[i] = unread
			}
		}
		for _, other := range bodies {
			if other == nil {
				continue
			}
			for i, v := range other.([]int64) {
				x[from+i] += v
			}
		}
		return nil
	}
}

// unread stands where numbers are not to be read.
const unread = -0x5ca1ab1e5ca1ab1e

// settle gives the last message of an operation that is on its way numbers of its own.
func (way *way) settle(name string, numbers []int64) {
	if n := len(way.flying); n > 0 && way.flying[n-1].name == name {
		way.flying[n-1].body = func() any { return numbers }
	}
}

func (r *scheduled) Gather(ctx context.Context, own []byte) ([][]byte, error) {
	return trade(ctx, r, "Gather", func(int) []byte { return slices.Clone(own) })
}

func (r *scheduled) Exchange(ctx context.Context, to [][]byte) ([][]byte, error) {
	return trade(ctx, r, "Exchange", func(rank int) []byte { return slices.Clone(to[rank]) })
}

func (r *scheduled) Broadcast(ctx context.Context, from int, own []byte) ([]byte, error) {
	b := slices.Clone(own)
	err := r.begin(ctx, fmt.Sprintf("Broadcast of rank %d", from), func(int) func() any {
		if r.rank != from {
			return nil
		}
		return func() any { return slices.Clone(b) }
	})
	if err != nil {
		return nil, err
	}
	bodies, err := r.end(ctx, func(rank int) bool { return rank == from })
	if err != nil || r.rank == from {
		return b, err
	}
	return bodies[from].([]byte), nil
}

func (r *scheduled) Barrier(ctx context.Context) error {
	_, err := trade(ctx, r, "Barrier", func(int) bool { return true })
	return err
}

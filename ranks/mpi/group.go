//go:build mpi

package mpi

/*
#include <mpi.h>
#include <stdint.h>
#include <stdlib.h>

// MPI's handles are macros, which cgo cannot read.
static MPI_Comm world(void) { return MPI_COMM_WORLD; }

static int start(int *rank, int *size) {
	int given = 0;
	int e = MPI_Init_thread(0, 0, MPI_THREAD_SERIALIZED, &given);
	if (e != MPI_SUCCESS) return e;
	if (given < MPI_THREAD_SERIALIZED) return -1;
	MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
	MPI_Comm_rank(MPI_COMM_WORLD, rank);
	return MPI_Comm_size(MPI_COMM_WORLD, size);
}

static int sum(int64_t *x, int n, MPI_Request *r) {
	return MPI_Iallreduce(MPI_IN_PLACE, x, n, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD, r);
}

static int parts(int64_t *x, int *size, int *from, int64_t *all, int *own, int *at, MPI_Request *r) {
	return MPI_Ialltoallv(x, size, from, MPI_INT64_T, all, own, at, MPI_INT64_T, MPI_COMM_WORLD, r);
}

static int scatter(int64_t *x, int64_t *own, int *size, MPI_Request *r) {
	return MPI_Ireduce_scatter(x, own, size, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD, r);
}

static int frames(void *own, int n, void *all, MPI_Request *r) {
	return MPI_Iallgather(own, n, MPI_BYTE, all, n, MPI_BYTE, MPI_COMM_WORLD, r);
}

static int gather(void *own, int n, void *all, int *count, int *at, MPI_Request *r) {
	return MPI_Iallgatherv(own, n, MPI_BYTE, all, count, at, MPI_BYTE, MPI_COMM_WORLD, r);
}

static int lengths(int *own, int *all, MPI_Request *r) {
	return MPI_Ialltoall(own, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD, r);
}

static int exchange(void *own, int *size, int *from, void *all, int *sizes, int *at, MPI_Request *r) {
	return MPI_Ialltoallv(own, size, from, MPI_BYTE, all, sizes, at, MPI_BYTE, MPI_COMM_WORLD, r);
}

static int broadcast(void *b, int n, int from, MPI_Request *r) {
	return MPI_Ibcast(b, n, MPI_BYTE, from, MPI_COMM_WORLD, r);
}

static int barrier(MPI_Request *r) { return MPI_Ibarrier(MPI_COMM_WORLD, r); }

// test tests an operation up to some times, since a call from Go takes longer than a test.
static int test(MPI_Request *r, int times, int *done) {
	int e = MPI_SUCCESS;
	*done = 0;
	for (int i = 0; i < times && !*done && e == MPI_SUCCESS; i++) e = MPI_Test(r, done, MPI_STATUS_IGNORE);
	return e;
}

static void describe(int error, char *text, int *n) { MPI_Error_string(error, text, n); }
static void stop(void) { MPI_Finalize(); }
static void quit(int status) { MPI_Abort(MPI_COMM_WORLD, status); }
*/
import "C"

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"runtime"
	"time"
	"unsafe"

	"github.com/coppice-ml/coppice/internal/kernel"
	"github.com/coppice-ml/coppice/ranks"
)

// group is the ranks of MPI_COMM_WORLD.
type group struct {
	rank, size int
	request    *C.MPI_Request // in memory of C: MPI keeps its address
	lost       error          // of the first operation that failed
	parts      []int64        // memory of SumParts
}

// Start joins the processes that mpirun has started; without mpirun it is a group of one. end
// leaves the group: with status 0 once all ranks call it, with another it ends the processes of all
// ranks.
func Start() (g ranks.Group, end func(status int), err error) {
	var rank, size C.int
	if e := C.start(&rank, &size); e == -1 {
		return nil, nil, errors.New("this MPI takes no calls from several threads: use another build")
	} else if e != C.MPI_SUCCESS {
		return nil, nil, fault("starting", e)
	}
	own := &group{rank: int(rank), size: int(size),
		request: (*C.MPI_Request)(C.malloc(C.size_t(unsafe.Sizeof(*new(C.MPI_Request)))))}
	return own, own.end, nil
}

func (g *group) end(status int) {
	if status != 0 {
		C.quit(C.int(status))
	}
	C.stop()
}

func (g *group) Rank() int { return g.rank }
func (g *group) Size() int { return g.size }

// fault describes an error of MPI.
func fault(what string, e C.int) error {
	var text [C.MPI_MAX_ERROR_STRING]C.char
	n := C.int(0)
	C.describe(e, &text[0], &n)
	return fmt.Errorf("%s MPI: %s", what, C.GoStringN(&text[0], n))
}

// An operation is tested spins times in one call. Other threads get the processor after each; after
// restless of them the rank sleeps between tests, since ranks may have to share processors.
const (
	spins    = 200
	restless = 2000
	nap      = 50 * time.Microsecond
)

// wait waits until an operation is complete that begin has begun with memory that is pinned.
func (g *group) wait(ctx context.Context, begin func() C.int) error {
	g.begin(ctx, begin)
	if g.lost == nil {
		g.lost = g.complete(ctx)
	}
	return g.lost
}

// begin begins an operation unless the group is lost.
func (g *group) begin(ctx context.Context, begin func() C.int) {
	switch {
	case g.lost != nil:
	case ctx.Err() != nil:
		g.lost = context.Cause(ctx)
	default:
		if e := begin(); e != C.MPI_SUCCESS {
			g.lost = fault("calling", e)
		}
	}
}

// complete waits for the operation that was begun.
func (g *group) complete(ctx context.Context) error {
	for turn := 0; ; turn++ {
		done, err := g.test(spins)
		switch {
		case done || err != nil:
			return err
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case turn < restless:
			runtime.Gosched()
		default:
			time.Sleep(nap)
		}
	}
}

// test tests the operation that was begun up to some times, and reports whether it is complete.
func (g *group) test(times C.int) (bool, error) {
	var done C.int
	if e := C.test(g.request, times, &done); e != C.MPI_SUCCESS {
		return false, fault("waiting for", e)
	}
	return done != 0, nil
}

// glance is the time between two tests of an operation while the rank computes. MPI proceeds with a
// message only while it is called.
const glance = 200 * time.Microsecond

// start begins an operation with memory that p pins. Until the function that it returns is called,
// which waits for it, a goroutine tests it now and then. The two never call MPI at the same time.
func (g *group) start(
	ctx context.Context, p *runtime.Pinner, begin func() C.int,
) (wait func() error) {
	if g.begin(ctx, begin); g.lost != nil {
		p.Unpin()
		return func() error { return g.lost }
	}
	type state struct {
		done bool
		err  error
	}
	waited, ended := make(chan struct{}), make(chan state, 1)
	go func() {
		var s state
		glances := time.NewTicker(glance)
		defer glances.Stop()
		for !s.done && s.err == nil {
			select {
			case <-waited:
				ended <- s
				return
			case <-glances.C:
				s.done, s.err = g.test(1)
			}
		}
		ended <- s
	}()
	return func() error {
		close(waited)
		s := <-ended
		if g.lost = s.err; !s.done && s.err == nil {
			g.lost = g.complete(ctx)
		}
		g.unpin(p)
		return g.lost
	}
}

// unpin ends the use of memory by an operation. What a lost one still uses is never unpinned.
func (g *group) unpin(p *runtime.Pinner) {
	if g.lost == nil {
		p.Unpin()
	} else {
		keep = append(keep, p)
	}
}

// pin pins some elements, and returns the address of the first one.
func pin[T any](p *runtime.Pinner, x []T) unsafe.Pointer {
	if len(x) == 0 {
		return nil
	}
	p.Pin(&x[0])
	return unsafe.Pointer(&x[0])
}

// pinned calls f with the address of the first of some elements, which stay where they are until it
// returns.
func pinned[T any](g *group, x []T, f func(p unsafe.Pointer) error) error {
	p := new(runtime.Pinner)
	err := f(pin(p, x))
	g.unpin(p)
	return err
}

// keep holds what MPI may still write to.
var keep []*runtime.Pinner

// piece is the number of elements that an operation takes at once: MPI counts with 32 bits.
const piece = 1 << 27

func (g *group) Sum(ctx context.Context, x []int64) error {
	return pinned(g, x, func(p unsafe.Pointer) error {
		for from := 0; from < len(x) || from == 0; from += piece {
			n := min(piece, len(x)-from)
			at := (*C.int64_t)(unsafe.Add(p, 8*from))
			if err := g.wait(ctx, func() C.int { return C.sum(at, C.int(n), g.request) }); err != nil {
				return err
			}
		}
		return nil
	})
}

// direct is the number of ranks up to which SumParts sends each rank its part: each number is then
// sent once. More ranks add up in a tree, as MPI does it, which takes fewer messages. See
// tools/ranksim.
var direct = 16

func (g *group) SumParts(ctx context.Context, x []int64, sizes []int) (wait func() error) {
	from, to := ranks.Part(sizes, g.rank)
	n := to - from
	if g.size > direct {
		return g.sumByTree(ctx, x, sizes, x[from:to])
	}
	if len(x) > math.MaxInt32 || n*g.size > math.MaxInt32 {
		return func() error { return errTooMany }
	}
	c := make([]C.int, 4*g.size)
	size, at, own, places := c[:g.size], c[g.size:2*g.size], c[2*g.size:3*g.size], c[3*g.size:]
	others := 0
	for rank, k := range sizes {
		if rank == g.rank {
			continue // its own part stays where it is
		}
		first, _ := ranks.Part(sizes, rank)
		size[rank], at[rank], own[rank], places[rank] = C.int(k), C.int(first), C.int(n),
			C.int(others*n)
		others++
	}
	if cap(g.parts) < n*others {
		g.parts = make([]int64, n*others)
	}
	all := g.parts[:n*others]
	p := new(runtime.Pinner)
	px, pall := pin(p, x), pin(p, all)
	pin(p, c)
	complete := g.start(ctx, p, func() C.int {
		return C.parts((*C.int64_t)(px), &size[0], &at[0], (*C.int64_t)(pall), &own[0], &places[0],
			g.request)
	})
	return func() error {
		if err := complete(); err != nil {
			return err
		}
		for ; len(all) > 0; all = all[n:] {
			kernel.AddWords(x[from:to], all[:n])
		}
		return nil
	}
}

var errTooMany = errors.New("the ranks add up more than 2^31 numbers at once")

// sumByTree is SumParts by MPI's own operation. part is where the sums go.
func (g *group) sumByTree(
	ctx context.Context, x []int64, sizes []int, part []int64,
) (wait func() error) {
	if len(x) > math.MaxInt32 {
		return func() error { return errTooMany }
	}
	size := make([]C.int, g.size)
	for rank, k := range sizes {
		size[rank] = C.int(k)
	}
	sums := make([]int64, len(part)+1) // with an address, even of no numbers
	p := new(runtime.Pinner)
	px, psums := pin(p, x), pin(p, sums)
	pin(p, size)
	complete := g.start(ctx, p, func() C.int {
		return C.scatter((*C.int64_t)(px), (*C.int64_t)(psums), &size[0], g.request)
	})
	return func() error {
		err := complete()
		if err == nil {
			copy(part, sums)
		}
		return err
	}
}

// frame is the number of bytes with which a rank begins a Gather: the length, and what fits. Mostly
// that is all, and one operation does. Where it is not, a second one sends all bytes.
const frame = 1 << 10

const lengthBytes = 8

var errTooMuch = errors.New("the ranks send more than 2 GB at once")

func (g *group) Gather(ctx context.Context, own []byte) ([][]byte, error) {
	first := make([]byte, frame)
	binary.LittleEndian.PutUint64(first, uint64(len(own)))
	rest := own
	if len(own) <= frame-lengthBytes {
		copy(first[lengthBytes:], own)
		rest = nil
	}
	frames := make([]byte, frame*g.size)
	err := pinned(g, first, func(from unsafe.Pointer) error {
		return pinned(g, frames, func(to unsafe.Pointer) error {
			return g.wait(ctx, func() C.int { return C.frames(from, frame, to, g.request) })
		})
	})
	if err != nil {
		return nil, err
	}
	count, at := make([]C.int, g.size), make([]C.int, g.size)
	all := 0
	found := make([][]byte, g.size)
	for i := range found {
		b := frames[i*frame : (i+1)*frame]
		n := int(binary.LittleEndian.Uint64(b))
		if n <= frame-lengthBytes {
			found[i] = b[lengthBytes : lengthBytes+n : lengthBytes+n]
			n = 0
		}
		if all+n > math.MaxInt32 {
			return nil, errTooMuch
		}
		count[i], at[i] = C.int(n), C.int(all)
		all += n
	}
	if all == 0 {
		return found, nil
	}
	buffer := make([]byte, all)
	err = pinned(g, rest, func(from unsafe.Pointer) error {
		return pinned(g, buffer, func(to unsafe.Pointer) error {
			return pinned(g, count, func(n unsafe.Pointer) error {
				return pinned(g, at, func(places unsafe.Pointer) error {
					return g.wait(ctx, func() C.int {
						return C.gather(from, C.int(len(rest)), to, (*C.int)(n), (*C.int)(places),
							g.request)
					})
				})
			})
		})
	})
	for i, n := range count {
		if n > 0 {
			found[i] = buffer[at[i] : at[i]+n : at[i]+n]
		}
	}
	return found, err
}

// Exchange first sends the numbers of bytes. A rank sends itself nothing.
func (g *group) Exchange(ctx context.Context, to [][]byte) ([][]byte, error) {
	c := make([]C.int, 4*g.size)
	size, from, sizes, at := c[:g.size], c[g.size:2*g.size], c[2*g.size:3*g.size], c[3*g.size:]
	var own []byte
	for rank, b := range to {
		if rank == g.rank {
			continue
		}
		if len(own)+len(b) > math.MaxInt32 {
			return nil, errTooMuch
		}
		size[rank], from[rank] = C.int(len(b)), C.int(len(own))
		own = append(own, b...)
	}
	var all []byte
	err := pinned(g, c, func(unsafe.Pointer) error {
		err := g.wait(ctx, func() C.int { return C.lengths(&size[0], &sizes[0], g.request) })
		if err != nil {
			return err
		}
		n := 0
		for rank, k := range sizes {
			at[rank] = C.int(n)
			if n += int(k); n > math.MaxInt32 {
				return errTooMuch
			}
		}
		all = make([]byte, n)
		return pinned(g, own, func(pown unsafe.Pointer) error {
			return pinned(g, all, func(pall unsafe.Pointer) error {
				return g.wait(ctx, func() C.int {
					return C.exchange(pown, &size[0], &from[0], pall, &sizes[0], &at[0], g.request)
				})
			})
		})
	})
	if err != nil {
		return nil, err
	}
	found := make([][]byte, g.size)
	for rank, n := range sizes {
		found[rank] = all[at[rank] : at[rank]+n : at[rank]+n]
	}
	found[g.rank] = to[g.rank]
	return found, nil
}

func (g *group) Broadcast(ctx context.Context, from int, own []byte) ([]byte, error) {
	n := []int64{0}
	if g.rank == from {
		n[0] = int64(len(own))
	}
	if err := g.Sum(ctx, n); err != nil {
		return nil, err
	}
	b := own
	if g.rank != from {
		b = make([]byte, n[0])
	}
	return b, pinned(g, b, func(p unsafe.Pointer) error {
		for at := 0; at < len(b); at += piece {
			size := min(piece, len(b)-at)
			err := g.wait(ctx, func() C.int {
				return C.broadcast(unsafe.Add(p, at), C.int(size), C.int(from), g.request)
			})
			if err != nil {
				return err
			}
		}
		return nil
	})
}

func (g *group) Barrier(ctx context.Context) error {
	return g.wait(ctx, func() C.int { return C.barrier(g.request) })
}

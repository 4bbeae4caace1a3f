package hist

import (
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"math"

	"github.com/coppice-ml/coppice/learn/gbm/internal/bins"
	"github.com/coppice-ml/coppice/ranks"
)

// exchange is what a grower does together with the growers of other ranks, each of which has the
// codes of some rows of the matrix. All ranks find the same splits; of a leaf's rows each has its
// own:
//
//	rank 0   rows 0 ...     histogram of own rows --+             +--> sums of all rows --> split
//	rank 1   rows 500 ...   histogram of own rows --+--> words ---+--> sums of all rows --> split
//
// Mostly a rank has the sums of some columns only; see owners. All operations come in one order,
// which is the same on every rank.
//
// Operations have no errors of their own: after one that fails the others do nothing, and failed
// returns the error before anything is made of what they left.
type exchange struct {
	group    ranks.Group
	from, to int32 // rows of the matrix
	rows     int   // of the matrix
	ctx      context.Context
	err      error
	counted  []int64 // memory
	bytes    []byte  // memory
}

// newExchange returns the exchange of a rank on a matrix of so many rows. Ranks have whole blocks
// of derivatives.
func newExchange(g ranks.Group, rows int) *exchange {
	from, to := RankRows(rows, g.Rank(), g.Size())
	return &exchange{group: g, from: int32(from), to: int32(to), rows: rows,
		ctx: context.Background()}
}

// RankRows returns the rows of a matrix of so many that a rank of a group adds to histograms: from
// ... to-1.
func RankRows(rows, rank, size int) (from, to int) { return ranks.Span(rows, block, rank, size) }

// begin prepares for a tree.
func (x *exchange) begin(ctx context.Context) { x.ctx = ctx }

// several reports whether there are other ranks.
func (x *exchange) several() bool { return x.group.Size() > 1 }

// part returns the rows of a matrix that this rank has, which it numbers from 0. The rows of leaves
// have these numbers until the tree is grown.
func (x *exchange) part(m *bins.Matrix) *bins.Matrix {
	if !x.several() {
		return m
	}
	return m.Part(int(x.from), int(x.to))
}

// own returns which of the tree's rows, ascending, this rank has: from ... to-1; nil rows are all.
func (x *exchange) own(rows []int32) (from, to int32) {
	if rows == nil {
		return x.from, x.to
	}
	return int32(below(rows, x.from)), int32(below(rows, x.to))
}

// ownBlocks returns which blocks of derivatives of so many rows this rank makes words of, none
// where it has no rows, and whether others make the rest. Each makes all where the tree has some of
// the rows only: their blocks are not those that the ranks have.
func (x *exchange) ownBlocks(rows, blocks int) (from, to int, divided bool) {
	if rows != x.rows || !x.several() {
		return 0, blocks, false
	}
	return blocksOf(int(x.from)), blocksOf(int(x.to)), true
}

// failed returns the first error.
func (x *exchange) failed() error { return x.err }

// fail notes an error, unless there is one.
func (x *exchange) fail(err error) { x.err = cmp.Or(x.err, err) }

// do calls an operation of the group unless one has failed.
func (x *exchange) do(f func() error) {
	if x.err == nil {
		x.err = f()
	}
}

// words adds up the words of all ranks.
func (x *exchange) words(w []int64) {
	if x.several() {
		x.do(func() error { return x.group.Sum(x.ctx, w) })
	}
}

// counts is words for numbers of rows.
func (x *exchange) counts(n []int32) {
	if !x.several() {
		return
	}
	x.counted = resize(x.counted, len(n))
	for i, v := range n {
		x.counted[i] = int64(v)
	}
	x.words(x.counted)
	for i, v := range x.counted {
		n[i] = int32(v)
	}
}

// parts starts to add up the words of all ranks. wait leaves this one the sums of its part; see
// ranks.Group.SumParts.
func (x *exchange) parts(w []int64, sizes []int) (wait func()) {
	if x.err != nil {
		return func() {}
	}
	sum := x.group.SumParts(x.ctx, w, sizes)
	return func() { x.fail(sum()) }
}

// gather returns the bytes of all ranks; nil after an operation that failed.
func (x *exchange) gather(own []byte) (all [][]byte) {
	x.do(func() (err error) {
		all, err = x.group.Gather(x.ctx, own)
		return err
	})
	return all
}

// send sends bytes to each rank, and returns what each has sent to this one; nil after an operation
// that failed.
func (x *exchange) send(to [][]byte) (from [][]byte) {
	x.do(func() (err error) {
		from, err = x.group.Exchange(x.ctx, to)
		return err
	})
	return from
}

// inOrder lets one rank after the other, in the order of the rows, add to numbers that are 0 at
// first: sums of float64 depend on it.
func (x *exchange) inOrder(sums []float64, add func()) {
	if !x.several() {
		add()
		return
	}
	for rank := range x.group.Size() {
		own := rank == x.group.Rank()
		x.bytes = x.bytes[:0]
		if own {
			add()
			for _, v := range sums {
				x.bytes = binary.LittleEndian.AppendUint64(x.bytes, math.Float64bits(v))
			}
		}
		x.do(func() error {
			got, err := x.group.Broadcast(x.ctx, rank, x.bytes)
			if err == nil && len(got) != 8*len(sums) {
				err = fmt.Errorf("rank %d sent %d bytes for %d sums", rank, len(got), len(sums))
			}
			if err != nil || own {
				return err
			}
			for i := range sums {
				sums[i] = math.Float64frombits(binary.LittleEndian.Uint64(got[8*i:]))
			}
			return nil
		})
	}
}

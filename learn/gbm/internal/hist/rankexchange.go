package hist

import (
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"math"

	"github.com/coppice-ml/coppice/internal/kernel"
	"github.com/coppice-ml/coppice/learn/gbm/internal/bins"
	"github.com/coppice-ml/coppice/ranks"
)

// rankExchange is the exchange with the other ranks of a group.
type rankExchange struct {
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
func newExchange(g ranks.Group, rows int) exchange {
	if g == nil || g.Size() == 1 {
		return noExchange{}
	}
	from, to := RankRows(rows, g.Rank(), g.Size())
	return &rankExchange{group: g, from: int32(from), to: int32(to), rows: rows,
		ctx: context.Background()}
}

// RankRows returns the rows of a matrix of so many that a rank of a group adds to histograms: from
// ... to-1.
func RankRows(rows, rank, size int) (from, to int) { return ranks.Span(rows, block, rank, size) }

func (x *rankExchange) begin(ctx context.Context) { x.ctx = ctx }

func (x *rankExchange) several() bool { return true }

func (x *rankExchange) part(m *bins.Matrix) *bins.Matrix { return m.Part(int(x.from), int(x.to)) }

func (x *rankExchange) own(rows []int32, _ int) (from, to int32) {
	if rows == nil {
		return x.from, x.to
	}
	return int32(below(rows, x.from)), int32(below(rows, x.to))
}

// ownBlocks are all where the tree has some of the rows only: their blocks are not those that the
// ranks have.
func (x *rankExchange) ownBlocks(rows, blocks int) (from, to int) {
	if rows != x.rows {
		return 0, blocks
	}
	return int(x.from) / block, blocksOf(int(x.to))
}

func (x *rankExchange) failed() error { return x.err }

// do calls an operation of the group unless one has failed.
func (x *rankExchange) do(f func() error) {
	if x.err == nil {
		x.err = f()
	}
}

func (x *rankExchange) words(w []int64) {
	x.do(func() error { return x.group.Sum(x.ctx, w) })
}

func (x *rankExchange) parts(w []int64, sizes []int) (wait func()) {
	if x.err != nil {
		return func() {}
	}
	sum := x.group.SumParts(x.ctx, w, sizes)
	return func() { x.err = cmp.Or(x.err, sum()) }
}

func (x *rankExchange) gather(own []byte) (all [][]byte) {
	x.do(func() (err error) {
		all, err = x.group.Gather(x.ctx, own)
		return err
	})
	return all
}

func (x *rankExchange) send(to [][]byte) (from [][]byte) {
	x.do(func() (err error) {
		from, err = x.group.Exchange(x.ctx, to)
		return err
	})
	return from
}

func (x *rankExchange) place() (rank, size int) { return x.group.Rank(), x.group.Size() }

func (x *rankExchange) fail(err error) { x.do(func() error { return err }) }

func (x *rankExchange) counts(n []int32) {
	x.counted = resize(x.counted, len(n))
	for i, v := range n {
		x.counted[i] = int64(v)
	}
	x.words(x.counted)
	for i, v := range x.counted {
		n[i] = int32(v)
	}
}

func (x *rankExchange) inOrder(sums []float64, add func()) {
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

// metBytes is the size of what was met in a block.
const metBytes = 8 * 8

func (x *rankExchange) blocksOfAll(found []met) {
	from, to := x.ownBlocks(x.rows, len(found))
	x.bytes = x.bytes[:0]
	for i := range found[from:to] {
		x.bytes = found[from+i].append(x.bytes)
	}
	x.do(func() error {
		all, err := x.group.Gather(x.ctx, x.bytes)
		if err != nil {
			return err
		}
		i := 0
		for _, b := range all {
			for ; len(b) >= metBytes && i < len(found); i++ {
				found[i].read(b)
				b = b[metBytes:]
			}
		}
		if i != len(found) {
			return fmt.Errorf("derivatives of %d blocks of rows arrived, want %d", i, len(found))
		}
		return nil
	})
}

func (m *met) append(b []byte) []byte {
	for _, v := range []uint64{math.Float64bits(m.size.g), math.Float64bits(m.size.h),
		uint64(m.fixed.G), uint64(m.fixed.H), uint64(m.fixed.Least), uint64(m.fixed.Most),
		uint64(m.fixed.Rows), uint64(m.fixed.Coarse)} {
		b = binary.LittleEndian.AppendUint64(b, v)
	}
	return b
}

func (m *met) read(b []byte) {
	at := func(i int) uint64 { return binary.LittleEndian.Uint64(b[8*i:]) }
	m.size = pair{math.Float64frombits(at(0)), math.Float64frombits(at(1))}
	m.fixed = kernel.Fixed{G: int64(at(2)), H: int64(at(3)), Least: int64(at(4)),
		Most: int64(at(5)), Rows: int(at(6)), Coarse: int(at(7))}
}

// leavesOfAll sends one byte a row where there are few leaves, else two or four.
func (x *rankExchange) leavesOfAll(leaf []int32, leaves int) {
	size := 4
	if leaves <= 1<<8 {
		size = 1
	} else if leaves <= 1<<16 {
		size = 2
	}
	x.bytes = x.bytes[:0]
	for _, l := range leaf[x.from:x.to] {
		for k := range size {
			x.bytes = append(x.bytes, byte(l>>(8*k)))
		}
	}
	x.do(func() error {
		all, err := x.group.Gather(x.ctx, x.bytes)
		if err != nil {
			return err
		}
		for rank, b := range all {
			from, to := RankRows(x.rows, rank, x.group.Size())
			if len(b) != size*(to-from) {
				return fmt.Errorf("rank %d sent the leaves of %d bytes, want %d", rank, len(b),
					size*(to-from))
			}
			readLeaves(leaf[from:to], b, size)
		}
		return nil
	})
}

func readLeaves(leaf []int32, b []byte, size int) {
	switch size {
	case 1:
		for i, v := range b[:len(leaf)] {
			leaf[i] = int32(v)
		}
	case 2:
		for i := range leaf {
			leaf[i] = int32(binary.LittleEndian.Uint16(b[2*i:]))
		}
	default:
		for i := range leaf {
			leaf[i] = int32(binary.LittleEndian.Uint32(b[4*i:]))
		}
	}
}

package bins

import (
	"context"
	"encoding/binary"
	"slices"

	"github.com/coppice-ml/coppice/internal/hugepage"
	"github.com/coppice-ml/coppice/internal/kernel"
	"github.com/coppice-ml/coppice/internal/parallel"
)

// packedRows is the number of rows that are packed at once.
const packedRows = 1 << 10

// Only returns the matrix with no groups in Packed but those of some of its columns, for a tree
// that reads no others; all else is used by both. Packed is made in the given memory if it fits
// there, which no other matrix may use any more, else in new memory.
func (m *Matrix) Only(
	ctx context.Context, columns []int32, scratch []uint8, workers int,
) (*Matrix, error) {
	o := *m
	o.Groups, o.Joints = slices.Clone(m.Groups), nil
	for i := range o.Groups {
		o.Groups[i].Joined, o.Groups[i].Out = false, true
	}
	for _, c := range columns {
		o.Groups[m.Columns[c].Group].Out = false
	}
	o.join()
	o.arrange()
	if n := len(o.Rows) * o.Stride; n <= cap(scratch) {
		o.Packed = scratch[:n]
	} else {
		o.Packed = hugepage.Make(n)
	}
	return &o, o.pack(ctx, workers)
}

// pack copies the codes of all groups that are not out to Packed.
func (m *Matrix) pack(ctx context.Context, workers int) error {
	packers := make([]*packer, workers)
	for i := range packers {
		packers[i] = newPacker(m)
	}
	return parallel.EachUntil(ctx, workers, packers[0].blocks(),
		func(worker, i int) { packers[worker].pack(i) })
}

// packer copies codes of a matrix to Packed, block by block of its rows. It keeps memory for one
// block.
type packer struct {
	m      *Matrix
	narrow [][]uint8 // codes of the block, by byte of the row; nil where it is none of a group
	joint  []uint8   // of all joints, one after the other
}

func newPacker(m *Matrix) *packer {
	return &packer{m: m, narrow: make([][]uint8, m.Narrow),
		joint: make([]uint8, len(m.Joints)*min(packedRows, len(m.Rows)))}
}

// blocks returns how many blocks the matrix has.
func (p *packer) blocks() int { return (len(p.m.Rows) + packedRows - 1) / packedRows }

// pack copies the codes of a block.
func (p *packer) pack(block int) {
	m := p.m
	lo, hi := block*packedRows, min((block+1)*packedRows, len(m.Rows))
	for i := range m.Joints {
		j := &m.Joints[i]
		p.narrow[j.At] = p.joint[i*(hi-lo):][:hi-lo]
		m.jointCodes(p.narrow[j.At], j, lo)
	}
	for i := range m.Groups {
		g := &m.Groups[i]
		switch {
		case g.Out || g.Joined:
		case g.Narrow != nil:
			p.narrow[g.At] = g.Narrow[lo:hi]
		default:
			at := lo*m.Stride + g.At
			for _, c := range g.Wide[lo:hi] {
				m.Packed[at], m.Packed[at+1] = uint8(c), uint8(c>>8)
				at += m.Stride
			}
		}
	}
	kernel.Interleave(m.Packed[lo*m.Stride:], m.Stride, p.narrow, hi-lo)
}

// jointCodes sets dst to the codes of a joint of the rows from lo on: its groups' codes, added up.
// Eight bytes are a word: none of them comes to more than a byte holds.
func (m *Matrix) jointCodes(dst []uint8, j *Joint, lo int) {
	copy(dst, m.Groups[j.Groups[0]].Narrow[lo:])
	times := uint64(j.Radix[0])
	for k, i := range j.Groups[1:] {
		to, from := dst, m.Groups[i].Narrow[lo:][:len(dst)]
		for len(to) >= 8 && len(from) >= 8 {
			binary.LittleEndian.PutUint64(to,
				binary.LittleEndian.Uint64(to)+binary.LittleEndian.Uint64(from)*times)
			to, from = to[8:], from[8:]
		}
		for r, c := range from {
			to[r] += c * uint8(times)
		}
		times *= uint64(j.Radix[k+1])
	}
}

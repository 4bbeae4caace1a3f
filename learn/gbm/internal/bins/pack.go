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

// Only returns the matrix with no groups in the blocks' Packed but those of some of its columns,
// for a tree that reads no others; all else is used by both. Lists have all columns. Packed and the
// groups are made in the memory of spare if they fit there: a matrix of the same blocks that Only
// made, which is not used any more; nil: there is none.
func (m *Matrix) Only(
	ctx context.Context, columns []int32, spare *Matrix, workers int,
) (*Matrix, error) {
	o := *m
	var groups []Group
	if spare != nil && m.Store == nil { // else blocks may be on their way still
		groups = spare.Groups[:0]
	}
	o.Groups, o.Joints = append(groups, m.Groups...), nil
	for i := range o.Groups {
		o.Groups[i].Joined, o.Groups[i].Out = false, true
	}
	for _, c := range columns {
		g := &o.Groups[m.Columns[c].Group]
		g.Out = g.Listed
	}
	o.join()
	o.arrange()
	if m.Store != nil {
		spare.forget()
		o.Store = m.Store.anew()
		return &o, nil
	}
	var scratch []Block
	if spare != nil {
		scratch = spare.Blocks
	}
	o.makePacked(scratch)
	if err := o.listRows(ctx, spare, workers); err != nil {
		return nil, err
	}
	return &o, o.pack(ctx, workers)
}

// makePacked gives the blocks memory for Packed, that of other blocks where it is enough. The
// blocks are copied: others may share them.
func (m *Matrix) makePacked(spare []Block) {
	m.Blocks = slices.Clone(m.Blocks)
	for i := range m.Blocks {
		b := &m.Blocks[i]
		n := b.Rows * m.Stride
		if i < len(spare) && n <= cap(spare[i].Packed) {
			b.Packed = spare[i].Packed[:n]
		} else {
			b.Packed = hugepage.Make(n)
		}
	}
}

// pieces returns the number of pieces that the rows of a block are packed in.
func (b *Block) pieces() int { return (b.Rows + packedRows - 1) / packedRows }

// pack copies the codes of all groups that are not out to the blocks' Packed.
func (m *Matrix) pack(ctx context.Context, workers int) error {
	packers := make([]*packer, workers)
	for i := range packers {
		packers[i] = newPacker(m)
	}
	for k := range m.Blocks {
		b := &m.Blocks[k]
		err := parallel.EachUntil(ctx, workers, b.pieces(),
			func(worker, i int) { packers[worker].pack(b, i) })
		if err != nil {
			return err
		}
	}
	return nil
}

// packer copies codes of blocks to their Packed, a piece of the rows at a time. It keeps memory for
// one piece.
type packer struct {
	m      *Matrix
	narrow [][]uint8 // codes of the piece, by byte of the row; nil where it is none of a group
	joint  []uint8   // of all joints, one after the other
}

func newPacker(m *Matrix) *packer {
	return &packer{m: m, narrow: make([][]uint8, m.Narrow),
		joint: make([]uint8, len(m.Joints)*min(packedRows, len(m.Rows)))}
}

// pack copies the codes of a piece of a block.
func (p *packer) pack(b *Block, piece int) {
	m := p.m
	lo, hi := piece*packedRows, min((piece+1)*packedRows, b.Rows)
	for i := range m.Joints {
		j := &m.Joints[i]
		p.narrow[j.At] = p.joint[i*(hi-lo):][:hi-lo]
		b.jointCodes(p.narrow[j.At], j, lo)
	}
	for i := range m.Groups {
		g, codes := &m.Groups[i], &b.Codes[i]
		switch {
		case g.Out || g.Joined:
		case codes.Narrow != nil:
			p.narrow[g.At] = codes.Narrow[lo:hi]
		default:
			at := lo*m.Stride + g.At
			for _, c := range codes.Wide[lo:hi] {
				b.Packed[at], b.Packed[at+1] = uint8(c), uint8(c>>8)
				at += m.Stride
			}
		}
	}
	kernel.Interleave(b.Packed[lo*m.Stride:], m.Stride, p.narrow, hi-lo)
}

// jointCodes sets dst to the codes of a joint of the rows from lo on: its groups' codes, added up.
// Eight bytes are a word: none of them comes to more than a byte holds.
func (b *Block) jointCodes(dst []uint8, j *Joint, lo int) {
	copy(dst, b.Codes[j.Groups[0]].Narrow[lo:])
	times := uint64(j.Radix[0])
	for k, i := range j.Groups[1:] {
		to, from := dst, b.Codes[i].Narrow[lo:][:len(dst)]
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

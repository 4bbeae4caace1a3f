package hist

import (
	"encoding/binary"

	"github.com/coppice-ml/coppice/learn/gbm/internal/bins"
)

// movedRows is the rows of a leaf that have moved. All but to is of the rank that has them.
type movedRows struct {
	to     int     // rank
	codes  []uint8 // of each row as in bins.Block.Packed
	stride int     // bytes of a row
	words  []int64
	order  []int32 // numbers of the rows, those of a leaf together
}

// movedLeaf is the rows of one leaf among those that have moved: order[lo:hi].
type movedLeaf struct {
	rows   *movedRows // nil: they have not
	lo, hi int32
}

// isAway reports whether the rows have moved to another rank than this one.
func (l movedLeaf) isAway(rank int) bool { return l.rows != nil && l.rows.to != rank }

// A rank sends of each leaf:
//
//	number of rows, 4 bytes | words of 8 bytes | rows as in bins.Block.Packed
const (
	wordBytes = 8
	movedHead = 4
)

// movedBytes returns the length of what a message has of its first leaf, 0 where it is no message.
// Rows have stride bytes of codes.
func movedBytes(b []byte, stride int) int {
	if len(b) < movedHead {
		return 0
	}
	size := movedHead + int(binary.LittleEndian.Uint32(b))*(wordBytes+stride)
	if size > len(b) {
		return 0
	}
	return size
}

// packRows makes the message of some rows.
func packRows(b []byte, m *bins.Matrix, words []int64, rows []int32) {
	binary.LittleEndian.PutUint32(b, uint32(len(rows)))
	b = b[movedHead:]
	for i, r := range rows {
		binary.LittleEndian.PutUint64(b[wordBytes*i:], uint64(words[r]))
	}
	b = b[wordBytes*len(rows):]
	for i := range m.Blocks {
		of, own := &m.Blocks[i], m.RowsIn(i, rows)
		for _, r := range own {
			from := int(r-of.First) * m.Stride
			b = b[copy(b, of.Packed[from:from+m.Stride]):]
		}
	}
}

// fill takes the rows that all ranks have sent.
func (v *movedRows) fill(m *bins.Matrix, parts [][]byte) {
	n := 0
	for _, b := range parts {
		n += int(binary.LittleEndian.Uint32(b))
	}
	v.stride = m.Stride
	v.words, v.order = resize(v.words, n), resize(v.order, n)
	v.codes = resize(v.codes, n*v.stride)
	words, codes := v.words, v.codes
	for _, b := range parts {
		n := int(binary.LittleEndian.Uint32(b))
		b = b[movedHead:]
		for i := range words[:n] {
			words[i] = int64(binary.LittleEndian.Uint64(b[wordBytes*i:]))
		}
		words, codes = words[n:], codes[copy(codes, b[wordBytes*n:]):]
	}
	for i := range v.order {
		v.order[i] = int32(i)
	}
}

// partition partitions the rows of a leaf by the sides of a column's codes, and returns the first
// of those that go to the last child.
func (l movedLeaf) partition(codes bins.PackedCodes, side []uint8, w *worker) int32 {
	v := l.rows
	order := v.order[l.lo:l.hi]
	if len(w.rows) < len(order) {
		w.rows = make([]int32, len(order))
	}
	first, last := 0, 0
	for _, r := range order {
		side := side[codes.Of(v.codes[int(r)*v.stride:])]
		order[first], w.rows[last] = r, r
		first += int(1 - side)
		last += int(side)
	}
	copy(order[first:], w.rows[:last])
	return l.lo + int32(first)
}

// count counts the rows of a leaf by bin of a column, in the memory of dst.
func (l movedLeaf) count(dst []int32, m *bins.Matrix, column int) []int32 {
	v, c := l.rows, &m.Columns[column]
	dst = resize(dst, c.Bins())
	clear(dst)
	codes := m.InPacked(c.Group)
	for _, r := range v.order[l.lo:l.hi] {
		dst[c.Bin(codes.Of(v.codes[int(r)*v.stride:]))]++
	}
	return dst
}

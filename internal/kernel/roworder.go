package kernel

import (
	"encoding/binary"
	"math"
	"unsafe"
)

// RowOrder is the rows of a tile in the order of their codes in a column. The rows above a split
// point are those behind some place of the order, whichever of many split points it is:
//
//	rows in order      7   2   9   4
//	their codes        0   0   3   5
//	place of a split point      2 for 0, 1 and 2   3 for 3 and 4   4 from 5 on
//
// So the places of all split points are written with a few stores, and the rows behind each place
// once.
type RowOrder struct {
	rows   int
	sorted [2][ScanRows]uint32 // codes and rows
	result int                 // which of sorted
	count  [256]uint32
}

// OrderPlaces is the number of places of a column.
const OrderPlaces = ScanRows + 1

// Sort takes the codes of a column, at most ScanRows; rows of equal codes keep their order.
func (o *RowOrder) Sort(codes []uint16) {
	o.rows, o.result = len(codes), 0
	all := uint32(0)
	for r, code := range codes {
		o.sorted[0][r] = uint32(code)<<8 | uint32(r)
		all |= uint32(code)
	}
	o.pass(8)
	if all > math.MaxUint8 {
		o.pass(16)
	}
}

// pass sorts by eight bits of the words, from one array into the other.
func (o *RowOrder) pass(shift uint) {
	src, dst := o.sorted[o.result][:o.rows], &o.sorted[1-o.result]
	o.result = 1 - o.result
	clear(o.count[:])
	for _, word := range src {
		o.count[uint8(word>>shift)]++
	}
	at := uint32(0)
	for i, n := range o.count {
		o.count[i] = at
		at += n
	}
	for _, word := range src {
		to := &o.count[uint8(word>>shift)]
		dst[uint8(*to)] = word
		*to++
	}
}

// PlaceStep is what Places may write behind the places of a column.
const PlaceStep = 8

// Places writes for each split point, of as many, its place plus base, and any numbers into up to
// PlaceStep elements behind them.
func (o *RowOrder) Places(place []uint16, points, base int) {
	place = place[:points+PlaceStep]
	at := 0
	for i, word := range o.sorted[o.result][:o.rows] {
		at = write(place, at, min(int(word>>8), points), base+i)
	}
	write(place, at, points, base+o.rows)
}

// write writes the same number from one element on up to another, and returns that. It may write
// some more elements behind.
func write(place []uint16, from, to, number int) int {
	bytes := unsafe.Slice((*uint8)(unsafe.Pointer(unsafe.SliceData(place))), 2*len(place))
	four := uint64(number) * 0x0001000100010001
	for ; from < to; from += PlaceStep {
		binary.NativeEndian.PutUint64(bytes[2*from:], four)
		binary.NativeEndian.PutUint64(bytes[2*from+8:], four)
	}
	return to
}

// Bits writes for each of OrderPlaces places which rows are behind it. Rows whose values are
// missing go last, so that they are behind all places; with first they are behind none. It reports
// whether there are any.
func (o *RowOrder) Bits(dst []RowBits, first bool) (missing bool) {
	dst = dst[:o.rows+1]
	sorted := o.sorted[o.result][:o.rows]
	known := len(sorted)
	for known > 0 && sorted[known-1]>>8 == MissingWide {
		known--
	}
	var b0, b1, b2, b3 uint64
	dst[o.rows] = RowBits{}
	for i := len(sorted) - 1; i >= 0; i-- {
		if i >= known && first {
			dst[i] = RowBits{}
			continue
		}
		row := &bitOfRow[uint8(sorted[i])]
		b0, b1, b2, b3 = b0|row[0], b1|row[1], b2|row[2], b3|row[3]
		dst[i] = RowBits{b0, b1, b2, b3}
	}
	return known < len(sorted)
}

// bitOfRow has the bit of each row of a tile.
var bitOfRow = func() (all [ScanRows]RowBits) {
	for r := range all {
		all[r][r>>3&3] = 1 << (8*(r&7) + r>>5)
	}
	return all
}()

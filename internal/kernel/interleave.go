package kernel

import "encoding/binary"

// interleaved is the most rows that are written at once. Of many columns they are fewer: the
// nearest cache holds interleavedBytes of them.
const (
	interleaved      = 1 << 10
	interleavedBytes = 1 << 14
)

// zeros is a column of nothing.
var zeros [interleaved]uint8

// Interleave writes columns of bytes row by row: byte r of column j becomes dst[r*stride+j]. There
// are a multiple of four columns, of rows bytes each; instead of a column of zeros there may be
// nil.
//
//	columns   a a a ..   b b b ..   nil   c c c ..
//	dst       a b 0 c  - -   a b 0 c  - -   ...       stride 6; other bytes stay
func Interleave(dst []uint8, stride int, columns [][]uint8, rows int) {
	var some [8][]uint8
	step := min(interleaved, max(64, interleavedBytes/max(1, stride)&^63))
	for from := 0; from < rows; from += step {
		n := min(step, rows-from)
		for at := 0; at < len(columns); at += 8 {
			wide := copy(some[:], columns[at:])
			for j := range some[:wide] {
				if some[j] == nil {
					some[j] = zeros[:n]
				} else {
					some[j] = some[j][from:][:n]
				}
			}
			if to := dst[from*stride+at:]; wide == 8 {
				interleaveEight(to, stride, &some, n)
			} else {
				interleaveFour(to, stride, (*[4][]uint8)(some[:]), n)
			}
		}
	}
}

// interleave is Interleave byte by byte, from a row on.
func interleave(dst []uint8, stride int, columns [][]uint8, from, rows int) {
	for j, c := range columns {
		for r := from; r < rows; r++ {
			dst[r*stride+j] = c[r]
		}
	}
}

// interleaveEight takes eight bytes of each column at once, as the rows of a square that is turned
// over.
func interleaveEight(dst []uint8, stride int, columns *[8][]uint8, rows int) {
	whole := rows &^ 7
	for r := interleaveInVectors(dst, stride, columns, rows); r < whole; r += 8 {
		a, e := eightOf(columns[0], r), eightOf(columns[4], r)
		b, f := eightOf(columns[1], r), eightOf(columns[5], r)
		c, g := eightOf(columns[2], r), eightOf(columns[6], r)
		d, h := eightOf(columns[3], r), eightOf(columns[7], r)
		a, e = swapFours(a, e)
		b, f = swapFours(b, f)
		c, g = swapFours(c, g)
		d, h = swapFours(d, h)
		a, c = swapTwos(a, c)
		b, d = swapTwos(b, d)
		e, g = swapTwos(e, g)
		f, h = swapTwos(f, h)
		a, b = swapOnes(a, b)
		c, d = swapOnes(c, d)
		e, f = swapOnes(e, f)
		g, h = swapOnes(g, h)
		at := r * stride
		binary.LittleEndian.PutUint64(dst[at:], a)
		binary.LittleEndian.PutUint64(dst[at+stride:], b)
		binary.LittleEndian.PutUint64(dst[at+2*stride:], c)
		binary.LittleEndian.PutUint64(dst[at+3*stride:], d)
		binary.LittleEndian.PutUint64(dst[at+4*stride:], e)
		binary.LittleEndian.PutUint64(dst[at+5*stride:], f)
		binary.LittleEndian.PutUint64(dst[at+6*stride:], g)
		binary.LittleEndian.PutUint64(dst[at+7*stride:], h)
	}
	interleave(dst, stride, columns[:], whole, rows)
}

// interleaveFour is interleaveEight for the last four columns: a row's bytes are half of a word.
func interleaveFour(dst []uint8, stride int, columns *[4][]uint8, rows int) {
	whole := rows &^ 7
	for r := 0; r < whole; r += 8 {
		a, b := swapOnes(eightOf(columns[0], r), eightOf(columns[1], r))
		c, d := swapOnes(eightOf(columns[2], r), eightOf(columns[3], r))
		a, c = swapTwos(a, c)
		b, d = swapTwos(b, d)
		at := r * stride
		for _, rows := range [4]uint64{a, b, c, d} {
			binary.LittleEndian.PutUint32(dst[at:], uint32(rows))
			binary.LittleEndian.PutUint32(dst[at+4*stride:], uint32(rows>>32))
			at += stride
		}
	}
	interleave(dst, stride, columns[:], whole, rows)
}

// eightOf returns eight bytes of a column.
func eightOf(column []uint8, from int) uint64 { return binary.LittleEndian.Uint64(column[from:]) }

// swapFours swaps the upper half of a with the lower half of b.
func swapFours(a, b uint64) (uint64, uint64) { return a&(1<<32-1) | b<<32, a>>32 | b&^(1<<32-1) }

// swapTwos swaps the odd fourths of a with the even ones of b.
func swapTwos(a, b uint64) (uint64, uint64) {
	x := (a>>16 ^ b) & 0x0000ffff0000ffff
	return a ^ x<<16, b ^ x
}

// swapOnes swaps the odd bytes of a with the even ones of b.
func swapOnes(a, b uint64) (uint64, uint64) {
	x := (a>>8 ^ b) & 0x00ff00ff00ff00ff
	return a ^ x<<8, b ^ x
}

package scratch

import "encoding/binary"

// Codes of few values need less than a byte each. Bytes below 2, 4 or 16 are packed to 1, 2 or 4
// bits, the first one lowest, and bytes that are all 0 to none:
//
//	bytes     1 0 1 1  0 0 0 1 | 1 ...
//	1 bit     1 0 0 0  1 1 0 1 | ...

// widthOf returns the bits that each byte needs: 0, 1, 2, 4 or 8.
func widthOf(b []byte) int {
	most := byte(0)
	for _, c := range b {
		most |= c
	}
	switch {
	case most == 0:
		return 0
	case most < 2:
		return 1
	case most < 4:
		return 2
	case most < 16:
		return 4
	}
	return 8
}

// packedSize returns the bytes that n of some width take.
func packedSize(n, width int) int { return (n*width + 7) / 8 }

// pack writes bytes of a width below 8 to dst, which has their packed size.
func pack(dst, b []byte, width int) {
	per := 8 / max(1, width)
	for i := range dst {
		of := b[i*per : min(len(b), (i+1)*per)]
		packed := byte(0)
		for k, c := range of {
			packed |= c << (k * width)
		}
		dst[i] = packed
	}
}

// spread has the bytes of a packed one, for each width.
var spread = func() (of [5][256]uint64) {
	for _, width := range []int{1, 2, 4} {
		for packed := range 256 {
			for k := range 8 / width {
				of[width][packed] |= uint64(packed>>(k*width)&(1<<width-1)) << (8 * k)
			}
		}
	}
	return of
}()

// unpack is pack the other way round.
func unpack(dst, packed []byte, width int) {
	if width == 0 {
		clear(dst)
		return
	}
	table, per := &spread[width], 8/width
	for len(dst) >= 8 {
		word := uint64(0)
		for k := range width {
			word |= table[packed[k]] << (8 * per * k)
		}
		binary.LittleEndian.PutUint64(dst, word)
		dst, packed = dst[8:], packed[width:]
	}
	for i := range dst {
		dst[i] = byte(table[packed[i/per]] >> (8 * (i % per)))
	}
}

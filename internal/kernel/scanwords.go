package kernel

import (
	"encoding/binary"
	"unsafe"
)

// scanWords is Scan of one tree of up to 128 leaves and positive codes, for eight rows in a word.
// With seven bits in each byte, no sum and no difference reaches the next one, and its highest bit
// is the result of a comparison:
//
//	code >= above   code + (128 - above) has the bit
//	row == first    128 - (row ^ first) has the bit
func scanWords(leaf []uint8, nodes []ScanNode, codes []int8, rows int) {
	bytes := unsafe.Slice((*uint8)(unsafe.Pointer(unsafe.SliceData(codes))), len(codes))
	const ones, highs = 0x0101010101010101, 0x8080808080808080
	for lo := 0; lo < rows; lo += ScanWidth {
		var a, b, c, d uint64
		for i := range nodes {
			n := &nodes[i]
			above := uint64(128-int(n.Above)) * ones
			first := uint64(n.First) * ones
			step := uint64(n.Last - n.First)
			x := bytes[int(n.At)+lo:][:ScanWidth]
			a += (binary.LittleEndian.Uint64(x[0:]) + above) & (highs - (a ^ first)) & highs >> 7 * step
			b += (binary.LittleEndian.Uint64(x[8:]) + above) & (highs - (b ^ first)) & highs >> 7 * step
			c += (binary.LittleEndian.Uint64(x[16:]) + above) & (highs - (c ^ first)) & highs >> 7 * step
			d += (binary.LittleEndian.Uint64(x[24:]) + above) & (highs - (d ^ first)) & highs >> 7 * step
		}
		to := leaf[lo:][:ScanWidth]
		binary.LittleEndian.PutUint64(to[0:], a)
		binary.LittleEndian.PutUint64(to[8:], b)
		binary.LittleEndian.PutUint64(to[16:], c)
		binary.LittleEndian.PutUint64(to[24:], d)
	}
}

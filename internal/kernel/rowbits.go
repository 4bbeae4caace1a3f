package kernel

// RowBits has a bit for each row of a tile. Row 32k+8w+i has bit 8i+k of word w. In this order the
// same steps make eight of them of a byte for each row, and bytes of eight of them.
type RowBits [ScanRows / 64]uint64

// CodeBitsStep is what the number of RowBits of a column is a multiple of.
const CodeBitsStep = 16

// CodeBits writes for each code from first on, a multiple of CodeBitsStep of them, the rows of a
// tile whose codes are greater.
func CodeBits(dst []RowBits, codes []int8, first int8) {
	if len(dst) == 0 {
		return
	}
	codes = codes[:ScanRows]
	if !codeBitsInVectors(dst, codes, first) {
		codeBitsPlain(dst, codes, first)
	}
}

// transpose exchanges bit c of each byte of word k with bit k of that byte in word c.
func transpose(w *[8]uint64) {
	for k := range 4 {
		t := (w[k]>>4 ^ w[k+4]) & 0x0f0f0f0f0f0f0f0f
		w[k+4] ^= t
		w[k] ^= t << 4
	}
	for _, k := range [4]int{0, 1, 4, 5} {
		t := (w[k]>>2 ^ w[k+2]) & 0x3333333333333333
		w[k+2] ^= t
		w[k] ^= t << 2
	}
	for k := 0; k < 8; k += 2 {
		t := (w[k]>>1 ^ w[k+1]) & 0x5555555555555555
		w[k+1] ^= t
		w[k] ^= t << 1
	}
}

// greater returns in which bytes the number of four bits is greater than 0 to 14. Each step adds a
// higher bit.
func greater(bits []uint64) (words [15]uint64) {
	words[0] = bits[0]
	for k, bit := range bits[1:4] {
		n := 1<<(k+1) - 1
		for i := n - 1; i >= 0; i-- {
			words[n+1+i] = bit & words[i]
			words[i] |= bit
		}
		words[n] = bit
	}
	return words
}

// codeBitsPlain is the twin of the assembly. A code is greater than 16u+v if its high four bits are
// greater than u, or than u-1 and its low four bits greater than v.
func codeBitsPlain(dst []RowBits, codes []int8, first int8) {
	for w := range len(RowBits{}) {
		var planes [8]uint64
		for k := range planes {
			for i, code := range codes[32*k+8*w:][:8] {
				planes[k] |= uint64(uint8(code-first)) << (8 * i)
			}
		}
		transpose(&planes)
		low, high := greater(planes[:4]), greater(planes[4:])
		before := ^uint64(0)
		for u := 0; CodeBitsStep*u < len(dst); u++ {
			now := uint64(0)
			if u < len(high) {
				now = high[u]
			}
			to := dst[CodeBitsStep*u:][:CodeBitsStep]
			for v, word := range low {
				to[v][w] = word&before | now
			}
			to[CodeBitsStep-1][w] = now
			before = now
		}
	}
}

package kernel

import "hash/crc32"

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// checksumBlock is the number of bytes that Checksum folds at a time.
const checksumBlock = 256

// Checksum returns the CRC-32C of bytes that follow those with the CRC crc, as crc32.Update does
// with the table of crc32.Castagnoli.
//
// A CRC is a remainder of polynomials over the field of two elements. A block of 256 bytes has the
// remainder of the next block if its parts, multiplied by what x to the power of their distance
// leaves, are added to that block. So all blocks are folded into the last one: the multiplications
// are without carry, and 16 run side by side. (Gopal et al., "Fast CRC Computation for Generic
// Polynomials Using PCLMULQDQ Instruction", 2009.)
func Checksum(crc uint32, b []byte) uint32 {
	if folded := len(b) / checksumBlock * checksumBlock; folds && folded > checksumBlock {
		crc = foldedChecksum(crc, b[:folded])
		b = b[folded:]
	}
	return crc32.Update(crc, castagnoli, b)
}

// foldFactors multiply the two halves of 16 bytes, the first half first, that move a block ahead.
// The first half is 64 bits ahead of the second. A product of two numbers with their lowest
// coefficient first has one x too many.
var foldFactors = [2]uint64{
	uint64(powerOfX(8*checksumBlock+64-1)) << 32,
	uint64(powerOfX(8*checksumBlock-1)) << 32,
}

// powerOfX returns the remainder of x^n; bit 31 is the coefficient of x^0, bit 0 that of x^31.
func powerOfX(n int) uint32 {
	p := uint32(1) << 31
	for range n {
		last := p & 1
		p >>= 1
		if last == 1 {
			p ^= crc32.Castagnoli
		}
	}
	return p
}

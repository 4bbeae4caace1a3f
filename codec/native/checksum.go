package native

import (
	"hash/crc32"
	"math/bits"

	"github.com/coppice-ml/coppice/internal/kernel"
	"github.com/coppice-ml/coppice/internal/parallel"
)

// sumPart is the number of bytes that are worth a worker of their own.
const sumPart = 4 << 20

// checksum is kernel.Checksum, on several workers where b is large.
func checksum(crc uint32, b []byte) uint32 {
	return checksumOn(min(parallel.Workers(0), len(b)/sumPart), crc, b)
}

// checksumOn sums parts of b on as many workers and joins their sums.
func checksumOn(workers int, crc uint32, b []byte) uint32 {
	if workers < 2 {
		return kernel.Checksum(crc, b)
	}
	sums := make([]uint32, workers)
	part := func(i int) []byte { return b[len(b)/workers*i : end(len(b), workers, i)] }
	parallel.Each(workers, len(sums), func(_, i int) {
		sums[i] = kernel.Checksum(0, part(i))
	})
	for i, sum := range sums {
		crc = joined(crc, sum, len(part(i)))
	}
	return crc
}

// end returns where part i of n bytes ends; the last takes what is left.
func end(n, parts, i int) int {
	if i == parts-1 {
		return n
	}
	return n / parts * (i + 1)
}

// joined returns the CRC of bytes with the CRC first that are followed by n bytes with the CRC
// second.
//
// A CRC is a remainder of polynomials over the field of two elements, and n zero bytes more
// multiply what it is the remainder of by x^8n; so the sum of both remainders, the first
// multiplied, is that of all bytes. The ones that CRC-32 adds before and after cancel out. (The
// idea is that of crc32_combine in Mark Adler's zlib.)
func joined(first, second uint32, n int) uint32 {
	power := uint32(1) << 31        // x^0: bit 31 is the coefficient of x^0, bit 0 that of x^31
	square := uint32(1) << (31 - 8) // x^8, and its squares
	for ; n > 0; n >>= 1 {
		if n&1 == 1 {
			power = product(power, square)
		}
		square = product(square, square)
	}
	return product(first, power) ^ second
}

// product returns a x b modulo the polynomial of the CRC.
func product(a, b uint32) uint32 {
	p := uint32(0)
	for ; a != 0; a <<= 1 {
		if bits.LeadingZeros32(a) == 0 {
			p ^= b
		}
		low := b & 1
		b >>= 1
		if low == 1 {
			b ^= crc32.Castagnoli
		}
	}
	return p
}

package exact

import (
	"cmp"
	"math"
	"slices"
)

// keyed is a value to sort, as an integer of the same order, with its position.
type keyed struct {
	bits uint64
	pos  uint32
}

// missingBits is the key of NaN, above every number's.
const missingBits = math.MaxUint64

// orderedBits maps floats to integers of the same order: the sign bit of positive numbers is set, all bits of
// negative ones are flipped. Both zeros get one key, all NaNs the greatest.
func orderedBits(x float64) uint64 {
	switch {
	case x == 0:
		return 1 << 63
	case math.IsNaN(x):
		return missingBits
	}
	b := math.Float64bits(x)
	if b>>63 == 1 {
		return ^b
	}
	return b | 1<<63
}

// radixFrom is the length from which a radix sort beats a comparison sort.
const radixFrom = 2048

// sortKeyed sorts by key; equal keys keep their order of position, which must be ascending at the start.
func sortKeyed(keys []keyed) {
	if len(keys) < radixFrom {
		slices.SortFunc(keys, func(a, b keyed) int {
			return cmp.Or(cmp.Compare(a.bits, b.bits), cmp.Compare(a.pos, b.pos))
		})
		return
	}
	radixSort(keys)
}

// radixSort is a least-significant-digit radix sort with digits of 11 bits; a digit that is the same in all keys
// costs no pass. Keys may bring the memory that it needs behind their end.
func radixSort(keys []keyed) {
	const bits, digits = 11, 6
	var count [digits][1 << bits]uint32
	for _, k := range keys {
		for d := range count {
			count[d][k.bits>>(d*bits)&(1<<bits-1)]++
		}
	}
	from, to := keys, slices.Grow(keys, len(keys))[len(keys):2*len(keys)]
	for d := range count {
		c := &count[d]
		shift := d * bits
		if c[from[0].bits>>shift&(1<<bits-1)] == uint32(len(keys)) {
			continue
		}
		start := uint32(0)
		for i, n := range c {
			c[i] = start
			start += n
		}
		for _, k := range from {
			b := k.bits >> shift & (1<<bits - 1)
			to[c[b]] = k
			c[b]++
		}
		from, to = to, from
	}
	if &from[0] != &keys[0] {
		copy(keys, from)
	}
}

package sorting

import (
	"cmp"
	"math"
	"slices"
)

// Keyed is a value to sort, as an integer of the same order, with its position.
type Keyed struct {
	Bits uint64
	Pos  uint32
}

// MissingBits is the key of NaN, above every number's.
const MissingBits = math.MaxUint64

// Bits maps floats to integers of the same order: the sign bit of positive numbers is set, all bits
// of negative ones are flipped. Both zeros get one key, all NaNs the greatest.
func Bits(x float64) uint64 {
	switch {
	case x == 0:
		return 1 << 63
	case math.IsNaN(x):
		return MissingBits
	}
	b := math.Float64bits(x)
	if b>>63 == 1 {
		return ^b
	}
	return b | 1<<63
}

// radixFrom is the length from which a radix sort beats a comparison sort.
const radixFrom = 2048

// SortKeyed sorts by key; equal keys keep their order of position, which must be ascending at the
// start.
func SortKeyed(keys []Keyed) {
	if len(keys) < radixFrom {
		slices.SortFunc(keys, func(a, b Keyed) int {
			return cmp.Or(cmp.Compare(a.Bits, b.Bits), cmp.Compare(a.Pos, b.Pos))
		})
		return
	}
	radixSort(keys)
}

// radixSort is a least-significant-digit radix sort with digits of 11 bits; a digit that is the
// same in all keys costs no pass. Keys may bring the memory that it needs behind their end.
func radixSort(keys []Keyed) {
	const bits, digits = 11, 6
	var count [digits][1 << bits]uint32
	for _, k := range keys {
		for d := range count {
			count[d][k.Bits>>(d*bits)&(1<<bits-1)]++
		}
	}
	from, to := keys, slices.Grow(keys, len(keys))[len(keys):2*len(keys)]
	for d := range count {
		c := &count[d]
		shift := d * bits
		if c[from[0].Bits>>shift&(1<<bits-1)] == uint32(len(keys)) {
			continue
		}
		start := uint32(0)
		for i, n := range c {
			c[i] = start
			start += n
		}
		for _, k := range from {
			b := k.Bits >> shift & (1<<bits - 1)
			to[c[b]] = k
			c[b]++
		}
		from, to = to, from
	}
	if &from[0] != &keys[0] {
		copy(keys, from)
	}
}

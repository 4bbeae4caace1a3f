package bins

import (
	"math"
	"slices"
)

// infinity is the bits of +Inf: the magnitude bits of every NaN are above it, those of all other numbers are not.
const infinity = 0x7ff << 52

// keyOf maps numbers to integers of the same order: the sign bit of positive numbers is set, all bits of negative ones are
// flipped. NaN has no place in the order. -0 comes right below +0, so whoever looks for distinct values adds 0 first.
func keyOf(x float64) uint64 {
	b := math.Float64bits(x)
	return b ^ (uint64(int64(b)>>63) | 1<<63)
}

// keyValue returns the number of a key.
func keyValue(key uint64) float64 {
	return math.Float64frombits(key ^ (^uint64(int64(key)>>63) | 1<<63))
}

// keyed is a key with the weight of its row.
type keyed struct {
	key    uint64
	weight float64
}

// radixFrom is the length from which a radix sort beats a comparison sort.
const radixFrom = 1024

const (
	digitBits = 11
	digits    = 6
)

// sortKeys sorts keys in ascending order. It works in memory of the same length behind them, or in new memory, and returns
// where the sorted keys are, which is one of the two, and the other one.
func sortKeys(keys, spare []uint64) (sorted, other []uint64) {
	if len(keys) < radixFrom {
		slices.Sort(keys)
		return keys, spare
	}
	var count [digits][1 << digitBits]uint32
	for _, k := range keys {
		for d := range count {
			count[d][k>>(d*digitBits)&(1<<digitBits-1)]++
		}
	}
	from, to := keys, slices.Grow(spare[:0], len(keys))[:len(keys)]
	for d := range count {
		shift := d * digitBits
		c := &count[d]
		if !startDigits(c, from[0]>>shift, len(keys)) {
			continue
		}
		for _, k := range from {
			b := k >> shift & (1<<digitBits - 1)
			to[c[b]] = k
			c[b]++
		}
		from, to = to, from
	}
	return from, to
}

// sortKeyed is sortKeys for keys with weights; rows of equal keys keep their order, so that sums over them are the same
// on every machine.
func sortKeyed(keys, spare []keyed) (sorted, other []keyed) {
	if len(keys) < radixFrom {
		slices.SortStableFunc(keys, func(a, b keyed) int {
			switch {
			case a.key < b.key:
				return -1
			case a.key > b.key:
				return 1
			}
			return 0
		})
		return keys, spare
	}
	var count [digits][1 << digitBits]uint32
	for i := range keys {
		for d := range count {
			count[d][keys[i].key>>(d*digitBits)&(1<<digitBits-1)]++
		}
	}
	from, to := keys, slices.Grow(spare[:0], len(keys))[:len(keys)]
	for d := range count {
		shift := d * digitBits
		c := &count[d]
		if !startDigits(c, from[0].key>>shift, len(keys)) {
			continue
		}
		for _, k := range from {
			b := k.key >> shift & (1<<digitBits - 1)
			to[c[b]] = k
			c[b]++
		}
		from, to = to, from
	}
	return from, to
}

// startDigits turns the counts of a digit into the places of its first keys. It returns false, and leaves the counts, where
// the digit is the same in all keys: some is one of them, shifted.
func startDigits(c *[1 << digitBits]uint32, some uint64, n int) bool {
	if c[some&(1<<digitBits-1)] == uint32(n) {
		return false
	}
	at := uint32(0)
	for i, k := range c {
		c[i] = at
		at += k
	}
	return true
}

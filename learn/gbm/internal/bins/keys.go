package bins

import "math"

// infinity is the bits of +Inf: the magnitude bits of every NaN are above it, those of all other
// numbers are not.
const infinity = 0x7ff << 52

// keyOf maps numbers to integers of the same order: the sign bit of positive numbers is set, all
// bits of negative ones are flipped. NaN has no place in the order. -0 comes right below +0, so
// code that looks for distinct values adds 0 first.
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

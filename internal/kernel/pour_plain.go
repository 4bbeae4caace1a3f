//go:build !amd64 || purego

package kernel

// PourPairs adds the pair of numbers of each slot, times scale, to the pair of a row. Slots must be
// in range: nothing is checked again.
func PourPairs(dst []float64, slots []int32, value []float64, scale float64) {
	pourPairsPlain(dst, slots, value, scale)
}

//go:build !amd64 || purego

package kernel

// AccumulatePairs adds the pair of numbers of each slot, times scale, to the pair of a row. Slots
// must be in range: nothing is checked again.
func AccumulatePairs(dst []float64, slots []int32, value []float64, scale float64) {
	accumulatePairsPlain(dst, slots, value, scale)
}

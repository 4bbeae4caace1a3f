//go:build amd64 && !purego

package kernel

// AccumulatePairs adds the pair of numbers of each slot, times scale, to the pair of a row. Slots
// must be in range: nothing is checked again.
func AccumulatePairs(dst []float64, slots []int32, value []float64, scale float64) {
	n := len(slots) &^ 1
	if n > 0 {
		_ = dst[2*n-1]
		accumulatePairs(&dst[0], &slots[0], n, &value[0], scale)
	}
	accumulatePairsPlain(dst[2*n:], slots[n:], value, scale)
}

// accumulatePairs is AccumulatePairs for n rows, an even number above 0.
//
//go:noescape
func accumulatePairs(dst *float64, slots *int32, n int, value *float64, scale float64)

//go:build amd64 && !purego

package kernel

// PourPairs adds the pair of numbers of each slot, times scale, to the pair of a row. Slots must be
// in range: nothing is checked again.
func PourPairs(dst []float64, slots []int32, value []float64, scale float64) {
	n := len(slots) &^ 1
	if n > 0 {
		_ = dst[2*n-1]
		pourPairs(&dst[0], &slots[0], n, &value[0], scale)
	}
	pourPairsPlain(dst[2*n:], slots[n:], value, scale)
}

// pourPairs is PourPairs for n rows, an even number above 0.
//
//go:noescape
func pourPairs(dst *float64, slots *int32, n int, value *float64, scale float64)

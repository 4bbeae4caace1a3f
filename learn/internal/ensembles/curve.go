package ensembles

import (
	"math/bits"
	"strconv"
)

// onGrid reports whether a curve keeps the point of m members though more follow: between 2^k and
// 2^(k+1) those that 2^(k-4) divides.
func onGrid(m int) bool {
	if m <= 64 {
		return true
	}
	return m%(1<<(bits.Len(uint(m))-5)) == 0
}

func sixDigits(x float64) float64 {
	x, _ = strconv.ParseFloat(strconv.FormatFloat(x, 'g', 6, 64), 64) // what was formatted parses
	return x
}

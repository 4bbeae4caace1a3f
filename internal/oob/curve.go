package oob

import (
	"math/bits"
	"strconv"
)

// Curve is the out-of-bag error over the number of members. It is thinned for pictures and files:
// it has a point for each of the first 64 members, then 16 for each time that their number doubles,
// and one for the last; 176 points for 8192 members. Errors are rounded to 6 significant digits.
// Members before the first prediction have no point.
type Curve struct {
	Members []int     `json:"members"` // ascending
	Error   []float64 `json:"error"`   // as Accumulator.Errors
	Rows    []int     `json:"rows"`    // rows that have an out-of-bag prediction
}

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

package metric

import (
	"math"
	"strconv"
)

// Text writes a measured value for people, so that a column of them is easy to read: with four
// decimals, with fewer where it is large, and with an exponent where four decimals would carry
// no information, 0 for what is not 0.
//
//	0  0.0000    0.25  0.2500    1234.56  1234.6    2500000  2500000    3e-8  3.0e-08    1e20  1.0000e+20
func Text(v float64) string {
	switch a := math.Abs(v); {
	case a >= 1e15:
		return strconv.FormatFloat(v, 'e', 4, 64)
	case a >= 1e6:
		return strconv.FormatFloat(v, 'f', 0, 64)
	case a >= 1000:
		return strconv.FormatFloat(v, 'f', 1, 64)
	case a == 0:
		return "0.0000" // also of -0
	case a < 5e-5:
		return strconv.FormatFloat(v, 'e', 1, 64)
	}
	return strconv.FormatFloat(v, 'f', 4, 64)
}

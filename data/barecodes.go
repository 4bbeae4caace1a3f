package data

import (
	"math"
	"strconv"
)

// BareCodes reports whether the levels of a categorical field are "0", "1", "2", ... in order.
// Models that other tools wrote have such levels where their files name categories by codes alone.
// For such a field a number is a category too, see BareCode, so tables and structs may have a
// numeric column in its place.
func (f *Field) BareCodes() bool {
	if f.Kind != Categorical || len(f.Levels) == 0 {
		return false
	}
	var text [20]byte
	for code, level := range f.Levels {
		if string(strconv.AppendInt(text[:0], int64(code), 10)) != level {
			return false
		}
	}
	return true
}

// BareCode returns the code that a number is in a field of n levels that are bare codes: the number
// truncated towards zero. It is -1, the code of an unseen category, if that is negative or not
// below n; it is NaN, a missing value, of NaN.
func BareCode(x float64, n int) float64 {
	switch x = math.Trunc(x); {
	case x == 0:
		return 0 // not -0
	case x < 0 || x >= float64(n):
		return -1
	}
	return x
}

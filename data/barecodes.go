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
	return f.Kind == Categorical && len(f.Levels) > 0 && bareCodes(f.Levels) == len(f.Levels)
}

// bareCodes returns how many levels from the first on are "0", "1", "2", ...
func bareCodes(levels []string) int {
	var text [20]byte
	for code, level := range levels {
		if string(strconv.AppendInt(text[:0], int64(code), 10)) != level {
			return code
		}
	}
	return len(levels)
}

// bareCode returns the code that a text writes without needless signs and zeros, false if it writes
// none below n.
func bareCode[T string | []byte](text T, n int) (code uint32, ok bool) {
	if len(text) == 0 || len(text) > 8 || text[0] == '0' && len(text) > 1 {
		return 0, false // MaxLevels has 8 digits
	}
	for _, digit := range []byte(text) {
		if digit < '0' || digit > '9' {
			return 0, false
		}
		code = 10*code + uint32(digit-'0')
	}
	return code, int64(code) < int64(n)
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

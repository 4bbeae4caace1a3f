// Package humanize owns how numbers, counts, lists and text of unknown origin are written for
// people: in reports of the command, in drawings, in descriptions of models and in error texts.
// Files of models and tables write numbers in their own exact forms. Of text of unknown origin
// (names, classes, messages) what a terminal or an editor would interpret is an escape, and all
// else is as it is, in any language.
package humanize

import (
	"math"
	"strconv"
	"strings"
)

// Numbers between these two, in absolute value, are written without an exponent.
const (
	tiny = 1e-5
	huge = 1e15
)

// Metric writes the value of a metric so that a column of values is easy to read. It has four
// decimals, fewer where it is large, and more where four would show 0 for what is not 0.
//
//	0  0.0000    0.25  0.2500    1234.56  1234.6    2500000  2500000    3e-5  0.000030    3e-8  3.0e-08
func Metric(v float64) string {
	switch a := math.Abs(v); {
	case a >= huge:
		return strconv.FormatFloat(v, 'e', 4, 64)
	case a >= 1e6:
		return strconv.FormatFloat(v, 'f', 0, 64)
	case a >= 1000:
		return strconv.FormatFloat(v, 'f', 1, 64)
	case a == 0:
		return "0.0000" // also of -0
	case a < tiny:
		return strconv.FormatFloat(v, 'e', 1, 64)
	case a < 5e-5:
		return strconv.FormatFloat(v, 'f', 6, 64)
	}
	return strconv.FormatFloat(v, 'f', 4, 64)
}

// Number writes x with at most digits significant digits, but all digits before the point, without
// trailing zeros. Not a number is nan, infinities are inf and -inf.
//
//	Number(2.449999, 4)  2.45    Number(123456, 4)  123456    Number(0.00001234, 4)  0.00001234
func Number(x float64, digits int) string {
	a := math.Abs(x)
	switch {
	case math.IsNaN(x):
		return "nan"
	case math.IsInf(x, 0):
		return strings.ToLower(strings.TrimPrefix(strconv.FormatFloat(x, 'f', 0, 64), "+"))
	case a == 0:
		return "0"
	case a < tiny || a >= huge:
		return strconv.FormatFloat(x, 'g', digits, 64)
	}
	return trimZeros(strconv.FormatFloat(x, 'f', max(0, digits-1-exponent(x, digits)), 64))
}

// Signed writes x as Number does, with its sign: +0.25, -3, 0.
func Signed(x float64, digits int) string {
	if text := Number(x, digits); x > 0 {
		return "+" + text
	} else {
		return text
	}
}

// splitDigits is the least number of significant digits of a split point.
const splitDigits = 6

// SplitPoint writes a split point as Number does, with at least six digits. One between two large
// whole numbers keeps a decimal, so that it differs from both.
func SplitPoint(x float64, digits int) string {
	digits = max(digits, splitDigits)
	if a := math.Abs(x); a >= 1e5 && a < 1e15 && a != math.Floor(a) {
		digits = max(digits, exponent(x, digits)+2)
	}
	return Number(x, digits)
}

// Exact writes a number in the shortest form that reads back as the same float64. It has an
// exponent only where the digits would be many.
func Exact(v float64) string {
	format := byte('f')
	if a := math.Abs(v); a != 0 && (a < 1e-6 || a >= 1e21) {
		format = 'e'
	}
	return strconv.FormatFloat(v, format, -1, 64)
}

// exponent returns the decimal exponent of x once rounded to digits: 0 for 9.9994 but 1 for 9.9996
// at 4 digits.
func exponent(x float64, digits int) int {
	s := strconv.FormatFloat(x, 'e', digits-1, 64)
	e, _ := strconv.Atoi(s[strings.IndexByte(s, 'e')+1:])
	return e
}

func trimZeros(s string) string {
	if strings.IndexByte(s, '.') >= 0 {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	return s
}

// Decimals returns how many decimals a column of numbers needs for its largest to have the given
// significant digits. It is 0 for whole numbers and -1 where fixed decimals do not suit.
func Decimals(column []float64, digits int) int {
	largest, whole := 0.0, true
	for _, x := range column {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			continue
		}
		largest = max(largest, math.Abs(x))
		whole = whole && x == math.Trunc(x)
	}
	switch {
	case largest >= 1e15 || largest > 0 && largest < 1e-4:
		return -1
	case whole:
		return 0
	}
	return max(0, min(digits, digits-1-exponent(largest, digits)))
}

// Fixed writes x with the Decimals of its column; digits are for a column where they do not suit.
func Fixed(x float64, decimals, digits int) string {
	if decimals < 0 || math.IsNaN(x) || math.IsInf(x, 0) {
		return Number(x, digits)
	}
	s := strconv.FormatFloat(x, 'f', decimals, 64)
	if strings.Trim(s, "-0.") == "" {
		s = strings.TrimPrefix(s, "-")
	}
	return s
}

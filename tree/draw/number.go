package draw

import (
	"math"
	"strconv"
	"strings"
	"unicode"
)

const (
	defaultDigits = 4
	splitDigits   = 6
)

// Number writes x as drawings write values: with at most digits significant digits, but all digits
// before the point, without trailing zeros; not a number as nan, infinities as inf and -inf.
func Number(x float64, digits int) string {
	a := math.Abs(x)
	switch {
	case math.IsNaN(x):
		return "nan"
	case math.IsInf(x, 0):
		return strings.ToLower(strings.TrimPrefix(strconv.FormatFloat(x, 'f', 0, 64), "+"))
	case a == 0:
		return "0"
	case a < 1e-4 || a >= 1e15:
		return strconv.FormatFloat(x, 'g', digits, 64)
	}
	return trimZeros(strconv.FormatFloat(x, 'f', max(0, digits-1-exponent(x, digits)), 64))
}

// cutNumber writes a threshold. One between two large whole numbers keeps a decimal, so that it
// differs from both.
func splitNumber(x float64, digits int) string {
	digits = max(digits, splitDigits)
	if a := math.Abs(x); a >= 1e5 && a < 1e15 && a != math.Floor(a) {
		digits = max(digits, exponent(x, digits)+2)
	}
	return Number(x, digits)
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

// decimals returns how many decimals a column of numbers needs for its largest to have the given
// significant digits: 0 for whole numbers, -1 where fixed decimals do not suit.
func decimals(column []float64, digits int) int {
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

// fixed writes x with the decimals of its column.
func fixed(x float64, decimals, digits int) string {
	if decimals < 0 || math.IsNaN(x) || math.IsInf(x, 0) {
		return Number(x, digits)
	}
	s := strconv.FormatFloat(x, 'f', decimals, 64)
	if strings.Trim(s, "-0.") == "" {
		s = strings.TrimPrefix(s, "-")
	}
	return s
}

// percent writes a fraction. What is not quite none or all does not read so.
func percent(fraction float64) string {
	s := strconv.FormatFloat(100*fraction, 'f', 1, 64) + "%"
	switch {
	case s == "0.0%" && fraction > 0:
		return "<0.1%"
	case s == "100.0%" && fraction < 1:
		return ">99.9%"
	}
	return s
}

// word returns a name as it may stand in a line: quoted where it is empty, could be taken for
// punctuation, or holds what a terminal would obey instead of print.
func word(s string) string {
	odd := func(r rune) bool {
		return r == unicode.ReplacementChar || !unicode.IsPrint(r) || strings.ContainsRune(`,{}"`, r)
	}
	if s == "" || s != strings.TrimSpace(s) || strings.IndexFunc(s, odd) >= 0 {
		return strconv.Quote(s)
	}
	return s
}

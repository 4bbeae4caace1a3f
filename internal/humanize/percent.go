package humanize

import "strconv"

// mostDecimals are those of a percentage: a fraction that needs more is near 0 or 1 by rounding.
const mostDecimals = 10

// Percent writes a fraction as a percentage with one decimal. It has as many more as distinguish
// it from 0 and 100 %.
func Percent(fraction float64) string {
	for decimals := 1; decimals <= mostDecimals; decimals++ {
		text := strconv.FormatFloat(100*fraction, 'f', decimals, 64)
		read, _ := strconv.ParseFloat(text, 64)
		if read != 0 && read != 100 || fraction == 0 || fraction == 1 {
			return text + "%"
		}
	}
	return strconv.FormatFloat(100*fraction, 'f', 1, 64) + "%"
}

// NarrowPercent writes a fraction as a percentage with one decimal, for places of limited width.
// What rounds to 0 or 100 % and is not is <0.1% or >99.9%.
func NarrowPercent(fraction float64) string {
	s := strconv.FormatFloat(100*fraction, 'f', 1, 64) + "%"
	switch {
	case s == "0.0%" && fraction > 0:
		return "<0.1%"
	case s == "100.0%" && fraction < 1:
		return ">99.9%"
	}
	return s
}

// Ratio writes a count as a percentage of a whole; "-" if the whole is 0.
func Ratio(count, whole int64) string {
	if whole == 0 {
		return "-"
	}
	return Percent(float64(count) / float64(whole))
}

package spelling

import (
	"strconv"
	"strings"
)

// PlainInteger returns the integer that a decimal text stands for, exactly and without needless
// signs and zeros: "1" for "1.0", "1.", "+1" and "1e0", and "100000" for "1e+05". ok is false if
// the number has a fraction, and if the text begins with a zero before other digits, as codes and
// names do.
func PlainInteger(text string) (plain string, ok bool) {
	const largest = 400 // exponent, beyond that of any float64
	sign, digits := "", text
	if text != "" && (text[0] == '-' || text[0] == '+') {
		sign, digits = strings.TrimSuffix(text[:1], "+"), text[1:]
	}
	exponent := 0
	if at := strings.IndexAny(digits, "eE"); at >= 0 {
		n, err := strconv.Atoi(digits[at+1:])
		if err != nil || n < -largest || n > largest {
			return "", false
		}
		digits, exponent = digits[:at], n
	}
	whole, fraction, _ := strings.Cut(digits, ".")
	digits = whole + fraction
	if digits == "" || strings.Trim(digits, "0123456789") != "" ||
		len(whole) > 1 && whole[0] == '0' {
		return "", false
	}
	point := len(whole) + exponent
	if point > len(digits) {
		digits += strings.Repeat("0", point-len(digits))
	}
	point = max(point, 0)
	if strings.Trim(digits[point:], "0") != "" {
		return "", false
	}
	if plain = strings.TrimLeft(digits[:point], "0"); plain == "" {
		return "0", true
	}
	return sign + plain, true
}

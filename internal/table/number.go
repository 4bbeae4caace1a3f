package table

import (
	"encoding/binary"
	"math"
	"math/bits"
	"strconv"

	"github.com/coppice-ml/coppice/internal/spelling"
)

// exact10 holds the powers of ten that a float64 represents exactly. A quotient or product of one
// of them with an integer below 2^53 is rounded once, hence correctly (Clinger 1990, "How to read
// floating point numbers accurately"): the bits are those of strconv.ParseFloat.
var exact10 = [...]float64{
	1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11,
	1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
}

// tens holds the powers of ten by which up to 8 digits shift a mantissa.
var tens = [...]uint64{1, 10, 100, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8}

const (
	exactMantissa = 1 << 53 // integers up to here are exact in float64
	safeDigits    = 19      // so many decimal digits never overflow a uint64
)

// ScanNumber reads the plain number (optional minus, digits, optional fraction) that starts at
// b[p], and returns its value and the position behind it. It accepts no more than 19 digits, no
// integer that float64 cannot hold, and no zeros before a number (see nameReason). Otherwise, and
// where no digit stands, it returns NaN and p.
//
// The caller looks at the byte behind. If that ends the field the value is right, and NaN then
// stands for the empty field. If not, the field is for ParseNumber. The digits must be followed by
// another byte, and b must reach 8 bytes beyond that one.
func ScanNumber(b []byte, p int) (float64, int) {
	i := p
	// signs and the numbers of digits change from number to number: branches by them would be
	// mispredicted
	negative := 0
	if b[i] == '-' {
		negative = 1
	}
	i += negative
	first := i
	m := uint64(b[i] - '0')
	if m > 9 {
		return math.NaN(), p
	}
	for i++; ; i++ {
		d := uint64(b[i] - '0')
		if d > 9 {
			break
		}
		m = m*10 + d
	}
	whole := i - first
	fraction := 0
	if b[i] == '.' {
		i++
		for more := true; more; more = b[i]-'0' <= 9 {
			eight, n := leadingDigits(binary.LittleEndian.Uint64(b[i:]))
			m = m*tens[n] + eight
			i += n
			fraction += n
		}
	}
	// Few numbers begin with a zero and have more digits before the point, so this order of tests
	// predicts well.
	if i-first > safeDigits || whole > 1 && b[first] == '0' {
		return math.NaN(), p
	}
	if m > exactMantissa {
		if fraction == 0 {
			return math.NaN(), p
		}
		v := quotient(m, fraction)
		return math.Float64frombits(math.Float64bits(v) | uint64(negative)<<63), i
	}
	v := float64(m) / exact10[fraction]
	return math.Float64frombits(math.Float64bits(v) ^ uint64(negative)<<63), i
}

// leadingDigits takes eight bytes of text, the first in the lowest byte, and returns the value of
// the decimal digits that they begin with, and how many those are.
//
//	x       '2' '5' ',' '1' ...   (x ^ "00000000")   2   5  28   1 ...    digits are at most 9
//	n       2                     shifted up:        0   0   0   0   0   0   2   5
//
// The shift brings the last digit into the highest byte and zeros before the first, so that one
// conversion of eight digits serves every n.
func leadingDigits(text uint64) (value uint64, n int) {
	x := text ^ 0x3030303030303030
	// Adding 0x76 carries into a byte's top bit where the byte is above 9; the lowest such byte is
	// exact, and only that one is used.
	other := (x + 0x7676767676767676 | x) & 0x8080808080808080
	n = bits.TrailingZeros64(other) >> 3
	x <<= 64 - 8*uint(n)
	x = x*10 + x>>8 // pairs of digits in every second byte
	x = (x&0x000000FF000000FF*(100+1000000<<32) + x>>16&0x000000FF000000FF*(1+10000<<32)) >> 32
	return x, n
}

// ParseNumber reads the whole of text as a number: decimal with optional sign, fraction and
// exponent, or inf or infinity in any letter case. It is rounded as strconv.ParseFloat rounds;
// beyond the range of float64 it is an infinity.
func ParseNumber(text []byte) (float64, bool) {
	i := 0
	if i < len(text) && (text[i] == '-' || text[i] == '+') {
		i++
	}
	if i < len(text) && text[i]|0x20 == 'i' {
		return parseInfinity(text[i:], text[0] == '-')
	}
	var m uint64
	digits, fraction, point := 0, 0, false
	for ; i < len(text); i++ {
		d := text[i] - '0'
		if d > 9 {
			if text[i] != '.' || point {
				break
			}
			point = true
			continue
		}
		digits++
		m = m*10 + uint64(d) // used only if all digits were safe
		if point {
			fraction++
		}
	}
	if digits == 0 {
		return 0, false
	}
	exponent := 0
	if i < len(text) {
		var ok bool
		if exponent, ok = parseExponent(text[i:]); !ok {
			return 0, false
		}
	}
	shift := exponent - fraction
	if exactMantissa < m && digits <= safeDigits && -safeDigits <= shift && shift < 0 {
		v := quotient(m, -shift)
		if text[0] == '-' {
			v = -v
		}
		return v, true
	}
	if digits > safeDigits || m > exactMantissa || shift < -22 || shift > 22 {
		v, err := strconv.ParseFloat(string(text), 64)
		// The grammar was checked above, so that an error can only be of range: v is an infinity
		// then.
		return v, err == nil || math.IsInf(v, 0)
	}
	v := float64(m)
	if shift < 0 {
		v /= exact10[-shift]
	} else {
		v *= exact10[shift]
	}
	if text[0] == '-' {
		v = -v
	}
	return v, true
}

// quotient returns m / 10^k, rounded to the nearest float64, for m > 0 and k < 20.
//
//	m, 10^k   shifted so that their highest bits are set
//	q         m * 2^63 / 10^k, of 63 or 64 bits, whose lowest says whether anything follows
//
// The conversion of q to float64 is thus the only rounding.
func quotient(m uint64, k int) float64 {
	d := uint64(1)
	for ; k > 8; k -= 8 {
		d *= tens[8]
	}
	d *= tens[k]
	up, down := bits.LeadingZeros64(m), bits.LeadingZeros64(d)
	m <<= up
	q, rest := bits.Div64(m>>1, m<<63, d<<down)
	if rest != 0 {
		q |= 1
	}
	const bias, mantissa = 1023, 52
	return float64(q) * math.Float64frombits(uint64(bias+down-up-63)<<mantissa)
}

// parseAs reads the whole of text, without blanks around it, as a number of a format.
func parseAs(f spelling.NumberFormat, text []byte) (float64, bool) {
	if f.Plain() {
		return ParseNumber(text)
	}
	return f.Number(text)
}

// parseExponent reads e, an optional sign and digits. Beyond four digits the value is truncated: it
// only has to stay outside the range that is converted here.
func parseExponent(text []byte) (int, bool) {
	if text[0]|0x20 != 'e' {
		return 0, false
	}
	text = text[1:]
	negative := len(text) > 0 && text[0] == '-'
	if negative || len(text) > 0 && text[0] == '+' {
		text = text[1:]
	}
	value := 0
	for _, c := range text {
		if c < '0' || c > '9' {
			return 0, false
		}
		value = min(value*10+int(c-'0'), 1e6)
	}
	if negative {
		value = -value
	}
	return value, len(text) > 0
}

func parseInfinity(word []byte, negative bool) (float64, bool) {
	const long = "infinity"
	if len(word) != len("inf") && len(word) != len(long) {
		return 0, false
	}
	for i, c := range word {
		if c|0x20 != long[i] {
			return 0, false
		}
	}
	if negative {
		return math.Inf(-1), true
	}
	return math.Inf(1), true
}

package table

import (
	"math"
	"math/big"
	"strconv"
	"time"
)

// Microseconds returns so many units of time as microseconds. Finer units are truncated, towards
// the past. Durations of more than 285 years are rounded.
func Microseconds(v int64, unit time.Duration) float64 {
	if unit < time.Microsecond {
		per := int64(time.Microsecond / unit)
		whole := v / per
		if v%per < 0 {
			whole--
		}
		return float64(whole)
	}
	return float64(v) * float64(unit/time.Microsecond)
}

// Decimal returns v / 10^scale, rounded once. The scale may be negative.
func Decimal(v int64, scale int) float64 {
	if 0 <= scale && scale < len(exact10) && -exactMantissa <= v && v <= exactMantissa {
		return float64(v) / exact10[scale]
	}
	return scaled(strconv.AppendInt(nil, v, 10), scale)
}

// BigDecimal is Decimal for an integer in two's complement, the highest byte first.
func BigDecimal(b []byte, scale int) float64 {
	v := new(big.Int).SetBytes(b)
	if len(b) > 0 && b[0] >= 0x80 {
		v.Sub(v, new(big.Int).Lsh(big.NewInt(1), uint(8*len(b))))
	}
	if v.IsInt64() {
		return Decimal(v.Int64(), scale)
	}
	return scaled(v.Append(nil, 10), scale)
}

func scaled(digits []byte, scale int) float64 {
	text := strconv.AppendInt(append(digits, 'e'), -int64(scale), 10)
	v, _ := ParseNumber(text) // its grammar holds
	return v
}

// Float16 returns a number of IEEE 754's binary16: a sign, 5 bits of exponent, 10 of fraction.
func Float16(bits uint16) float64 {
	exponent, fraction := int(bits>>10&31), float64(bits&1023)
	var v float64
	switch exponent {
	case 0:
		v = math.Ldexp(fraction, -24)
	case 31:
		v = math.Inf(1)
		if fraction != 0 {
			v = math.NaN()
		}
	default:
		v = math.Ldexp(1024+fraction, exponent-25)
	}
	if bits>>15 != 0 {
		v = -v
	}
	return v
}

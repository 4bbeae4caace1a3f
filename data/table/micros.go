package table

import (
	"math"
	"math/big"
	"strconv"
	"time"
)

// AppendDuration appends so many units of time, of a duration or since midnight. It becomes a
// number of microseconds; finer units are truncated, towards the past. Durations of more than 285
// years are rounded.
func (c *Column) AppendDuration(v int64, unit time.Duration) {
	c.AppendNumber(microseconds(v, unit))
}

// microseconds returns so many units as microseconds.
func microseconds(v int64, unit time.Duration) float64 {
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

// AppendDecimal appends v / 10^scale, rounded once. The scale may be negative.
func (c *Column) AppendDecimal(v int64, scale int) {
	if 0 <= scale && scale < len(exact10) && -exactMantissa <= v && v <= exactMantissa {
		c.AppendNumber(float64(v) / exact10[scale])
		return
	}
	c.appendScaled(strconv.AppendInt(nil, v, 10), scale)
}

// AppendBigDecimal is AppendDecimal for an integer in two's complement, the highest byte first.
func (c *Column) AppendBigDecimal(b []byte, scale int) {
	v := new(big.Int).SetBytes(b)
	if len(b) > 0 && b[0] >= 0x80 {
		v.Sub(v, new(big.Int).Lsh(big.NewInt(1), uint(8*len(b))))
	}
	if v.IsInt64() {
		c.AppendDecimal(v.Int64(), scale)
		return
	}
	c.appendScaled(v.Append(nil, 10), scale)
}

func (c *Column) appendScaled(digits []byte, scale int) {
	text := strconv.AppendInt(append(digits, 'e'), -int64(scale), 10)
	v, _ := ParseNumber(text) // its grammar holds
	c.AppendNumber(v)
}

// AppendFloat16 appends a number of IEEE 754's binary16: a sign, 5 bits of exponent, 10 of
// fraction.
func (c *Column) AppendFloat16(bits uint16) {
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
	c.AppendNumber(v)
}

package table

import (
	"bytes"
	"math"
	"math/big"
	"slices"
	"strconv"
	"time"

	"github.com/coppice-ml/coppice/data"
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
	v := integerOf(b)
	if v.IsInt64() {
		return Decimal(v.Int64(), scale)
	}
	return scaled(v.Append(nil, 10), scale)
}

// AppendDecimal appends v / 10^scale, as Decimal returns it. A verbatim column keeps all its
// digits.
func (c *Column) AppendDecimal(v int64, scale int) {
	if c.Kept.Dict == nil {
		c.AppendNumber(Decimal(v, scale))
		return
	}
	decimal{strconv.AppendInt(nil, v, 10), scale}.appendTo(c, Decimal(v, scale))
}

// AppendBigDecimal is AppendDecimal for an integer as BigDecimal takes it.
func (c *Column) AppendBigDecimal(b []byte, scale int) {
	if c.Kept.Dict == nil {
		c.AppendNumber(BigDecimal(b, scale))
		return
	}
	decimal{integerOf(b).Append(nil, 10), scale}.appendTo(c, BigDecimal(b, scale))
}

// decimal is an integer / 10^scale.
type decimal struct {
	digits []byte // of the integer
	scale  int
}

// appendTo appends the decimal to a verbatim column. v is its value.
func (d decimal) appendTo(c *Column, v float64) {
	const most = 1000 // digits: a file may state any scale
	if d.scale < -most || d.scale > most {
		c.AppendNumber(v)
		return
	}
	c.appendNumeral(v, data.NumberText(v, c.Bits), decimalText(d.digits, d.scale))
}

// decimalText puts a point before the last digits of an integer, as many as scale, or zeros behind
// it where scale is negative.
func decimalText(digits []byte, scale int) []byte {
	sign := len(digits) > 0 && digits[0] == '-'
	if sign {
		digits = digits[1:]
	}
	if scale < 0 && string(digits) != "0" {
		digits = append(digits, bytes.Repeat([]byte{'0'}, -scale)...)
	}
	if scale > 0 {
		if missing := scale + 1 - len(digits); missing > 0 {
			digits = append(bytes.Repeat([]byte{'0'}, missing), digits...)
		}
		digits = slices.Insert(digits, len(digits)-scale, '.')
	}
	if sign {
		digits = append([]byte{'-'}, digits...)
	}
	return digits
}

// integerOf returns an integer in two's complement, the highest byte first.
func integerOf(b []byte) *big.Int {
	v := new(big.Int).SetBytes(b)
	if len(b) > 0 && b[0] >= 0x80 {
		v.Sub(v, new(big.Int).Lsh(big.NewInt(1), uint(8*len(b))))
	}
	return v
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

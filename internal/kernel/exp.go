package kernel

import "math"

const (
	expLargest  = 0x1.62e42fefa39efp+9  // 709.78...: above it e^x overflows
	expSmallest = -0x1.74910d52d3051p+9 // -745.13...: below it e^x rounds to 0

	// ln 2 / 64 = ln2By64 + ln2By64Low. The first part is a multiple of 2^-42, so its product with
	// an integer of up to 17 bits is exact.
	ln2By64    = 0x1.62e42fefap-7
	ln2By64Low = 0x1.cf79abc9e3b3ap-46

	// Adding roundShift to a number below 2^51 rounds it to an integer, which the low bits of the
	// sum then hold.
	roundShift = 0x1.8p52
)

// Exp returns e^x with an error below 0.52 units in the last place (0.77 where the result is
// subnormal), the same bits on every architecture. Exp(+Inf) = +Inf, Exp(-Inf) = 0, Exp(NaN) = NaN;
// overflow gives +Inf, underflow 0.
//
// With n the integer nearest to 64 x / ln 2, n = 64 k + j and r = x - n ln 2 / 64, so that |r| <
// 2^-7.5,
//
//	e^x = 2^k 2^(j/64) e^r
//
// where 2^(j/64) is tabulated to twice the precision and e^r - 1 is its Taylor polynomial of degree
// 6, whose remainder is below 2^-64. (Tang 1989, "Table-driven implementation of the exponential
// function".)
func Exp(x float64) float64 {
	switch {
	case x > expLargest:
		return math.Inf(1)
	case x < expSmallest:
		return 0
	case x != x:
		return math.NaN()
	}
	shifted := float64(x*(64/math.Ln2)) + roundShift
	n := int(int32(math.Float64bits(shifted))) // the low 32 bits, sign included
	nf := shifted - roundShift
	r := x - float64(nf*ln2By64) - float64(nf*ln2By64Low)
	return expOf(n, r)
}

// expOf returns 2^(n/64) e^r for |r| < 2^-7.5.
func expOf(n int, r float64) float64 {
	r2 := float64(r * r)
	p := float64(r2*(1.0/720)) + (float64(r*(1.0/120)) + 1.0/24)
	p = float64(r2*p) + (float64(r*(1.0/6)) + 0.5)
	p = float64(r2*p) + r // e^r - 1
	t := &expTable[n&63]
	y := t[0] + (float64(t[0]*p) + t[1])
	switch k := n >> 6; {
	case k > 1023:
		return y * 2 * pow2(k-1)
	// y may be less than 1, one step below the normal numbers: two factors, of which only the last
	// rounds
	case k < -1021:
		return y * pow2(k+64) * 0x1p-64
	default:
		return y * pow2(k)
	}
}

// pow2 returns 2^k for -1022 <= k <= 1023.
func pow2(k int) float64 { return math.Float64frombits(uint64(k+1023) << 52) }

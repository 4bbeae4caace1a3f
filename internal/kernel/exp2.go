package kernel

import "math"

const (
	exp2Largest = 1024 // from it on 2^x overflows
	// up to it 2^x rounds to 0: 2^-1075 is half of the least number, and halves go to the even one
	exp2Smallest = -1075
)

// Exp2 returns 2^x with an error below 0.52 units in the last place (0.77 where the result is
// subnormal), the same bits on every architecture; of an integer it is exact. Exp2(+Inf) = +Inf,
// Exp2(-Inf) = 0, Exp2(NaN) = NaN; overflow gives +Inf, underflow 0.
//
// With n the integer nearest to 64 x, n = 64 k + j and r = (x - n/64) ln 2, it is Exp's
//
//	2^x = 2^k 2^(j/64) e^r
//
// where x - n/64 is exact, so that r has no more than the error of one product.
func Exp2(x float64) float64 {
	switch {
	case x >= exp2Largest:
		return math.Inf(1)
	case x <= exp2Smallest:
		return 0
	case x != x:
		return math.NaN()
	}
	shifted := float64(x*64) + roundShift
	n := int(int32(math.Float64bits(shifted))) // the low 32 bits, sign included
	return expOf(n, float64((x-float64((shifted-roundShift)*(1.0/64)))*math.Ln2))
}

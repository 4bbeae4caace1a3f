package kernel_test

import (
	"math"
	"math/big"
)

// The reference functions work with 256 bits; their errors are far below what a float64 can show.
const precision = 256

func bigFloat(x float64) *big.Float { return new(big.Float).SetPrec(precision).SetFloat64(x) }

func newBig() *big.Float { return new(big.Float).SetPrec(precision) }

// bigExp returns e^x by Taylor's series on x / 2^k with k squarings, for |x| < 800.
func bigExp(x *big.Float) *big.Float {
	const k = 24
	r := newBig().SetMantExp(x, -k)
	sum, term := bigFloat(1), bigFloat(1)
	for i := 1; i < 24; i++ {
		term.Mul(term, r)
		term.Quo(term, bigFloat(float64(i)))
		sum.Add(sum, term)
	}
	for range k {
		sum.Mul(sum, sum)
	}
	return sum
}

// bigLog returns log x for x > 0 by Halley's iteration y + 2 (x - e^y) / (x + e^y), each step of
// which has three times the correct digits.
func bigLog(x *big.Float) *big.Float {
	mantissa := newBig()
	exponent := x.MantExp(mantissa)
	m, _ := mantissa.Float64()
	y := bigFloat(math.Log(m) + float64(exponent)*math.Ln2)
	for range 3 {
		e := bigExp(y)
		step := newBig().Quo(newBig().Sub(x, e), newBig().Add(x, e))
		y.Add(y, step.Mul(step, bigFloat(2)))
	}
	return y
}

var bigLn2 = bigLog(bigFloat(2))

// ulps returns |got - want| in units of the last place of want, those of the subnormal numbers
// being 2^-1074.
func ulps(got float64, want *big.Float) float64 {
	if want.Sign() == 0 {
		return math.Abs(got) / math.SmallestNonzeroFloat64
	}
	exponent := max(want.MantExp(nil)-53, -1074)
	d := newBig().Sub(bigFloat(got), want)
	u, _ := d.SetMantExp(d, -exponent).Float64()
	return math.Abs(u)
}

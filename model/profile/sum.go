package profile

import (
	"math"
	"math/big"
	"math/bits"
)

// sum adds up finite numbers and their squares without rounding, so that their order has no effect.
// Both are fixed-point numbers of 32-bit digits, each in a word of 64 bits: fewer than 2^31 rows
// cannot overflow one, so that no carry is needed before the end.
type sum struct {
	digits  [69]int64  // units of 2^-1074
	squares [133]int64 // units of 2^-2148
}

// lowest is the exponent of the unit of a number, the least one that there is.
const lowest = -1074

// fraction is the bits of a number below its exponent.
const fraction = 1<<52 - 1

// mostTogether is how many squares of fractions have a sum of less than 128 bits.
const mostTogether = 1 << 22

// add takes a number that is not 0, so many times.
func (s *sum) add(v float64, times int) {
	word := math.Float64bits(v)
	m, signed := word&fraction, int(word>>52)
	if signed&0x7ff != 0 {
		m |= 1 << 52
	}
	for ; times > 0; times -= mostTogether {
		n := uint64(min(times, mostTogether))
		var p power
		p.high, p.low = bits.Mul64(m, n)
		high, low := bits.Mul64(m, m)
		p.squareHigh, p.squareLow = bits.Mul64(low, n)
		p.squareHigh += high * n
		s.addPower(&p, signed)
	}
}

// power is the sum of the fractions of numbers with one exponent, and that of their squares.
type power struct{ low, high, squareLow, squareHigh uint64 }

// addPower takes the sums of up to mostTogether numbers. Their sign is the bit above the exponent.
func (s *sum) addPower(p *power, signed int) {
	shift := uint(max(signed&0x7ff, 1) - 1) // they are of units of 2^(shift + lowest)
	addAt(s.digits[:], shift, p.low, p.high, 1-2*int64(signed>>11))
	addAt(s.squares[:], 2*shift, p.squareLow, p.squareHigh, 1)
}

// addAt adds a number of two words to digits from some bit on, or subtracts it.
func addAt(digits []int64, bit uint, low, high uint64, sign int64) {
	d, r := digits[bit>>5:][:5], bit&31
	top := high >> (64 - r)
	high, low = high<<r|low>>(64-r), low<<r
	d[0] += sign * int64(low&math.MaxUint32)
	d[1] += sign * int64(low>>32)
	d[2] += sign * int64(high&math.MaxUint32)
	d[3] += sign * int64(high>>32)
	d[4] += sign * int64(top)
}

// powers are the sums of numbers by sign and exponent, which are quicker to add to than digits.
type powers struct {
	of [1 << 12]power
	n  int
}

// take moves all to a sum.
func (p *powers) take(s *sum) {
	for signed := range p.of {
		if one := &p.of[signed]; one.squareHigh != 0 { // that of no sum is 0
			s.addPower(one, signed)
			*one = power{}
		}
	}
	p.n = 0
}

// integer returns the number that digits are, in their units.
func integer(digits []int64) *big.Int {
	x, digit := new(big.Int), new(big.Int)
	for i := len(digits) - 1; i >= 0; i-- {
		x.Lsh(x, 32).Add(x, digit.SetInt64(digits[i]))
	}
	return x
}

// moments returns the mean and the standard deviation of n numbers, rounded once.
func (s *sum) moments(count int) (mean, std float64) {
	total, n := integer(s.digits[:]), big.NewInt(int64(count))
	unit := new(big.Int).Lsh(n, -lowest)
	mean, _ = new(big.Rat).SetFrac(total, unit).Float64()
	// n^2 variance = n sum(x^2) - sum(x)^2
	spread := integer(s.squares[:])
	spread.Mul(spread, n).Sub(spread, total.Mul(total, total))
	variance := new(big.Float).SetPrec(256).SetRat(new(big.Rat).SetFrac(spread, unit.Mul(unit, unit)))
	std, _ = variance.Sqrt(variance).Float64()
	return mean, std
}

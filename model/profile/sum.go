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
	n       int64
	digits  [67]int64  // units of 2^-1074
	squares [133]int64 // units of 2^-2148
}

// lowest is the exponent of the unit of a number, the least one that there is.
const lowest = -1074

// add takes a number that is not 0, of which it is enough to count.
func (s *sum) add(v float64) {
	s.n++
	word := math.Float64bits(v)
	m, exponent := word&(1<<52-1), int(word>>52&0x7ff)
	if exponent == 0 {
		exponent = 1
	} else {
		m |= 1 << 52
	}
	shift := uint(exponent - 1) // v is m 2^(shift + lowest)
	sign := 1 - 2*int64(word>>63)

	d := s.digits[shift>>5:][:3]
	r := shift & 31
	low, high := m<<r, m>>(64-r)
	d[0] += sign * int64(low&math.MaxUint32)
	d[1] += sign * int64(low>>32)
	d[2] += sign * int64(high)

	high, low = bits.Mul64(m, m)
	q := s.squares[2*shift>>5:][:5]
	r = 2 * shift & 31
	top := high >> (64 - r)
	high, low = high<<r|low>>(64-r), low<<r
	q[0] += int64(low & math.MaxUint32)
	q[1] += int64(low >> 32)
	q[2] += int64(high & math.MaxUint32)
	q[3] += int64(high >> 32)
	q[4] += int64(top)
}

// integer returns the number that digits are, in their units.
func integer(digits []int64) *big.Int {
	x, digit := new(big.Int), new(big.Int)
	for i := len(digits) - 1; i >= 0; i-- {
		x.Lsh(x, 32).Add(x, digit.SetInt64(digits[i]))
	}
	return x
}

// moments returns the mean and the standard deviation, rounded once.
func (s *sum) moments() (mean, std float64) {
	total, n := integer(s.digits[:]), big.NewInt(s.n)
	unit := new(big.Int).Lsh(n, -lowest)
	mean, _ = new(big.Rat).SetFrac(total, unit).Float64()
	// n^2 variance = n sum(x^2) - sum(x)^2
	spread := integer(s.squares[:])
	spread.Mul(spread, n).Sub(spread, total.Mul(total, total))
	variance := new(big.Float).SetPrec(256).SetRat(new(big.Rat).SetFrac(spread, unit.Mul(unit, unit)))
	std, _ = variance.Sqrt(variance).Float64()
	return mean, std
}

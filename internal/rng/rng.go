// Package rng owns the random stream: every random choice in Coppice comes from a Stream, and a
// Stream is a function of a seed and of its purpose. Its numbers are a contract. They stay the same
// in all versions and on every architecture, because the same seed must give the same bytes of
// models and folds.
//
// The generator is PCG-DXSM (O'Neill 2014), number for number the rand.PCG of math/rand/v2. It is
// written out here so that loops keep its state in registers.
package rng

import (
	"math/bits"
	"slices"
)

// Stream is a sequence of random numbers. It is not safe for concurrent use: give each goroutine,
// or rather each tree, fold or node, a stream of its own.
type Stream struct{ hi, lo uint64 }

// New returns the stream of a seed and a path of indexes, for example New(seed, purpose, tree).
// Streams of different seeds or paths (also of different lengths) are independent for all purposes
// here.
func New(seed uint64, path ...uint64) *Stream {
	s := new(Stream)
	s.Reset(seed, path...)
	return s
}

// Reset makes s the stream New(seed, path...).
func (s *Stream) Reset(seed uint64, path ...uint64) {
	*s = FromSeed(Seed(seed, path...))
}

// FromSeed returns the stream New(seed, path...) for the value of Seed(seed, path...).
func FromSeed(seed uint64) Stream { return Stream{seed, mix(^seed)} }

// Stem is the beginning of a path, of which many streams follow.
type Stem uint64

// NewStem returns the stem of a seed and a path.
func NewStem(seed uint64, path ...uint64) Stem { return Stem(Seed(seed, path...)) }

// Float64 returns the first number of the stream New(seed, path..., next), by its method Float64.
func (s Stem) Float64(next uint64) float64 {
	seed := mix(uint64(s) + next)
	return fraction(output(step(seed, mix(^seed))))
}

// Seed returns a seed of its own for a path below a seed, for things that use paths themselves.
func Seed(seed uint64, path ...uint64) uint64 {
	state := mix(seed)
	for _, p := range path {
		state = mix(state + p)
	}
	return state
}

// mix is one step of SplitMix64 (Steele, Lea, Flood 2014), a bijection that spreads every input bit
// over all output bits.
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// step returns the state after one: times a number plus another, modulo 2^128.
func step(hi, lo uint64) (uint64, uint64) {
	const (
		mulHi, mulLo = 2549297995355413924, 4865540595714422341
		addHi, addLo = 6364136223846793005, 1442695040888963407
	)
	high, low := bits.Mul64(lo, mulLo)
	high += hi*mulLo + lo*mulHi
	low, carry := bits.Add64(low, addLo, 0)
	high, _ = bits.Add64(high, addHi, carry)
	return high, low
}

// output returns the random bits of a state.
func output(hi, lo uint64) uint64 {
	hi ^= hi >> 32
	hi *= 0xda942042e4dd58b5
	hi ^= hi >> 48
	return hi * (lo | 1)
}

// Uint64 returns 64 random bits.
func (s *Stream) Uint64() uint64 {
	s.hi, s.lo = step(s.hi, s.lo)
	return output(s.hi, s.lo)
}

// Intn returns a number in [0, n), each with the same probability. For n < 1 it returns 0.
//
// A random number of 64 bits times n is a 128-bit product whose high half is the result. The few
// low halves that would favour some results are rejected (Lemire 2019, "Fast random integer
// generation in an interval").
func (s *Stream) Intn(n int) int {
	if n < 1 {
		return 0
	}
	bound := uint64(n)
	high, low := bits.Mul64(s.Uint64(), bound)
	if low < bound {
		for reject := -bound % bound; low < reject; {
			high, low = bits.Mul64(s.Uint64(), bound)
		}
	}
	return int(high)
}

// Float64 returns a multiple of 2^-53 in [0, 1), each with the same probability.
func (s *Stream) Float64() float64 { return fraction(s.Uint64()) }

// fraction returns random bits as a number in [0, 1).
func fraction(bits uint64) float64 { return float64(bits>>11) * 0x1p-53 }

// Shuffle puts n elements in random order by swap, every order with the same probability (Fisher
// and Yates, from the last element down).
func (s *Stream) Shuffle(n int, swap func(i, j int)) {
	for i := n - 1; i > 0; i-- {
		swap(i, s.Intn(i+1))
	}
}

// Perm returns the numbers 0 ... n-1 in random order.
func (s *Stream) Perm(n int) []int32 {
	p := make([]int32, n)
	for i := range p {
		p[i] = int32(i)
	}
	s.Shuffle(n, func(i, j int) { p[i], p[j] = p[j], p[i] })
	return p
}

// Some appends take of the numbers 0 ... n-1, ascending, to dst, every choice with the same
// probability: a number is chosen if Intn of those that are left, itself among them, is below what
// is still to be taken (Knuth 1981, "algorithm S"). No branch depends on whether one is chosen,
// because it would be mispredicted every other time.
func (s *Stream) Some(dst []int32, n, take int) []int32 {
	dst = slices.Grow(dst, take)
	limit := dst[len(dst) : len(dst)+take]
	hi, lo := s.hi, s.lo
	left := uint64(take)
	for i, at := 0, 0; at < len(limit); i++ {
		limit[at] = int32(i)
		hi, lo = step(hi, lo)
		bound := uint64(n - i)
		high, low := bits.Mul64(output(hi, lo), bound)
		if low < bound { // as Intn
			for reject := -bound % bound; low < reject; {
				hi, lo = step(hi, lo)
				high, low = bits.Mul64(output(hi, lo), bound)
			}
		}
		_, chosen := bits.Sub64(high, left, 0)
		left -= chosen
		at += int(chosen)
	}
	s.hi, s.lo = hi, lo
	return dst[:len(dst)+take]
}

// Shuffled returns numbers, such as those of rows, in a random order, in the memory of dst if there
// is enough.
func (s *Stream) Shuffled(dst, rows []int32) []int32 {
	dst = append(dst[:0], rows...)
	s.Shuffle(len(dst), func(i, j int) { dst[i], dst[j] = dst[j], dst[i] })
	return dst
}

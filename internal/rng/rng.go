// Package rng owns the random stream: every random choice in Coppice is drawn from a Stream, and a Stream is a
// function of a seed and of what it is for. The numbers it yields are a contract, the same for ever and on every
// architecture, because models and folds promise the same bytes for the same seed.
//
// Only the Uint64 of PCG-DXSM (math/rand/v2, whose output Go fixes) is used; the methods of rand.Rand, which Go may
// change, are not.
package rng

import (
	"math/bits"
	"math/rand/v2"
)

// Stream is a sequence of random numbers. It is not safe for concurrent use: give each goroutine, or rather each
// tree, fold or node, a stream of its own.
type Stream struct{ pcg rand.PCG }

// New returns the stream of a seed and a path of indexes, for example New(seed, purpose, tree). Streams of
// different seeds or paths (also of different lengths) are independent for all purposes here.
func New(seed uint64, path ...uint64) *Stream {
	s := new(Stream)
	s.Reset(seed, path...)
	return s
}

// Reset makes s the stream New(seed, path...).
func (s *Stream) Reset(seed uint64, path ...uint64) {
	state := Seed(seed, path...)
	s.pcg.Seed(state, mix(^state))
}

// Seed returns a seed of its own for a path below a seed, for things that draw by paths themselves.
func Seed(seed uint64, path ...uint64) uint64 {
	state := mix(seed)
	for _, p := range path {
		state = mix(state + p)
	}
	return state
}

// mix is one step of SplitMix64 (Steele, Lea, Flood 2014), a bijection that spreads every input bit over all
// output bits.
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// Uint64 returns 64 random bits.
func (s *Stream) Uint64() uint64 { return s.pcg.Uint64() }

// Intn returns a number in [0, n), each with the same probability. For n < 1 it returns 0.
//
// A 64-bit draw times n is a 128-bit product whose high half is the result; the few low halves that would favour
// some results are drawn again (Lemire 2019, "Fast random integer generation in an interval").
func (s *Stream) Intn(n int) int {
	if n < 1 {
		return 0
	}
	bound := uint64(n)
	high, low := bits.Mul64(s.pcg.Uint64(), bound)
	if low < bound {
		for reject := -bound % bound; low < reject; {
			high, low = bits.Mul64(s.pcg.Uint64(), bound)
		}
	}
	return int(high)
}

// Float64 returns a multiple of 2^-53 in [0, 1), each with the same probability.
func (s *Stream) Float64() float64 { return float64(s.pcg.Uint64()>>11) * 0x1p-53 }

// Shuffle puts n elements in random order by swap, every order with the same probability (Fisher and Yates, from
// the last element down).
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

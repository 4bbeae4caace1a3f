// Package cityhash owns CityHash64 in its first version (1.0, 2011), which CatBoost has kept: its
// models find a category by the lower half of the hash of its text. Later versions of CityHash
// give other numbers.
package cityhash

import (
	"encoding/binary"
	"math/bits"
)

// The multipliers, primes between 2^63 and 2^64.
const (
	k0 = 0xc3a5c85c97cb3127
	k1 = 0xb492b66fbe98f273
	k2 = 0x9ae16a3b2f90404f
	k3 = 0xc949d7c7509e6557
)

// Sum64 returns the hash of a text.
func Sum64(s string) uint64 {
	switch n := len(s); {
	case n <= 16:
		return upTo16(s)
	case n <= 32:
		return upTo32(s)
	case n <= 64:
		return upTo64(s)
	}
	return long(s)
}

func load64(s string, at int) uint64 {
	var b [8]byte
	copy(b[:], s[at:at+8])
	return binary.LittleEndian.Uint64(b[:])
}

func load32(s string, at int) uint64 {
	var b [4]byte
	copy(b[:], s[at:at+4])
	return uint64(binary.LittleEndian.Uint32(b[:]))
}

func rotate(x uint64, right int) uint64 { return bits.RotateLeft64(x, -right) }

func fold(x uint64) uint64 { return x ^ x>>47 }

// join hashes two numbers to one, as Murmur does.
func join(low, high uint64) uint64 {
	const k = 0x9ddfea08eb382d69
	a := fold((low ^ high) * k)
	b := fold((high ^ a) * k)
	return b * k
}

func upTo16(s string) uint64 {
	n := len(s)
	switch {
	case n > 8:
		a, b := load64(s, 0), load64(s, n-8)
		return join(a, rotate(b+uint64(n), n)) ^ b
	case n >= 4:
		return join(uint64(n)+load32(s, 0)<<3, load32(s, n-4))
	case n > 0:
		y := uint32(s[0]) + uint32(s[n>>1])<<8
		z := uint32(n) + uint32(s[n-1])<<2
		return fold(uint64(y)*k2^uint64(z)*k3) * k2
	}
	return k2
}

func upTo32(s string) uint64 {
	n := len(s)
	a, b := load64(s, 0)*k1, load64(s, 8)
	c, d := load64(s, n-8)*k2, load64(s, n-16)*k0
	return join(rotate(a-b, 43)+rotate(c, 30)+d, a+rotate(b^k3, 20)-c+uint64(n))
}

func upTo64(s string) uint64 {
	n := len(s)
	half := func(at int, a, z uint64) (first, second uint64) {
		b, c := rotate(a+z, 52), rotate(a, 37)
		a += load64(s, at+8)
		c += rotate(a, 7)
		a += load64(s, at+16)
		return a + z, b + rotate(a, 31) + c
	}
	vf, vs := half(0, load64(s, 0)+(uint64(n)+load64(s, n-16))*k0, load64(s, 24))
	wf, ws := half(n-32, load64(s, 16)+load64(s, n-32), load64(s, n-8))
	r := fold((vf+ws)*k2 + (wf+vs)*k0)
	return fold(r*k0+vs) * k2
}

// pair is a state of 128 bits.
type pair struct{ first, second uint64 }

// weak hashes the 32 bytes at a place and two seeds.
func weak(s string, at int, a, b uint64) pair {
	w, x, y, z := load64(s, at), load64(s, at+8), load64(s, at+16), load64(s, at+24)
	a += w
	b = rotate(b+a+z, 21)
	c := a
	a += x + y
	b += rotate(a, 44)
	return pair{a + z, b + c}
}

// long hashes more than 64 bytes: the last 64, and then blocks of 64 from the first on.
func long(s string) uint64 {
	n := len(s)
	x, y, z := load64(s, 0), load64(s, n-16)^k1, load64(s, n-56)^k0
	v := weak(s, n-64, uint64(n), y)
	w := weak(s, n-32, uint64(n)*k1, k0)
	z += fold(v.second) * k1
	x = rotate(z+x, 39) * k1
	y = rotate(y, 33) * k1
	for at := 0; at < (n-1)&^63; at += 64 {
		x = rotate(x+y+v.first+load64(s, at+16), 37) * k1
		y = rotate(y+v.second+load64(s, at+48), 42) * k1
		x ^= w.second
		y ^= v.first
		z = rotate(z^w.first, 33)
		v = weak(s, at, v.second*k1, x+w.first)
		w = weak(s, at+32, z+w.second, y)
		x, z = z, x
	}
	return join(join(v.first, w.first)+fold(y)*k1+z, join(v.second, w.second)+x)
}

package spelling

import (
	"encoding/binary"
	"math/bits"
)

// The multipliers, primes between 2^63 and 2^64.
const (
	hashK0 = 0xc3a5c85c97cb3127
	hashK1 = 0xb492b66fbe98f273
	hashK2 = 0x9ae16a3b2f90404f
	hashK3 = 0xc949d7c7509e6557
)

// Hash returns the CityHash64 of a text in its first version (1.0, 2011), which CatBoost has
// kept: its models find a category by the lower half of the hash of its text. Later versions of
// CityHash give other numbers.
func Hash(s string) uint64 {
	switch n := len(s); {
	case n <= 16:
		return hashUpTo16(s)
	case n <= 32:
		return hashUpTo32(s)
	case n <= 64:
		return hashUpTo64(s)
	}
	return hashLong(s)
}

func hashLoad64(s string, at int) uint64 {
	var b [8]byte
	copy(b[:], s[at:at+8])
	return binary.LittleEndian.Uint64(b[:])
}

func hashLoad32(s string, at int) uint64 {
	var b [4]byte
	copy(b[:], s[at:at+4])
	return uint64(binary.LittleEndian.Uint32(b[:]))
}

func hashRotate(x uint64, right int) uint64 { return bits.RotateLeft64(x, -right) }

func hashFold(x uint64) uint64 { return x ^ x>>47 }

// hashJoin hashes two numbers to one, as Murmur does.
func hashJoin(low, high uint64) uint64 {
	const k = 0x9ddfea08eb382d69
	a := hashFold((low ^ high) * k)
	b := hashFold((high ^ a) * k)
	return b * k
}

func hashUpTo16(s string) uint64 {
	n := len(s)
	switch {
	case n > 8:
		a, b := hashLoad64(s, 0), hashLoad64(s, n-8)
		return hashJoin(a, hashRotate(b+uint64(n), n)) ^ b
	case n >= 4:
		return hashJoin(uint64(n)+hashLoad32(s, 0)<<3, hashLoad32(s, n-4))
	case n > 0:
		y := uint32(s[0]) + uint32(s[n>>1])<<8
		z := uint32(n) + uint32(s[n-1])<<2
		return hashFold(uint64(y)*hashK2^uint64(z)*hashK3) * hashK2
	}
	return hashK2
}

func hashUpTo32(s string) uint64 {
	n := len(s)
	a, b := hashLoad64(s, 0)*hashK1, hashLoad64(s, 8)
	c, d := hashLoad64(s, n-8)*hashK2, hashLoad64(s, n-16)*hashK0
	return hashJoin(hashRotate(a-b, 43)+hashRotate(c, 30)+d, a+hashRotate(b^hashK3, 20)-c+uint64(n))
}

func hashUpTo64(s string) uint64 {
	n := len(s)
	half := func(at int, a, z uint64) (first, second uint64) {
		b, c := hashRotate(a+z, 52), hashRotate(a, 37)
		a += hashLoad64(s, at+8)
		c += hashRotate(a, 7)
		a += hashLoad64(s, at+16)
		return a + z, b + hashRotate(a, 31) + c
	}
	vf, vs := half(0, hashLoad64(s, 0)+(uint64(n)+hashLoad64(s, n-16))*hashK0, hashLoad64(s, 24))
	wf, ws := half(n-32, hashLoad64(s, 16)+hashLoad64(s, n-32), hashLoad64(s, n-8))
	r := hashFold((vf+ws)*hashK2 + (wf+vs)*hashK0)
	return hashFold(r*hashK0+vs) * hashK2
}

// hashState is a state of 128 bits.
type hashState struct{ first, second uint64 }

// hashWeakly hashes the 32 bytes at a place and two seeds.
func hashWeakly(s string, at int, a, b uint64) hashState {
	w, x, y, z := hashLoad64(s, at), hashLoad64(s, at+8), hashLoad64(s, at+16), hashLoad64(s, at+24)
	a += w
	b = hashRotate(b+a+z, 21)
	c := a
	a += x + y
	b += hashRotate(a, 44)
	return hashState{a + z, b + c}
}

// hashLong hashes more than 64 bytes: the last 64, and then blocks of 64 from the first on.
func hashLong(s string) uint64 {
	n := len(s)
	x, y, z := hashLoad64(s, 0), hashLoad64(s, n-16)^hashK1, hashLoad64(s, n-56)^hashK0
	v := hashWeakly(s, n-64, uint64(n), y)
	w := hashWeakly(s, n-32, uint64(n)*hashK1, hashK0)
	z += hashFold(v.second) * hashK1
	x = hashRotate(z+x, 39) * hashK1
	y = hashRotate(y, 33) * hashK1
	for at := 0; at < (n-1)&^63; at += 64 {
		x = hashRotate(x+y+v.first+hashLoad64(s, at+16), 37) * hashK1
		y = hashRotate(y+v.second+hashLoad64(s, at+48), 42) * hashK1
		x ^= w.second
		y ^= v.first
		z = hashRotate(z^w.first, 33)
		v = hashWeakly(s, at, v.second*hashK1, x+w.first)
		w = hashWeakly(s, at+32, z+w.second, y)
		x, z = z, x
	}
	return hashJoin(hashJoin(v.first, w.first)+hashFold(y)*hashK1+z, hashJoin(v.second, w.second)+x)
}

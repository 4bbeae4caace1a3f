package profile

import (
	"math"
	"math/bits"
	"slices"

	"github.com/coppice-ml/coppice/internal/rng"
)

// distinct counts different numbers that are not 0, and how often each is there, up to a most of
// them. It is a table of their bits with open addressing, at most three quarters full.
type distinct struct {
	most  int
	keys  []uint64 // 0: a free place
	times []uint32
	n     int
	more  bool // there are more than the most: it counts no longer
}

// count counts numbers up to one that is a different one too many, and returns where it is. Those
// that are not usual are passed to a function, which reports whether they do not count.
func (d *distinct) count(values []float64, leaveOut func(v float64) bool) (end int) {
	for i := 0; i < len(values); i++ {
		if i += d.countKnown(values[i:]); i == len(values) {
			break
		}
		if v := values[i]; !leaveOut(v) && !d.insert(math.Float64bits(v)) {
			return i
		}
	}
	return len(values)
}

// countKnown counts numbers up to one that is new or not usual, and returns where it is.
func (d *distinct) countKnown(values []float64) (end int) {
	keys, times := d.keys, d.times[:len(d.keys)]
	if len(keys) == 0 {
		return 0
	}
	mask, size := uint64(len(keys)-1), bits.Len(uint(len(keys)-1))
	for i, v := range values {
		key := math.Float64bits(v)
		at := hash(key, size)
		for keys[at] != key && keys[at] != 0 {
			at = (at + 1) & mask
		}
		if keys[at] == 0 || !usual(key) {
			return i
		}
		times[at]++
	}
	return len(values)
}

// insert counts a number; false: it would be one too many.
func (d *distinct) insert(key uint64) bool {
	if 4*d.n >= 3*len(d.keys) {
		d.grow()
	}
	at := d.place(key)
	if d.keys[at] == 0 {
		if d.n == d.most {
			return false
		}
		d.keys[at] = key
		d.n++
	}
	d.times[at]++
	return true
}

// hash returns the highest bits of a hash of a number. Numbers in equal steps are spread evenly
// (Knuth, "The Art of Computer Programming" 3, 6.4).
func hash(key uint64, bits int) uint64 { return key * 0x9e3779b97f4a7c15 >> (64 - bits&63) }

// place returns where a number is or would be.
func (d *distinct) place(key uint64) uint64 {
	mask, size := uint64(len(d.keys)-1), bits.Len(uint(len(d.keys)-1))
	at := hash(key, size)
	for d.keys[at] != 0 && d.keys[at] != key {
		at = (at + 1) & mask
	}
	return at
}

// bitmap has a bit for the hash of each number that it was given.
type bitmap struct {
	words [1 << (bitmapBits - 6)]uint64
	n     int
}

const bitmapBits = 16

// surelyMore reports whether numbers that are not 0 are more different ones than some number. It
// counts hashes, so that it need not be certain of few more.
func (b *bitmap) surelyMore(values []float64, most int) bool {
	for _, v := range values {
		if word := math.Float64bits(v); usual(word) {
			at := hash(word, bitmapBits)
			bit := uint64(1) << (at & 63)
			if old := &b.words[at>>6]; *old&bit == 0 {
				*old |= bit
				b.n++
			}
		}
	}
	return b.n > most
}

// placesFor returns how many places a table has for so many numbers; placeBytes is what each takes.
func placesFor(numbers int) int { return max(64, 1<<bits.Len(uint(4*numbers-1)/3)) }

const placeBytes = 8 + 4

// grow makes room for another number.
func (d *distinct) grow() {
	keys, times := d.keys, d.times
	size := placesFor(d.n + 1)
	d.keys, d.times = make([]uint64, size), make([]uint32, size)
	for i, key := range keys {
		if key != 0 {
			at := d.place(key)
			d.keys[at], d.times[at] = key, times[i]
		}
	}
}

// leastHashes returns the k of the positions below n with the least hashes, ascending.
func leastHashes(n, k int) []int32 {
	var at []int32
	var hashes []uint64
	// Few more than k hashes are below the limit, and too few only by a rare chance.
	for limit := float64(k)*1.02/float64(n) + 1e-4; len(at) < k; limit *= 2 {
		at, hashes = at[:0], hashes[:0]
		below := uint64(math.MaxUint64)
		if limit < 1 {
			below = uint64(limit * 0x1p64)
		}
		for i := range int32(n) {
			if h := rng.Seed(0, uint64(i)); h <= below {
				at, hashes = append(at, i), append(hashes, h)
			}
		}
	}
	least := slices.Sorted(slices.Values(hashes))[k-1]
	kept := at[:0]
	for i, h := range hashes {
		if h <= least && len(kept) < k {
			kept = append(kept, at[i])
		}
	}
	return kept
}

package profile

import (
	"cmp"
	"math"
	"slices"

	"github.com/coppice-ml/coppice/internal/rng"
)

// distinct counts different numbers, up to a most of them. It is a table of their bits with open
// addressing, at most three quarters full.
type distinct struct {
	most  int
	table []uint64 // noKey: a free place
	n     int
	more  bool
	last  float64 // the number before
}

// noKey is the bits of no number.
const noKey = math.MaxUint64

func (d *distinct) add(v float64) {
	if d.more || v == d.last && d.n > 0 {
		return
	}
	if d.last = v; 4*d.n >= 3*len(d.table) {
		d.grow()
	}
	key := math.Float64bits(v + 0) // -0 is 0
	at := d.place(key)
	if d.table[at] == key {
		return
	}
	if d.n == d.most {
		d.more, d.table = true, nil
		return
	}
	d.table[at] = key
	d.n++
}

// place returns where a number is or would be.
func (d *distinct) place(key uint64) uint64 {
	mask := uint64(len(d.table) - 1)
	at := key * 0x9e3779b97f4a7c15 >> 48 & mask
	for d.table[at] != noKey && d.table[at] != key {
		at = (at + 1) & mask
	}
	return at
}

func (d *distinct) grow() {
	old := d.table
	d.table = slices.Repeat([]uint64{noKey}, max(64, 2*len(old)))
	for _, key := range old {
		if key != noKey {
			d.table[d.place(key)] = key
		}
	}
}

// count returns the number, and whether there are more.
func (d *distinct) count() (n int, more bool) { return d.n, d.more }

// leastHashes returns the k of the positions below n with the least hashes, ascending.
func leastHashes(n, k int) []int32 {
	type hashed struct {
		hash uint64
		at   int32
	}
	var found []hashed
	// Few more than k hashes are below the limit, and too few only by a rare chance.
	for limit := float64(k)*1.02/float64(n) + 1e-4; len(found) < k; limit *= 2 {
		found = found[:0]
		below := uint64(math.MaxUint64)
		if limit < 1 {
			below = uint64(limit * 0x1p64)
		}
		for i := range int32(n) {
			if h := rng.Seed(0, uint64(i)); h <= below {
				found = append(found, hashed{h, i})
			}
		}
	}
	slices.SortFunc(found, func(a, b hashed) int { return cmp.Compare(a.hash, b.hash) })
	positions := make([]int32, k)
	for i := range positions {
		positions[i] = found[i].at
	}
	slices.Sort(positions)
	return positions
}

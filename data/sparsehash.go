package data

import (
	"math/bits"

	"github.com/coppice-ml/coppice/internal/rng"
)

// sparseHasher is a hasher of a column, that may be given its words other than the absent one, by
// ascending places. Nearly all groups of four words are those of absent values, for which half of
// the multiplications are done once. One that is given all words is a plain hasher.
type sparseHasher struct {
	hasher
	started bool
	absent  uint64
	rows    int       // so far
	done    int       // groups that are mixed
	last    int       // the group that is not, -1 = none
	group   [4]uint64 // its words
}

// addColumn adds rows of a column, given the hashes of its levels; ascend reports whether the rows
// do. A column whose first rows are sparse stays so.
func (h *sparseHasher) addColumn(
	f *Field, levels []uint64, c *Column, rows []int32, ascend bool,
) {
	s := c.sparse
	if s != nil && ascend && h.rows == 0 {
		h.started, h.absent, h.last = true, hashWord(s.absent), -1
	}
	switch {
	case f.Kind.HasLevels():
		h.addCodes(c.Codes(), levels, rows)
	case !h.started:
		h.addNumbers(c.Numbers(), rows)
	case s != nil && hashWord(s.absent) == h.absent:
		s.eachOf(rows, func(at int, v float64) { h.put(h.rows+at, hashWord(v)) })
	default:
		for at, row := range rows {
			h.put(h.rows+at, hashWord(c.Number(int(row))))
		}
	}
	h.rows += len(rows)
}

// columnSum returns the hash of the column's name, kind and values.
func (h *sparseHasher) columnSum(f *Field) uint64 {
	return rng.Seed(hashText(f.Name), uint64(f.Kind), h.sum())
}

// put gives the word of a place.
func (h *sparseHasher) put(at int, word uint64) {
	if at/4 != h.last {
		h.begin(at / 4)
	}
	h.group[at%4] = word
}

// begin mixes the groups before one, which becomes the last.
func (h *sparseHasher) begin(group int) {
	if h.last >= 0 {
		h.mix(h.group)
	}
	k := h.absent * hashFactor1
	a, b, c, d := h.lanes[0], h.lanes[1], h.lanes[2], h.lanes[3]
	for ; h.done < group; h.done++ {
		a = bits.RotateLeft64(a^k, 29) * hashFactor2
		b = bits.RotateLeft64(b^k, 29) * hashFactor2
		c = bits.RotateLeft64(c^k, 29) * hashFactor2
		d = bits.RotateLeft64(d^k, 29) * hashFactor2
	}
	h.lanes = [4]uint64{a, b, c, d}
	h.last, h.group = group, [4]uint64{h.absent, h.absent, h.absent, h.absent}
}

// mix mixes one group.
func (h *sparseHasher) mix(words [4]uint64) {
	for i, w := range words {
		h.lanes[i] = bits.RotateLeft64(h.lanes[i]^w*hashFactor1, 29) * hashFactor2
	}
	h.done++
}

// sum returns the hash of all words.
func (h *sparseHasher) sum() uint64 {
	n := h.rows
	if !h.started {
		return h.hasher.sum()
	}
	if rest := n % 4; rest > 0 { // places behind the last row count as 0
		if h.last != n/4 {
			h.begin(n / 4)
		}
		clear(h.group[rest:])
		h.mix(h.group)
	} else {
		h.begin(n / 4)
	}
	h.n = uint64(n)
	return h.hasher.sum()
}

package data

import "math/bits"

// hash returns what hashNumbers does of ascending rows. Nearly all groups of four words are those
// of absent values, for which half of the multiplications are done once.
func (s *sparse) hash(rows []int32) uint64 {
	var h sparseHasher
	h.start(s.absent)
	s.eachOf(rows, func(at int, v float64) { h.put(at, hashWord(v)) })
	return h.sum(len(rows))
}

// sparseHasher is a hasher that is given words other than the absent one, by ascending places. One
// that was not started is a plain hasher.
type sparseHasher struct {
	hasher
	started bool
	absent  uint64
	done    int       // groups that are mixed
	last    int       // the group that is not, -1 = none
	group   [4]uint64 // its words
}

// start makes the words that are not given those of a value.
func (h *sparseHasher) start(absent float64) {
	h.started, h.absent, h.last = true, hashWord(absent), -1
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

// sum returns the hash of n words.
func (h *sparseHasher) sum(n int) uint64 {
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

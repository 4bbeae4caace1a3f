package encode

import (
	"math"
	"math/bits"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/model/input"
)

// digit is the digit of a code in a key; see input.Table. That of data.UnseenCode is no level's.
func digit(code uint32) uint64 {
	if code == data.MissingCode {
		return 0
	}
	return uint64(code) + 1
}

// none is the key of rows with a category outside the dictionary.
const none = math.MaxUint64

const keysAtOnce = 1024 // rows whose keys are made, column after column

// eachKeys makes the keys of some rows and calls do with those of a few after the other, from row
// number lo on.
func (p *problem) eachKeys(t tuple, rows []int32, do func(lo int, keys []uint64)) {
	var memory [keysAtOnce]uint64
	for lo := 0; lo < len(rows); lo += keysAtOnce {
		some := rows[lo:min(lo+keysAtOnce, len(rows))]
		keys := memory[:len(some)]
		clear(keys)
		for _, c := range t {
			radix := uint64(len(p.frame.Schema.Fields[c].Levels)) + 1
			code := p.frame.Columns[c].Codes()
			for i, r := range some {
				if d := digit(code[r]); d < radix && keys[i] != none {
					keys[i] = keys[i]*radix + d
				} else {
					keys[i] = none
				}
			}
		}
		do(lo, keys)
	}
}

// group numbers the keys that rows have, in the order of the keys: id[i] is the number of the key
// of rows[i], and keys those that occur, ascending. Rows without a key have the number len(keys).
// The numbers are in the memory of r.
func (p *problem) group(t tuple, rows []int32, r *scratch) (id []int32, keys []uint64) {
	r.id = fit(r.id, len(rows))
	id = r.id
	if n, _ := input.Keys(p.frame.Schema.Fields, t); n <= uint64(min(2*len(rows), math.MaxInt32)) {
		return id, p.groupAll(t, rows, int(n), r)
	}
	of := newNumbers(len(rows))
	p.eachKeys(t, rows, func(lo int, some []uint64) {
		for i, k := range some {
			id[lo+i] = -1
			if k != none {
				id[lo+i] = of.number(k)
			}
		}
	})
	keys = slices.Clone(of.keys)
	slices.Sort(keys)
	rank := make([]int32, len(keys))
	for r, k := range keys {
		rank[of.number(k)] = int32(r)
	}
	for i, n := range id {
		if n < 0 {
			id[i] = int32(len(keys))
		} else {
			id[i] = rank[n]
		}
	}
	return id, keys
}

// groupAll is group for so few keys that there may be, n, that an array of them takes no more
// memory than a hash table.
func (p *problem) groupAll(t tuple, rows []int32, n int, r *scratch) (keys []uint64) {
	id := r.id
	r.number = fit(r.number, n+1) // the last one is of rows without a key
	number := r.number
	clear(number)
	found := 0
	p.eachKeys(t, rows, func(lo int, some []uint64) {
		for i, k := range some {
			k := min(k, uint64(n))
			id[lo+i] = int32(k)
			if k < uint64(n) && number[k] == 0 {
				number[k] = 1
				found++
			}
		}
	})
	keys = make([]uint64, 0, found)
	for k, occurs := range number[:n] {
		if occurs != 0 {
			number[k] = int32(len(keys))
			keys = append(keys, uint64(k))
		}
	}
	number[n] = int32(found)
	for i, k := range id {
		id[i] = number[k]
	}
	return keys
}

// numbers numbers keys as they come: a hash table with open addressing, at most half full.
type numbers struct {
	slot  []int32 // number of the key that lies there, -1 = free
	keys  []uint64
	shift int
}

func newNumbers(most int) *numbers {
	width := bits.Len(uint(2*max(1, most) - 1))
	n := &numbers{slot: make([]int32, 1<<width), shift: 64 - width}
	for i := range n.slot {
		n.slot[i] = -1
	}
	return n
}

// number returns the number of a key, the next one if it is new.
func (n *numbers) number(key uint64) int32 {
	const spread = 0x9e3779b97f4a7c15
	h := key * spread >> n.shift
	for n.slot[h] >= 0 {
		if n.keys[n.slot[h]] == key {
			return n.slot[h]
		}
		h = (h + 1) & uint64(len(n.slot)-1)
	}
	n.slot[h] = int32(len(n.keys))
	n.keys = append(n.keys, key)
	return n.slot[h]
}

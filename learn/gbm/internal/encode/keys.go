package encode

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/hugepage"
	"github.com/coppice-ml/coppice/internal/input"
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

// eachKeys makes the keys of some rows, which ascend, and calls do with those of a few after the
// other, from row number lo on.
func eachKeys(
	ctx context.Context, from Source, t tuple, rows []int32, do func(lo int, keys []uint64),
) error {
	var memory [keysAtOnce]uint64
	fields := from.Fields()
	return eachRun(ctx, from, t, rows, keysAtOnce, func(r *run) {
		keys := memory[:len(r.rows)]
		clear(keys)
		for k, c := range t {
			radix, code, first := uint64(len(fields[c].Levels))+1, r.codes[k], int32(r.first)
			for i, row := range r.rows {
				if d := digit(code[row-first]); d < radix && keys[i] != none {
					keys[i] = keys[i]*radix + d
				} else {
					keys[i] = none
				}
			}
		}
		do(r.at, keys)
	})
}

// group numbers the keys that rows have, in the order of the keys: id[i] is the number of the key
// of rows[i], and keys those that occur, ascending. Rows without a key have the number len(keys).
// The numbers are in the memory of r.
func group(
	ctx context.Context, from Source, t tuple, rows []int32, r *scratchpad,
) (id []int32, keys []uint64, err error) {
	id, keys, err = groupAnyhow(ctx, from, t, rows, r)
	if slices.IsSorted(keys) {
		return id, keys, err
	}
	order := make([]int32, len(keys))
	for n := range order {
		order[n] = int32(n)
	}
	slices.SortFunc(order, func(a, b int32) int { return cmp.Compare(keys[a], keys[b]) })
	rank, sorted := make([]int32, len(keys)+1), make([]uint64, len(keys))
	rank[len(keys)] = int32(len(keys))
	for to, n := range order {
		rank[n], sorted[to] = int32(to), keys[n]
	}
	for i, n := range id {
		id[i] = rank[n]
	}
	return id, sorted, err
}

// groupAnyhow is group in any order of the keys, which takes half of the time.
func groupAnyhow(
	ctx context.Context, from Source, t tuple, rows []int32, r *scratchpad,
) (id []int32, keys []uint64, err error) {
	r.id = fit(r.id, len(rows))
	id = r.id
	n, _ := input.Keys(from.Fields(), t)
	if n <= uint64(min(2*len(rows), math.MaxInt32)) {
		keys, err = groupAll(ctx, from, t, rows, int(n), r)
		return id, keys, err
	}
	of, without := newNumbers(), false
	err = eachKeys(ctx, from, t, rows, func(lo int, some []uint64) {
		for i, k := range some {
			id[lo+i] = -1
			if k != none {
				id[lo+i] = of.number(k)
			} else {
				without = true
			}
		}
	})
	for i := 0; without && i < len(id); i++ {
		if id[i] < 0 {
			id[i] = int32(len(of.keys))
		}
	}
	return id, of.keys, err
}

// groupAll is group for so few keys that there may be, n, that an array of them takes no more
// memory than a hash table.
func groupAll(
	ctx context.Context, from Source, t tuple, rows []int32, n int, r *scratchpad,
) (keys []uint64, err error) {
	id := r.id
	r.number = fit(r.number, n+1) // the last one is of rows without a key
	number := r.number
	clear(number)
	found := 0
	err = eachKeys(ctx, from, t, rows, func(lo int, some []uint64) {
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
	return keys, err
}

// find sets id[i] to the number of the key of rows[i] among ascending keys, len(keys) where it is
// none of them. It returns the memory of id.
func find(
	ctx context.Context, from Source, t tuple, rows []int32, keys []uint64, id []int32,
) ([]int32, error) {
	id = fit(id, len(rows))
	err := eachKeys(ctx, from, t, rows, func(lo int, some []uint64) {
		for i, k := range some {
			n, found := slices.BinarySearch(keys, k)
			if !found {
				n = len(keys)
			}
			id[lo+i] = int32(n)
		}
	})
	return id, err
}

// numbers numbers keys as they come: a hash table with open addressing, at most half full.
type numbers struct {
	slot  []int32 // number of the key that lies there, -1 = free
	keys  []uint64
	shift int
}

func newNumbers() *numbers {
	n := &numbers{}
	n.grow(10)
	return n
}

// grow makes the table one of 2^width slots.
func (n *numbers) grow(width int) {
	n.slot, n.shift = hugepage.Slice[int32](1<<width), 64-width
	for i := range n.slot {
		n.slot[i] = -1
	}
	for i, key := range n.keys {
		h := n.hash(key)
		for n.slot[h] >= 0 {
			h = (h + 1) & uint64(len(n.slot)-1)
		}
		n.slot[h] = int32(i)
	}
}

func (n *numbers) hash(key uint64) uint64 { return key * 0x9e3779b97f4a7c15 >> n.shift }

// number returns the number of a key, the next one if it is new.
func (n *numbers) number(key uint64) int32 {
	h := n.hash(key)
	for n.slot[h] >= 0 {
		if n.keys[n.slot[h]] == key {
			return n.slot[h]
		}
		h = (h + 1) & uint64(len(n.slot)-1)
	}
	number := int32(len(n.keys))
	n.slot[h] = number
	if n.keys = append(n.keys, key); 2*len(n.keys) > len(n.slot) {
		n.grow(64 - n.shift + 1)
	}
	return number
}

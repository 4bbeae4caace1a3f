package sorting

import "math/bits"

// mostMoves is how often the rows of a crowded bucket may be moved, for each row. Beyond it ByRank
// leaves the rest to a radix sort.
const mostMoves = 4

// ByRank returns rows, numbered from 0, by their ranks, equal ones by row: each with its rank as
// key.
//
// Each row goes to the bucket that its rank would be in if ranks were evenly spread, one bucket for
// each row. At last adjacent rows are put in order. Ranks of few rows among many are spread well,
// unless the column decided which rows these are. Equal values need not be moved.
func (b *Buffer) ByRank(rank []uint32) []Entry {
	n := len(rank)
	out := b.Entries(n)
	if n <= insertionUpTo {
		for i, p := range rank {
			insert(out, i, Entry{Key: p, Pos: uint32(i)})
		}
		return out
	}
	least, most := rank[0], rank[0]
	for _, p := range rank {
		least, most = min(least, p), max(most, p)
	}
	// bucket = (rank - least) n / (most - least + 1), rounded down; the quotient is kept below 1
	scale, _ := bits.Div64(uint64(n), 0, max(uint64(most-least)+2, uint64(n)+1))
	starts := b.Counts(n + 1)
	for _, p := range rank {
		b, _ := bits.Mul64(uint64(p-least), scale)
		starts[b]++
	}
	at := uint32(0)
	for i, k := range starts {
		starts[i] = at
		at += k
	}
	for i, p := range rank {
		b, _ := bits.Mul64(uint64(p-least), scale)
		out[starts[b]] = Entry{Key: p, Pos: uint32(i)}
		starts[b]++
	}
	moves := 0
	for i := 1; i < n; i++ {
		if e := out[i]; e.Key < out[i-1].Key {
			if moves += insert(out, i, e); moves > mostMoves*n {
				return b.RadixSort(out, least, most)
			}
		}
	}
	return out
}

// insert puts an entry among the first n, which are in order, and returns how many it moved.
func insert(out []Entry, n int, e Entry) int {
	i := n
	for ; i > 0 && out[i-1].Key > e.Key; i-- {
		out[i] = out[i-1]
	}
	out[i] = e
	return n - i
}

package exact

import "math/bits"

// crowded is the number of rows in one bucket from which sortPlaces leaves the work to a radix sort.
const crowded = 24

// sortPlaces returns rows, numbered from 0, by their places, which are all different: each with its place as key.
//
// Each row goes to the bucket that its place would be in if places were evenly spread, one bucket for each row, and
// neighbours are put in order at last. Places of few rows among many are spread well unless the column decided which rows
// these are.
func (s *scanner) sortPlaces(place []uint32) []entry {
	n := len(place)
	out := s.room(n)
	if n <= insertionUpTo {
		for i, p := range place {
			insert(out, i, entry{Key: p, Pos: uint32(i)})
		}
		return out
	}
	least, most := place[0], place[0]
	for _, p := range place {
		least, most = min(least, p), max(most, p)
	}
	// bucket = (place - least) n / (most - least + 1), rounded down; the quotient is at most 1 and is kept below it
	scale, _ := bits.Div64(uint64(n), 0, uint64(most-least)+2)
	starts := s.table(n + 1)
	for _, p := range place {
		b, _ := bits.Mul64(uint64(p-least), scale)
		starts[b]++
	}
	at, fullest := uint32(0), uint32(0)
	for i, k := range starts {
		starts[i] = at
		at += k
		fullest = max(fullest, k)
	}
	if fullest > crowded {
		for i, p := range place {
			out[i] = entry{Key: p, Pos: uint32(i)}
		}
		return s.radixSort(out, least, most)
	}
	for i, p := range place {
		b, _ := bits.Mul64(uint64(p-least), scale)
		out[starts[b]] = entry{Key: p, Pos: uint32(i)}
		starts[b]++
	}
	for i := 1; i < n; i++ {
		if e := out[i]; e.Key < out[i-1].Key {
			insert(out, i, e)
		}
	}
	return out
}

// insert puts an entry among the first n, which are in order.
func insert(out []entry, n int, e entry) {
	for ; n > 0 && out[n-1].Key > e.Key; n-- {
		out[n] = out[n-1]
	}
	out[n] = e
}

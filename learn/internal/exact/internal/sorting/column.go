package sorting

import (
	"math"
	"math/bits"
)

// Sorter is the scratch memory in which one worker sorts whole columns, one after the other.
type Sorter struct {
	sorted, spare []Entry
	run           []Keyed
}

// Keep leaves the result of the last Column to the caller. The next call makes memory of its own.
func (m *Sorter) Keep() { m.sorted = nil }

// Column returns the rows in the order of their values, equal ones by row. Keys are ranks among the
// distinct values, and missing values come last. The result is valid until the next call, unless
// Keep is called before.
//
// Values are sorted as integers of the same order, by the highest 32 bits in which they differ from
// the least. Where these do not decide, runs of one key are sorted by all bits. Such runs are short
// unless many values are equal or most lie close together.
func (m *Sorter) Column(num []float64, rows []int32) []Entry {
	if m.sorted == nil {
		m.sorted = make([]Entry, len(rows))
	}
	bitsOf, least, most := Bits, uint64(MissingBits), uint64(0)
	if low, width, ok := integers(num, rows); !ok {
		for _, r := range rows {
			if b := Bits(num[r]); b != MissingBits {
				least, most = min(least, b), max(most, b)
			}
		}
	} else if width < float64(len(rows)) {
		countIntegers(m.sorted, num, rows, low, int(width)+1)
		return m.sorted
	} else {
		// Distances from the least value have fewer digits that differ than the bits of floats.
		least, most = 0, uint64(width)
		bitsOf = func(x float64) uint64 {
			if math.IsNaN(x) {
				return MissingBits
			}
			return uint64(x - low)
		}
	}
	shift := max(0, bits.Len64(max(most, least)-least)-32)
	n := 0
	for i, r := range rows {
		if b := bitsOf(num[r]); b != MissingBits {
			m.sorted[n] = Entry{Key: uint32((b - least) >> shift), Pos: uint32(i)}
			n++
		}
	}
	m.sort(n)
	if shift == 0 {
		setRanks(m.sorted[:n])
	} else {
		m.settle(m.sorted[:n], func(pos uint32) uint64 { return bitsOf(num[rows[pos]]) })
	}
	for i, r := range rows {
		if n == len(rows) {
			break
		}
		if math.IsNaN(num[r]) {
			m.sorted[n] = Entry{Key: MissingRank, Pos: uint32(i)}
			n++
		}
	}
	return m.sorted
}

// sort puts the first n entries in the order of their keys, equal ones as they are, by digits from
// the lowest. A digit that is the same in all entries costs no pass.
func (m *Sorter) sort(n int) {
	const width, digits = 11, 3
	if len(m.spare) < len(m.sorted) {
		m.spare = make([]Entry, len(m.sorted))
	}
	var count [digits][1 << width]uint32
	for _, e := range m.sorted[:n] {
		for d := range count {
			count[d][e.Key>>(d*width)&(1<<width-1)]++
		}
	}
	for d := range count {
		c, shift := &count[d], d*width
		if n == 0 || c[m.sorted[0].Key>>shift&(1<<width-1)] == uint32(n) {
			continue
		}
		start := uint32(0)
		for i, n := range c {
			c[i] = start
			start += n
		}
		to := m.spare
		for _, e := range m.sorted[:n] {
			at := &c[e.Key>>shift&(1<<width-1)]
			to[*at] = e
			*at++
		}
		m.sorted, m.spare = m.spare, m.sorted
	}
}

// setRanks puts ranks in the place of keys, which ascend.
func setRanks(sorted []Entry) {
	rank, key := uint32(MissingRank), uint32(0)
	for i, e := range sorted {
		if i == 0 || e.Key != key {
			rank, key = rank+1, e.Key
		}
		sorted[i].Key = rank
	}
}

// settle puts rows of one key in the order of all their bits, and sets ranks as setRanks does.
func (m *Sorter) settle(sorted []Entry, bitsOf func(pos uint32) uint64) {
	rank := uint32(MissingRank)
	for len(sorted) > 0 {
		n := 1
		for n < len(sorted) && sorted[n].Key == sorted[0].Key {
			n++
		}
		if n == 1 {
			rank++
			sorted[0].Key = rank
			sorted = sorted[1:]
			continue
		}
		m.run = m.run[:0]
		for _, e := range sorted[:n] {
			m.run = append(m.run, Keyed{bitsOf(e.Pos), e.Pos})
		}
		if !allOneKey(m.run) {
			SortKeyed(m.run)
		}
		for i, k := range m.run {
			if i == 0 || k.Bits != m.run[i-1].Bits {
				rank++
			}
			sorted[i] = Entry{Key: rank, Pos: k.Pos}
		}
		sorted = sorted[n:]
	}
}

// allOneKey reports whether all keys are equal.
func allOneKey(keys []Keyed) bool {
	for _, k := range keys {
		if k.Bits != keys[0].Bits {
			return false
		}
	}
	return true
}

// exactIntegers is the magnitude up to which float64 holds every integer.
const exactIntegers = 1 << 53

// integers reports whether all known values are integers that float64 holds exactly; there is at
// least one. It returns the least of them and its distance to the greatest.
func integers(num []float64, rows []int32) (least, width float64, ok bool) {
	least, most := math.Inf(1), math.Inf(-1)
	for _, r := range rows {
		x := num[r]
		if x != math.Trunc(x) && !math.IsNaN(x) {
			return 0, 0, false
		}
		if x < least {
			least = x
		}
		if x > most {
			most = x
		}
	}
	return least, most - least, least >= -exactIntegers && most <= exactIntegers && least <= most
}

// countIntegers sorts by a table of counts, whose last Entry is for missing values:
//
//	value   3 4 5 6 -      least = 3, size = 4
//	count   2 0 5 1 1
//	rank    0   1 2
//	start   0   2 7 8
func countIntegers(sorted []Entry, num []float64, rows []int32, least float64, size int) {
	index := func(r int32) int {
		if x := num[r]; !math.IsNaN(x) {
			return int(x - least)
		}
		return size
	}
	starts, ranks := make([]uint32, size+1), make([]uint32, size+1)
	for _, r := range rows {
		starts[index(r)]++
	}
	at, distinct := uint32(0), uint32(0)
	for i, n := range starts {
		ranks[i] = MissingRank
		if n > 0 && i < size {
			ranks[i] = distinct
			distinct++
		}
		starts[i] = at
		at += n
	}
	for i, r := range rows {
		k := index(r)
		sorted[starts[k]] = Entry{Key: ranks[k], Pos: uint32(i)}
		starts[k]++
	}
}

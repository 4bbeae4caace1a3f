package sorting

import "math/bits"

// The sizes at which the sort of a node's keys changes its method.
const (
	insertionUpTo = 32
	leastDigit    = 5 // bits of a radix digit
	mostDigit     = 11
)

// Buffer is the scratch memory in which one worker sorts. Results lie in it until the next call.
type Buffer struct {
	entries, spare []Entry
	counts         []uint32
	digits         [1 << mostDigit]uint32
}

// slack is the fraction of its rows by which one bootstrap sample may be larger than those before
// it.
const slack = 64

// WithSlack returns the capacity to allocate for n rows of a bootstrap sample. Samples of trees
// that grow one after the other differ by a few rows, and memory of this size is enough for all of
// them.
func WithSlack(n int) int { return n + n/slack }

// Entries returns memory for n entries.
func (b *Buffer) Entries(n int) []Entry {
	if cap(b.entries) < n {
		b.entries = make([]Entry, n, WithSlack(n))
	}
	return b.entries[:n]
}

// Spare returns memory for n entries, other than that of Entries.
func (b *Buffer) Spare(n int) []Entry {
	if cap(b.spare) < n {
		b.spare = make([]Entry, n)
	}
	return b.spare[:n]
}

// Counts returns n zeros to count in.
func (b *Buffer) Counts(n int) []uint32 {
	if cap(b.counts) < n {
		b.counts = make([]uint32, n)
	}
	counts := b.counts[:n]
	clear(counts)
	return counts
}

// ByKey returns the entries of the given rows by ascending key, equal keys by position. Rows are
// ascending. A key is rank << shift | class, and missing is the rank of a missing value.
func (b *Buffer) ByKey(key []uint32, shift uint, missing uint32, rows []uint32) []Entry {
	n := len(rows)
	out := b.Entries(n)
	if n <= insertionUpTo {
		for i, pos := range rows {
			k, j := key[pos], i
			for j > 0 && out[j-1].Key > k {
				out[j] = out[j-1]
				j--
			}
			out[j] = Entry{Key: k, Pos: pos}
		}
		return out
	}
	least, most := uint32(MissingRank), uint32(0)
	for i, pos := range rows {
		k := key[pos]
		out[i] = Entry{Key: k, Pos: pos}
		least = min(least, k)
		if k>>shift != missing {
			most = max(most, k)
		}
	}
	if most < least { // every value is missing
		return out
	}
	return b.RadixSort(out, least, most)
}

// starts replaces counts by the sums of the counts before each.
func starts(counts []uint32) {
	at := uint32(0)
	for i, c := range counts {
		counts[i] = at
		at += c
	}
}

// RadixSort sorts entries in place by digits from the lowest. A digit is as wide as the number of
// rows makes worth its table of counts. Keys are least at the least; those above most are missing
// values and go behind the others.
func (b *Buffer) RadixSort(in []Entry, least, most uint32) []Entry {
	known, to := in[:0], b.Spare(len(in))
	missing := to[:0]
	for _, e := range in {
		if e.Key > most {
			missing = append(missing, e)
		} else {
			known = append(known, e)
		}
	}
	copy(in[len(known):], missing)
	from := known
	to = to[:len(known)]
	width := min(max(bits.Len(uint(len(known)))-1, leastDigit), mostDigit)
	digits := (bits.Len32(most-least) + width - 1) / width
	if digits == 0 {
		return in
	}
	width = (bits.Len32(most-least) + digits - 1) / digits
	mask := uint32(1)<<width - 1
	counts := b.digits[:mask+1]
	for shift := 0; digits > 0; digits, shift = digits-1, shift+width {
		clear(counts)
		for _, e := range from {
			counts[(e.Key-least)>>shift&mask]++
		}
		starts(counts)
		for _, e := range from {
			c := &counts[(e.Key-least)>>shift&mask]
			to[*c] = e
			*c++
		}
		from, to = to, from
	}
	if &from[0] != &in[0] {
		copy(in, from)
	}
	return in
}

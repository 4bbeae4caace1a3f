package sorting

// Bytes is a column of few values by row: the rank of each value, and behind the last rank a
// missing value.
type Bytes struct {
	Rank   []uint8 // by row
	Values int     // the number of distinct values, which is the byte of a missing one
}

// Keys describes what the keys of a sorted column hold beside the rank.
type Keys struct {
	Class   []uint32 // by row; unused if Shift is 0
	Shift   uint     // bits of the class in a key
	Missing uint32   // the rank of a missing value: all bits that the class leaves
}

// ByBytes puts rows in the order of a column of few values: each goes to the pile of its rank.
//
//	row      0 2 5 6 9          rank     0 | 1   | 3
//	rank     1 0 3 0 1          rows     2 6 | 0 9 | 5
func (b *Buffer) ByBytes(c Bytes, l *Keys, rows []uint32) []Entry {
	var piles [FewValues + 1]uint32
	at := piles[:c.Values+1]
	for _, row := range rows {
		at[c.Rank[row]]++
	}
	starts(at)
	out := b.Entries(len(rows))
	class, shift, ranks := l.Class, l.Shift, c.Rank
	for _, row := range rows {
		rank := ranks[row]
		key := uint32(rank)
		if int(rank) == c.Values {
			key = l.Missing
		}
		if key <<= shift; shift > 0 {
			key |= class[row]
		}
		out[at[rank]] = Entry{Key: key, Pos: row}
		at[rank]++
	}
	return out
}

// HasFew reports whether the given rows of a column have at most FewValues distinct values. Missing
// values do not count.
func HasFew(num []float64, rows []int32) bool {
	const bits = 10
	// of values as keys, of which none is 0: -Inf is above NaNs of that sign
	var table [1 << bits]uint64
	distinct := 0
	for _, r := range rows {
		key := Bits(num[r])
		if key == MissingBits {
			continue
		}
		at := key * 0x9e3779b97f4a7c15 >> (64 - bits)
		for table[at] != 0 && table[at] != key {
			at = (at + 1) & (1<<bits - 1)
		}
		if table[at] == 0 {
			if distinct++; distinct > FewValues {
				return false
			}
			table[at] = key
		}
	}
	return true
}

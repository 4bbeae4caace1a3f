package kernel

// Partition puts the rows whose codes are on side 0 before those on side 1, both in their order,
// and returns how many there are. spare is at least as long as rows; side, 0 or 1, has an element
// for every code. Rows and codes must be in range: nothing is checked again, and the bytes beside a
// code, in the 4 that begin at a multiple of 4, may be read too.
//
// Each row is written to both ends, of which one moves on, so that no branch depends on a code.
//
//	rows    first first first | not yet read        first = i - last
//	spare   last last
func Partition[C uint8 | uint16](rows, spare []int32, codes []C, side []uint8) int {
	spare = spare[:len(rows)]
	last := 0
	switch codes := any(codes).(type) {
	case []uint8:
		last = partitionNarrow(rows, spare, codes, side)
	case []uint16:
		last = partitionWide(rows, spare, codes, side)
	}
	copy(rows[len(rows)-last:], spare[:last])
	return len(rows) - last
}

// partition writes the rows of side 1 to spare and returns how many there are; those of side 0
// stay, moved to the beginning. The rows before from are done, last of them are in spare.
func partition[C uint8 | uint16](rows, spare []int32, codes []C, side []uint8, from, last int) int {
	first := from - last
	for _, r := range rows[from:] {
		s := int(side[codes[r]])
		rows[first] = r
		spare[last] = r
		first += 1 - s
		last += s
	}
	return last
}

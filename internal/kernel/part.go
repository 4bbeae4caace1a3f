package kernel

// Part puts the rows whose codes are on side 0 before those on side 1, both in their order, and returns how many there are.
// spare is at least as long as rows; side has an element for every code.
//
// Each row is written to both ends, of which one moves on: no branch is made of a code.
func Part[C uint8 | uint16](rows, spare []int32, codes []C, side []uint8) int {
	spare = spare[:len(rows)]
	first, last := 0, 0
	for _, r := range rows {
		s := int(side[codes[r]])
		rows[first] = r
		spare[last] = r
		first += 1 - s
		last += s
	}
	copy(rows[first:], spare[:last])
	return first
}

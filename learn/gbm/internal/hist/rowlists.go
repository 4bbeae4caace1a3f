package hist

import "slices"

// lenOr returns the number of rows, nil = all.
func lenOr(rows []int32, all int) int {
	if rows == nil {
		return all
	}
	return len(rows)
}

// below returns how many of some ascending rows are before one.
func below(rows []int32, row int32) int {
	if len(rows) == 0 || rows[len(rows)-1] < row {
		return len(rows)
	}
	most := 1 // the one that is looked for is mostly near
	for most < len(rows) && rows[most] < row {
		most *= 2
	}
	n, _ := slices.BinarySearch(rows[most/2:min(most, len(rows))], row)
	return most/2 + n
}

// shift adds a number to all rows.
func shift(rows []int32, by int32) {
	if by == 0 {
		return
	}
	for i := range rows {
		rows[i] += by
	}
}

// pick returns the elements of some rows.
func pick(all, rows []int32) []int32 {
	picked := make([]int32, len(rows))
	for i, r := range rows {
		picked[i] = all[r]
	}
	return picked
}

// gaps puts the rows from ... to-1 that are not marked in the memory of dst.
func gaps(dst []int32, from, to int32, listed []uint8) []int32 {
	dst = resize(dst, int(to-from))
	n := 0
	for i, in := range listed {
		dst[n] = from + int32(i)
		n += int(1 - in)
	}
	return dst[:n]
}

// without is gaps for some of those rows.
func without(dst []int32, from int32, rows []int32, listed []uint8) []int32 {
	dst = resize(dst, len(rows))
	n := 0
	for _, row := range rows {
		dst[n] = row
		n += int(1 - listed[row-from])
	}
	return dst[:n]
}

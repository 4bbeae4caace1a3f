//go:build amd64 && !purego

package kernel

// gatheredFrom is the number of rows from which on it pays to make words of the sides.
const gatheredFrom = 128

// codesAhead is how many rows ahead the code of a row is fetched that has a cache line for itself.
const codesAhead = 64

var _ = codesAhead // by the assembly

// far reports whether it pays to fetch the codes of ascending rows, so many to a cache line.
func far(rows []int32, line int) bool {
	return amd && len(rows) >= gatheredFrom && int(rows[len(rows)-1]-rows[0]) >= line*len(rows)
}

func partNarrow(rows, spare []int32, codes, side []uint8) int {
	if gathers && len(rows) >= gatheredFrom && len(side) >= 256 {
		n := len(rows) &^ 15
		last := partSixteens(&rows[0], &spare[0], &codes[0], &side[0], n)
		return part(rows, spare, codes, side, n, last)
	}
	eights := len(rows) &^ 7
	if !hasAVX2 || eights == 0 {
		return part(rows, spare, codes, side, 0, 0)
	}
	by := partEights
	if far(rows, 64) {
		by = partFarEights
	}
	last := by(&rows[0], &spare[0], &codes[0], &side[0], eights, &order)
	return part(rows, spare, codes, side, eights, last)
}

func partWide(rows, spare []int32, codes []uint16, side []uint8) int {
	var all [512]uint8
	if gathers && len(rows) >= gatheredFrom && len(side) <= len(all) {
		copy(all[:], side)
		n := len(rows) &^ 15
		last := partWideSixteens(&rows[0], &spare[0], &codes[0], &all[0], n)
		return part(rows, spare, codes, side, n, last)
	}
	eights := len(rows) &^ 7
	if !hasAVX2 || eights == 0 {
		return part(rows, spare, codes, side, 0, 0)
	}
	by := partWideEights
	if far(rows, 32) {
		by = partFarWideEights
	}
	last := by(&rows[0], &spare[0], &codes[0], &side[0], eights, &order)
	return part(rows, spare, codes, side, eights, last)
}

// partEights is part for n rows from the first one on, n a multiple of eight above 0.
//
//go:noescape
func partEights(rows, spare *int32, codes, side *uint8, n int, order *[256][8]uint8) int

// partWideEights is partEights for codes of two bytes.
//
//go:noescape
func partWideEights(rows, spare *int32, codes *uint16, side *uint8, n int, order *[256][8]uint8) int

// partFarEights is partEights for rows that are far apart.
//
//go:noescape
func partFarEights(rows, spare *int32, codes, side *uint8, n int, order *[256][8]uint8) int

// partFarWideEights is partWideEights for rows that are far apart.
//
//go:noescape
func partFarWideEights(rows, spare *int32, codes *uint16, side *uint8, n int, order *[256][8]uint8) int

// partSixteens is partEights where vectors gather, for n a multiple of sixteen and side of 256
// elements.
//
//go:noescape
func partSixteens(rows, spare *int32, codes, side *uint8, n int) int

// partWideSixteens is partSixteens for codes of two bytes, below 512, and side of so many elements.
//
//go:noescape
func partWideSixteens(rows, spare *int32, codes *uint16, side *uint8, n int) int

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

func partitionNarrow(rows, spare []int32, codes, side []uint8) int {
	if gathers && len(rows) >= gatheredFrom && len(side) >= 256 {
		n := len(rows) &^ 15
		last := partitionSixteens(&rows[0], &spare[0], &codes[0], &side[0], n)
		return partition(rows, spare, codes, side, n, last)
	}
	eights := len(rows) &^ 7
	if !hasAVX2 || eights == 0 {
		return partition(rows, spare, codes, side, 0, 0)
	}
	by := partitionEights
	if far(rows, 64) {
		by = partitionFarEights
	}
	last := by(&rows[0], &spare[0], &codes[0], &side[0], eights, &order)
	return partition(rows, spare, codes, side, eights, last)
}

func partitionWide(rows, spare []int32, codes []uint16, side []uint8) int {
	var all [512]uint8
	if gathers && len(rows) >= gatheredFrom && len(side) <= len(all) {
		copy(all[:], side)
		n := len(rows) &^ 15
		last := partitionWideSixteens(&rows[0], &spare[0], &codes[0], &all[0], n)
		return partition(rows, spare, codes, side, n, last)
	}
	eights := len(rows) &^ 7
	if !hasAVX2 || eights == 0 {
		return partition(rows, spare, codes, side, 0, 0)
	}
	by := partitionWideEights
	if far(rows, 32) {
		by = partitionFarWideEights
	}
	last := by(&rows[0], &spare[0], &codes[0], &side[0], eights, &order)
	return partition(rows, spare, codes, side, eights, last)
}

// partitionEights is partition for n rows from the first one on, n a multiple of eight above 0.
//
//go:noescape
func partitionEights(rows, spare *int32, codes, side *uint8, n int, order *[256][8]uint8) int

// partitionWideEights is partitionEights for codes of two bytes.
//
//go:noescape
func partitionWideEights(rows, spare *int32, codes *uint16, side *uint8, n int,
	order *[256][8]uint8) int

// partitionFarEights is partitionEights for scattered rows.
//
//go:noescape
func partitionFarEights(rows, spare *int32, codes, side *uint8, n int, order *[256][8]uint8) int

// partitionFarWideEights is partitionWideEights for scattered rows.
//
//go:noescape
func partitionFarWideEights(rows, spare *int32, codes *uint16, side *uint8, n int,
	order *[256][8]uint8) int

// partitionSixteens is partitionEights where vectors gather, for n a multiple of sixteen and side
// of 256 elements.
//
//go:noescape
func partitionSixteens(rows, spare *int32, codes, side *uint8, n int) int

// partitionWideSixteens is partitionSixteens for codes of two bytes, below 512, and side of so many
// elements.
//
//go:noescape
func partitionWideSixteens(rows, spare *int32, codes *uint16, side *uint8, n int) int

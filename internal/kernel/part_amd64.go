//go:build amd64 && !purego

package kernel

func partNarrow(rows, spare []int32, codes, side []uint8) int {
	eights := len(rows) &^ 7
	if !hasAVX2 || eights == 0 {
		return part(rows, spare, codes, side, 0, 0)
	}
	last := partEights(&rows[0], &spare[0], &codes[0], &side[0], eights, &order)
	return part(rows, spare, codes, side, eights, last)
}

func partWide(rows, spare []int32, codes []uint16, side []uint8) int {
	eights := len(rows) &^ 7
	if !hasAVX2 || eights == 0 {
		return part(rows, spare, codes, side, 0, 0)
	}
	last := partWideEights(&rows[0], &spare[0], &codes[0], &side[0], eights, &order)
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

//go:build amd64 && !purego

package kernel

func partNarrow(rows, spare []int32, codes, side []uint8) int {
	if len(rows) == 0 {
		return 0
	}
	return partBytes(&rows[0], &spare[0], &codes[0], &side[0], len(rows))
}

// partBytes is part for n rows, at least one.
//
//go:noescape
func partBytes(rows, spare *int32, codes, side *uint8, n int) int

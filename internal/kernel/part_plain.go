//go:build !amd64 || purego

package kernel

func partNarrow(rows, spare []int32, codes, side []uint8) int {
	return part(rows, spare, codes, side, 0, 0)
}

func partWide(rows, spare []int32, codes []uint16, side []uint8) int {
	return part(rows, spare, codes, side, 0, 0)
}

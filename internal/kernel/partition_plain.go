//go:build !amd64 || purego

package kernel

func partitionNarrow(rows, spare []int32, codes, side []uint8) int {
	return partition(rows, spare, codes, side, 0, 0)
}

func partitionWide(rows, spare []int32, codes []uint16, side []uint8) int {
	return partition(rows, spare, codes, side, 0, 0)
}

func partitionValuesInVectors(
	_, _ []uint32, _ []float64, _ int, _ float64, _ bool,
) (done, last int) {
	return 0, 0
}

func partitionSinglesInVectors(
	_, _ []uint32, _ []float32, _ int, _ float64, _ bool,
) (done, last int) {
	return 0, 0
}

//go:build !amd64 || purego

package kernel

func gatherSinglesInVectors(
	_ []float32, _ *[SingleColumns][]float32, _ int, _ []uint32, _ *SingleSpans,
) bool {
	return false
}

func sumSinglePairsInVectors(
	_ *PairSums, _ []float32, _ *[SingleColumns]float32, _ [][2]float64,
) bool {
	return false
}

func sumSingleSlotsInVectors(
	_ []SlotSums, _ []float32, _ *[SingleColumns]float32, _ []uint32, _ []float64,
) bool {
	return false
}
